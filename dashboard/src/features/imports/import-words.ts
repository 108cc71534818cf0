import type { Label } from '../../ui/words.ts';
import type { ImportFile, Kind } from './import-draft.ts';

export const kinds: Record<Kind, { word: string; about: string; page: string }> = {
  rent_roll: {
    word: 'Rent roll',
    about: 'Everything in one sheet: property, unit, tenants, lease, balance',
    page: '/reports/rent-roll',
  },
  properties: { word: 'Properties', about: 'Name and address', page: '/properties' },
  units: { word: 'Units', about: 'Property and unit name', page: '/properties' },
  tenants: { word: 'Tenants', about: 'Names, email, phone', page: '/tenants' },
  leases: { word: 'Leases', about: 'Unit, tenants, start, rent', page: '/leases' },
  charges: { word: 'Charges', about: 'Lease or tenant, kind, amount, due date', page: '/leases' },
  payments: { word: 'Payments', about: 'Tenant, amount, date', page: '/payments' },
  credits: { word: 'Credits', about: 'Lease or tenant, amount, date, reason', page: '/leases' },
  maintenance: { word: 'Maintenance', about: 'Property, title, status, priority', page: '/maintenance' },
};
export const kindNames = Object.keys(kinds) as Kind[];

export const fileStatus: Record<ImportFile['status'], Label> = {
  applied: { word: 'Imported', tone: 'good' },
  valid: { word: 'Ready', tone: 'good' },
  failed: { word: 'Has errors', tone: 'bad' },
  held_back: { word: 'Waiting for another file', tone: 'warn' },
};

/** `first_name` is "First name". */
export const fieldWord = (name: string): string => {
  const words = name.replaceAll('_', ' ').replace(/\bid\b/, 'ID');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
