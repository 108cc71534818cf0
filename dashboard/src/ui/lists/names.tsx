import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRecord } from '../../api/queries.ts';
import { fullName } from '../words.ts';

/*
 * Records refer to each other by id; these components show names instead. A name is fetched when it is first
 * shown, and kept, because names rarely change.
 */

interface Props {
  id: string | null;
  isLink?: boolean;
}

const nameLifeMs = 5 * 60_000;

export function TenantName({ id, isLink }: Props) {
  const { data } = useRecord('tenants', id, nameLifeMs);
  return <Name id={id} text={data && fullName(data)} to={isLink ? `/tenants/${id}` : null} />;
}

export function PropertyName({ id, isLink }: Props) {
  const { data } = useRecord('properties', id, nameLifeMs);
  return <Name id={id} text={data?.name} to={isLink ? `/properties/${id}` : null} />;
}

export function UnitName({ id }: Props) {
  return <Name id={id} text={useRecord('units', id, nameLifeMs).data?.name} to={null} />;
}

/** "Maple Court, 2B" */
export function PlaceName({ propertyId, unitId }: { propertyId: string | null; unitId: string | null }) {
  return (
    <span>
      <PropertyName id={propertyId} />
      {unitId && (
        <>
          , <UnitName id={unitId} />
        </>
      )}
    </span>
  );
}

function Name({ id, text, to }: { id: string | null; text: string | undefined; to: string | null }) {
  if (id === null) return <span className="text-faint">–</span>;
  if (text === undefined)
    return <span aria-hidden="true" className="skeleton inline-block h-3.5 w-24 align-middle" />;
  return to ? <TextLink to={to}>{text}</TextLink> : text;
}

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
