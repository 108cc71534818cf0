import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Payment } from '../../api/records.ts';

/* Records refer to each other by id. These components show the names, which the server sends beside the ids. */

interface Props<Of> {
  of: Of | null | undefined;
  isLink?: boolean;
}

/** A record in brief: what it is called. */
export interface Named {
  id: string;
  name: string;
}

export const TenantName = (props: Props<Named>) => <Name {...props} path="/tenants" />;
export const PropertyName = (props: Props<Named>) => <Name {...props} path="/properties" />;

function Name({ of, isLink, path }: Props<Named> & { path: string }) {
  if (!of) return <span className="text-faint">–</span>;
  return isLink ? <TextLink to={`${path}/${of.id}`}>{of.name}</TextLink> : of.name;
}

/** "Maple Court, 2B" */
export const placeName = ({ property, unit }: Pick<Payment, 'property' | 'unit'>): string =>
  [property?.name, unit?.name].filter(Boolean).join(', ');

export const PlaceName = ({ of }: { of: Pick<Payment, 'property' | 'unit'> }) =>
  placeName(of) || <span className="text-faint">–</span>;

/** A link within text, inside the dashboard or out of it. */
export const linkClass =
  'text-accent-ink underline decoration-line-strong underline-offset-3 hover:decoration-current';

export function TextLink({
  to,
  search,
  children,
}: {
  to: string;
  search?: Record<string, string | undefined>;
  children: ReactNode;
}) {
  return (
    <Link to={to} search={(search ?? {}) as never} className={linkClass}>
      {children}
    </Link>
  );
}
