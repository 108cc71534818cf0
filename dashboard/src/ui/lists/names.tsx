import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRecord } from '../../api/queries.ts';
import { fullName } from '../words.ts';

/*
 * Records name each other by id; these show the name. Each is fetched when it first comes into sight and
 * kept: names change rarely.
 */

interface Props {
  id: string | null;
  isLink?: boolean;
}

const nameLife = 5 * 60_000;

export function TenantName({ id, isLink }: Props) {
  const { data } = useRecord('tenants', id, nameLife);
  return <Name id={id} text={data && fullName(data)} to={isLink ? `/tenants/${id}` : null} />;
}

export function PropertyName({ id, isLink }: Props) {
  const { data } = useRecord('properties', id, nameLife);
  return <Name id={id} text={data?.name} to={isLink ? `/properties/${id}` : null} />;
}

export function UnitName({ id }: Props) {
  return <Name id={id} text={useRecord('units', id, nameLife).data?.name} to={null} />;
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

/** A link in the text; for one that leads out of the dashboard, too. */
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
