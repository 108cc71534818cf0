import { X } from 'lucide-react';
import { useRecord } from '../../api/queries.ts';
import type { Noun } from '../../api/records.ts';
import { Button } from '../button.tsx';
import { ComboboxInput, type ComboboxProps } from '../forms/combobox.tsx';
import { findProperties, findTenants } from '../forms/pickers.tsx';
import { fullName } from '../words.ts';
import { placeName } from './names.tsx';

interface Props {
  value: string | undefined;
  onChange: (id: string | undefined) => void;
  /** The record's name according to the listed rows, so that it need not be fetched; null while they are loading. */
  listedAs?: string | null | undefined;
}

/** The record itself, unless the rows have its name. */
const useUnlisted = <N extends Noun>(noun: N, { value, listedAs }: Props) =>
  useRecord(noun, listedAs === undefined ? value : undefined).data;

function PickerFilter({
  noun,
  find,
  name,
  value,
  onChange,
}: Omit<Props, 'listedAs'> & { noun: string; find: ComboboxProps['find']; name: string | undefined }) {
  return (
    <div className="min-w-0 grow basis-[40%] sm:w-40 sm:grow-0 sm:basis-auto">
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

export function PropertyFilter({ listedAs, ...props }: Props) {
  const property = useUnlisted('properties', { listedAs, ...props });
  return <PickerFilter noun="Property" find={findProperties} name={listedAs ?? property?.name} {...props} />;
}

export function TenantFilter({ listedAs, ...props }: Props) {
  const tenant = useUnlisted('tenants', { listedAs, ...props });
  const name = listedAs ?? (tenant && fullName(tenant));
  return <PickerFilter noun="Tenant" find={findTenants} name={name} {...props} />;
}

/** Leases have no names to search by: the filter is set on a lease's page and can only be removed here. */
export function LeaseFilter({ value, onChange, listedAs }: Props) {
  const lease = useUnlisted('leases', { value, onChange, listedAs });
  if (!value) return null;
  return (
    <Button
      icon={<X />}
      title="Remove this filter"
      className="max-w-full"
      onClick={() => onChange(undefined)}
    >
      <span className="truncate">Lease: {listedAs ?? (lease ? placeName(lease) : '…')}</span>
    </Button>
  );
}
