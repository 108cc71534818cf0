import { useQuery } from '@tanstack/react-query';
import { one } from '../api/queries.ts';
import { ComboboxInput } from './combobox.tsx';
import { findProperties, findTenants } from './pickers.tsx';
import { fullName } from './words.ts';

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
