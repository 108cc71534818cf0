import type {
  Charge,
  Credit,
  Delivery,
  Lease,
  MaintenanceRequest,
  Payment,
  Property,
  RecurringCharge,
  Role,
  Tenancy,
  Tenant,
  Unit,
  Webhook,
} from '../api/records.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'off';

export interface Label {
  word: string;
  tone: Tone;
}

/*
 * The word and tone of every enum value of the API. The API's schemas type them, so if a value is added there, this
 * does not compile until it has a word.
 */

export const paymentStatus: Record<Payment['status'], Label> = {
  paid: { word: 'Paid', tone: 'good' },
  pending: { word: 'Pending', tone: 'warn' },
  failed: { word: 'Failed', tone: 'bad' },
  returned: { word: 'Returned', tone: 'bad' },
  refunded: { word: 'Refunded', tone: 'info' },
  voided: { word: 'Voided', tone: 'off' },
};

/** The statuses a payment can move to from each status. */
export const paymentMoves: Record<Payment['status'], Payment['status'][]> = {
  pending: ['paid', 'failed', 'voided'],
  paid: ['returned', 'refunded', 'voided'],
  failed: [],
  returned: [],
  refunded: [],
  voided: [],
};

export const paymentMethod: Record<Payment['method'], string> = {
  bank_transfer: 'Bank transfer',
  check: 'Check',
  cash: 'Cash',
  card: 'Card',
  online: 'Online',
  other: 'Other',
};

export const chargeKind: Record<Charge['kind'], string> = {
  rent: 'Rent',
  utility: 'Utilities',
  parking: 'Parking',
  pet: 'Pet',
  repair: 'Repair',
  fee: 'Fee',
  late_fee: 'Late fee',
  returned_payment: 'Returned payment fee',
  deposit: 'Deposit',
  other: 'Other',
};

export const chargeStatus: Record<Charge['status'], Label> = {
  upcoming: { word: 'Upcoming', tone: 'info' },
  open: { word: 'Open', tone: 'warn' },
  partial: { word: 'Partly paid', tone: 'warn' },
  paid: { word: 'Paid', tone: 'good' },
  voided: { word: 'Voided', tone: 'off' },
};

export const creditReason: Record<Credit['reason'], string> = {
  concession: 'Concession',
  adjustment: 'Adjustment',
  write_off: 'Write-off',
  deposit: 'Deposit applied',
};

export const every: Record<RecurringCharge['every'], string> = {
  week: 'Every week',
  two_weeks: 'Every two weeks',
  month: 'Every month',
  quarter: 'Every quarter',
  year: 'Every year',
};

export const proration: Record<Lease['proration'], string> = {
  actual_days: 'By the days in that month',
  thirty_days: 'By months of 30 days',
  none: 'Full rent',
};

export const leaseStatus: Record<Lease['status'], Label> = {
  active: { word: 'Active', tone: 'good' },
  notice: { word: 'Notice given', tone: 'warn' },
  upcoming: { word: 'Upcoming', tone: 'info' },
  ended: { word: 'Ended', tone: 'off' },
};

/** The statuses of leases that run today, as a filter. */
export const running = 'active,notice';

export const tenantStatus: Record<Tenant['lease_status'], Label> = {
  ...leaseStatus,
  none: { word: 'No lease', tone: 'off' },
};

/** What happens next in a unit. */
export const nextEvent: Record<NonNullable<Tenancy['next_event']>['type'], string> = {
  lease_ends: 'Lease ends',
  move_out: 'Moves out',
  move_in: 'Moves in',
  rent_due: 'Rent due',
};

export const unitStatus: Record<Unit['status'], Label> = {
  occupied: { word: 'Occupied', tone: 'good' },
  notice: { word: 'Notice given', tone: 'warn' },
  vacant: { word: 'Vacant', tone: 'info' },
  offline: { word: 'Offline', tone: 'off' },
};

/** The statuses of units that somebody lives in, as a filter. */
export const lived = 'occupied,notice';

export const propertyType: Record<Property['type'], string> = {
  multi_family: 'Multi-family',
  single_family: 'Single-family',
  condo: 'Condo',
  townhouse: 'Townhouse',
  commercial: 'Commercial',
  other: 'Other',
};

export const maintenanceStatus: Record<MaintenanceRequest['status'], Label> = {
  open: { word: 'Open', tone: 'info' },
  scheduled: { word: 'Scheduled', tone: 'info' },
  in_progress: { word: 'In progress', tone: 'warn' },
  on_hold: { word: 'On hold', tone: 'off' },
  completed: { word: 'Completed', tone: 'good' },
  cancelled: { word: 'Cancelled', tone: 'off' },
};
export const unfinished = ['open', 'scheduled', 'in_progress', 'on_hold'] as const;

export const maintenancePriority: Record<MaintenanceRequest['priority'], Label> = {
  emergency: { word: 'Emergency', tone: 'bad' },
  high: { word: 'High', tone: 'warn' },
  medium: { word: 'Medium', tone: 'info' },
  low: { word: 'Low', tone: 'off' },
};

export const maintenanceCategory: Record<MaintenanceRequest['category'], string> = {
  plumbing: 'Plumbing',
  electrical: 'Electrical',
  hvac: 'Heating and cooling',
  appliance: 'Appliance',
  structural: 'Structural',
  pest: 'Pests',
  other: 'Other',
};

export const webhookStatus: Record<Webhook['status'], Label> = {
  active: { word: 'Active', tone: 'good' },
  failing: { word: 'Failing', tone: 'bad' },
  disabled: { word: 'Disabled', tone: 'off' },
};

export const deliveryStatus: Record<Delivery['status'], Label> = {
  pending: { word: 'Pending', tone: 'warn' },
  succeeded: { word: 'Delivered', tone: 'good' },
  failed: { word: 'Failed', tone: 'bad' },
  cancelled: { word: 'Cancelled', tone: 'off' },
};

export const roles: Record<Role, { word: string; may: string }> = {
  owner: { word: 'Owner', may: 'everything, including the team and the account' },
  manager: { word: 'Manager', may: 'reads and changes records, creates API keys and webhooks' },
  viewer: { word: 'Viewer', may: 'reads everything, changes nothing' },
};

/** `{paid: {word: 'Paid'}}` as options of a select. */
export const optionsOf = <Value extends string>(
  words: Record<Value, string | { word: string }>,
): { value: Value; label: string }[] =>
  (Object.entries(words) as [Value, string | { word: string }][]).map(([value, text]) => ({
    value,
    label: typeof text === 'string' ? text : text.word,
  }));

export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString()} ${number === 1 ? one : many}`;

export const fullName = (person: { first_name: string; last_name: string }): string =>
  `${person.first_name} ${person.last_name}`;
