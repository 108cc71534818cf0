import { first, tenanciesOf } from '../../api/queries.ts';
import type { Property, Tenancy, Tenant } from '../../api/records.ts';
import { fullName, unitStatus } from '../words.ts';
import { Combobox, type ComboboxProps, type Option } from './combobox.tsx';

/** A record as an option of a picker. */
export const namedOption = ({ id, name }: { id: string; name: string }): Option => ({
  value: id,
  label: name,
});

export const tenantOption = (tenant: Tenant): Option => ({
  value: tenant.id,
  label: fullName(tenant),
  about: tenant.property ? `${tenant.property.name}, ${tenant.unit?.name}` : (tenant.email ?? undefined),
});
export const propertyOption = (property: Property): Option => ({
  value: property.id,
  label: property.name,
  about: property.address ?? undefined,
});
/** A unit with its occupants. */
const unitOption = ({ id, name, status, lease, tenants }: Tenancy): Option => ({
  value: id,
  label: name,
  about: [
    unitStatus[status].word,
    ...(lease === null || lease.status === 'upcoming' ? [] : tenants.map((tenant) => tenant.name)),
  ].join(' · '),
});

const q = (text: string) => ({ q: text || undefined });

export const findTenants = (text: string) => ({
  ...first('tenants', q(text)),
  select: (tenants: Tenant[]) => tenants.map(tenantOption),
});
export const findProperties = (text: string) => ({
  ...first('properties', { ...q(text), status: 'active' }),
  select: (properties: Property[]) => properties.map(propertyOption),
});
const numerically = new Intl.Collator(undefined, { numeric: true });
export const byName = (units: Tenancy[]) => units.toSorted((a, b) => numerically.compare(a.name, b.name));
const findUnits = (propertyId: string | null) => (text: string) => ({
  ...tenanciesOf(propertyId ?? ''),
  select: (units: Tenancy[]) =>
    byName(units.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))).map(unitOption),
});

type PickerProps = Omit<ComboboxProps, 'find' | 'name' | 'label'> & { name?: string; label?: string };

export const TenantPicker = (props: PickerProps) => (
  <Combobox
    name="tenant_id"
    label="Tenant"
    placeholder="Type a name"
    nothing="No tenant found"
    {...props}
    find={findTenants}
  />
);

export const PropertyPicker = (props: PickerProps) => (
  <Combobox
    name="property_id"
    label="Property"
    placeholder="Type a name or address"
    nothing="No property found"
    {...props}
    find={findProperties}
  />
);

export const UnitPicker = ({ propertyId, ...props }: PickerProps & { propertyId: string | null }) => (
  <Combobox
    name="unit_id"
    label="Unit"
    placeholder={propertyId ? 'Choose a unit' : 'Choose a property first'}
    nothing="No unit found"
    disabled={propertyId === null}
    {...props}
    find={findUnits(propertyId)}
  />
);
