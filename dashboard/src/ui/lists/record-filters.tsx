import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { one } from '../../api/queries.ts';
import { Button } from '../button.tsx';
import { ComboboxInput } from '../forms/combobox.tsx';
import { findProperties, findTenants } from '../forms/pickers.tsx';
import { fullName } from '../words.ts';
import { PlaceName } from './names.tsx';

interface Props {
  value: string | undefined;
  onChange: (id: string | undefined) => void;
}

const box = 'min-w-0 grow basis-[40%] sm:w-48 sm:grow-0 sm:basis-auto';

export function PropertyFilter({ value, onChange }: Props) {
  const { data } = useQuery({ ...one('properties', value ?? ''), enabled: !!value });
  return (
    <div className={box}>
      <ComboboxInput
        label="Filter by property"
        placeholder="Property: all"
        find={findProperties}
        selected={value ? { value, label: data?.name ?? '…' } : null}
        onSelect={(option) => onChange(option?.value)}
      />
    </div>
  );
}

export function TenantFilter({ value, onChange }: Props) {
  const { data } = useQuery({ ...one('tenants', value ?? ''), enabled: !!value });
  return (
    <div className={box}>
      <ComboboxInput
        label="Filter by tenant"
        placeholder="Tenant: all"
        find={findTenants}
        selected={value ? { value, label: data ? fullName(data) : '…' } : null}
        onSelect={(option) => onChange(option?.value)}
      />
    </div>
  );
}

/** Leases have no names to be found by: one is chosen on its page, and taken back here. */
export function LeaseFilter({ value, onChange }: Props) {
  const { data } = useQuery({ ...one('leases', value ?? ''), enabled: !!value });
  if (!value) return null;
  return (
    <Button
      icon={<X />}
      title="Remove this filter"
      className="max-w-full"
      onClick={() => onChange(undefined)}
    >
      <span className="truncate">
        Lease: {data ? <PlaceName propertyId={data.property_id} unitId={data.unit_id} /> : '…'}
      </span>
    </Button>
  );
}
