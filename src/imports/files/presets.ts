import type { Mapping } from '../cells/headers.ts';
import { plainWord } from '../cells/words.ts';

/** The products whose exports are known. */
export const presetNames = [
  'Buildium',
  'AppFolio',
  'DoorLoop',
  'Rentec',
  'TenantCloud',
  'microrealestate',
] as const;
export type PresetName = (typeof presetNames)[number];

/**
 * Headers that a product writes and hardly anybody else does, in groups: a file is from that product if it has all
 * headers of a group. Most fields are recognised by their headers and contents, whatever product a file is from; see
 * `meanings`.
 */
const marks: Record<PresetName, string[][]> = {
  Buildium: [
    ['Lease type', 'Days left'],
    ['Tenancy status', 'Rent cycle'],
    ['Bed/Bath', 'Lease type'],
    ['Unit number', 'Rent cycle'],
    ['Payer', 'Payment method', 'Check number'],
    ['Deposit held', 'Balance due', 'Lease type'],
    ['Task', 'Task category', 'Task status'],
    ['Start - End', 'Balance due'],
    ['Primary email', 'Alternate email', 'Tenant comments'],
    ['Deposits held', 'Prepayments', 'Balance due'],
  ],
  AppFolio: [
    ['Lease From', 'Lease To'],
    ['BD/BA', 'Sqft'],
    ['BD/BA', 'Past Due'],
    ['NSF Count', 'Late Count'],
    ['Phone Numbers', 'Emails', 'Tenant Type'],
    ['Work Order Number', 'Job Description'],
    ['Occupancy ID', 'Unit ID'],
    ['Payer', 'Cash Account'],
  ],
  DoorLoop: [
    ['Lease Name', 'Rent Frequency'],
    ['Unit Name', 'Tenant Mobile Phone Number'],
    ['Lease Name', 'Outstanding Balance'],
    ['Unit Name', 'Rent Day of Month'],
    ['Lease', 'Lease Status', 'Total Balance Due'],
    ['Units', 'Term', 'Deposits Held'],
    ['Units', 'Recurring Charges', 'Total Balance Due'],
    ['Current Property', 'Current Unit', 'Lease Status'],
  ],
  Rentec: [
    ['Lease Begin', 'Rent Due Day'],
    ['Tenant Name', 'Lease Begin', 'Lease End'],
    ['Tenant Name', 'Current Balance', 'Rent Amount'],
  ],
  TenantCloud: [
    ['Lease #', 'Rental type'],
    ['Rental type', 'Recurring rent'],
    ['Lease #', 'Lease status', 'Outstanding'],
    ['Lease number', 'Lease term', 'Rent'],
    ['Renters', 'Lease', 'Property'],
    ['Tenant', 'Lease #'],
    ['Move in date', 'Lease type', 'Amount', 'Invoice'],
  ],
  microrealestate: [
    ['Contract begin date', 'Contract end date'],
    ['Name', 'Reference', 'Properties'],
    ['Nom', 'Référence', 'Date de début du contrat'],
    ['Vertragsbeginn', 'Vertragsende', 'Referenz'],
    ['Nombre', 'Referencia', 'Fecha de inicio del contrato'],
  ],
};

/** Headers in a product's sheets that mean something else there than in general, and what they mean. */
const meanings: Record<PresetName, Mapping> = {
  Buildium: {
    Id: 'tenant_id',
    'Start - End': 'lease_dates',
    // `Oak Row - 101 | Martin`: repeats the property, unit and tenant.
    Lease: null,
    Type: null,
    'Tenancy status': 'tenant_status',
  },
  // Whether a person pays or only lives there.
  AppFolio: { 'Tenant Type': null, 'Occupancy ID': 'lease_id', Resident: 'tenants' },
  // Includes other charges than the rent.
  DoorLoop: {
    Name: 'tenants',
    'Recurring Charges': null,
    'Total Balance Due': 'balance',
    Status: 'tenant_status',
  },
  // The status of the tenant, in a list of tenants.
  Rentec: { Status: 'tenant_status' },
  TenantCloud: {
    Amount: 'rent',
    Status: 'tenant_status',
    Renters: 'tenants',
    Lease: 'lease_id',
    Invoice: null,
  },
  // This product calls everything that is let a property, and its tenants have a name and a reference.
  microrealestate: {
    Name: 'tenants',
    Nom: 'tenants',
    Nombre: 'tenants',
    Reference: 'tenant_id',
    Référence: 'tenant_id',
    Referenz: 'tenant_id',
    Referencia: 'tenant_id',
    Charges: null,
    Expenses: null,
  },
};

/** What the headers mean in the product that the sheet comes from. Whoever imports may override it. */
export function meaningsIn(headers: string[]): Mapping {
  const preset = presetOf(headers);
  return preset === null ? {} : meanings[preset];
}

/** The product that a file is from, judged by its headers; null if they do not show it. */
export function presetOf(headers: string[]): PresetName | null {
  const have = new Set(headers.map((header) => plainWord(header.replaceAll('#', ' no '))));
  const count = (name: PresetName) =>
    marks[name].filter((group) =>
      group.every((header) => have.has(plainWord(header.replaceAll('#', ' no ')))),
    ).length;
  const [best, second] = presetNames
    .map((name) => ({ name, count: count(name) }))
    .toSorted((a, b) => b.count - a.count);
  return best && best.count > (second?.count ?? 0) ? best.name : null;
}
