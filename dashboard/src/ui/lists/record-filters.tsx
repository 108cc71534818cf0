import { X } from 'lucide-react';
import { useRecord } from '../../api/queries.ts';
import { Button } from '../button.tsx';
import { ComboboxInput, type ComboboxProps } from '../forms/combobox.tsx';
import { findProperties, findTenants } from '../forms/pickers.tsx';
import { fullName } from '../words.ts';
import { placeName } from './names.tsx';

interface Props {
  value: string | undefined;
  onChange: (id: string | undefined) => void;
}

function PickerFilter({
  noun,
  find,
  name,
  value,
  onChange,
}: Props & { noun: string; find: ComboboxProps['find']; name: string | undefined }) {
  return (
    <div className="min-w-0 grow basis-[40%] sm:w-48 sm:grow-0 sm:basis-auto">
      <ComboboxInput
        label={`Filter by ${noun.toLowerCase()}`}
        placeholder={`${noun}: all`}
        find={find}
        selected={value ? { value, label: name ?? '…' } : null}
        onSelect={(option) => onChange(option?.value)}
      />
    </div>
  );
}

export function PropertyFilter(props: Props) {
  const { data } = useRecord('properties', props.value);
  return <PickerFilter noun="Property" find={findProperties} name={data?.name} {...props} />;
}

export function TenantFilter(props: Props) {
  const { data } = useRecord('tenants', props.value);
  return <PickerFilter noun="Tenant" find={findTenants} name={data && fullName(data)} {...props} />;
}

/** Leases have no names to search by: the filter is set on a lease's page and can only be removed here. */
export function LeaseFilter({ value, onChange }: Props) {
  const { data } = useRecord('leases', value);
  if (!value) return null;
  return (
    <Button
      icon={<X />}
      title="Remove this filter"
      className="max-w-full"
      onClick={() => onChange(undefined)}
    >
      <span className="truncate">Lease: {data ? placeName(data) : '…'}</span>
    </Button>
  );
}
