import type { Balance } from '../../api/records.ts';

/** What the page shows: only what is overdue, all that is owed, or what is in credit. */
export type Shown = 'overdue' | 'owed' | 'credit';

type Amounts = Pick<
  Balance,
  | 'owed_cents'
  | 'overdue_cents'
  | 'credit_cents'
  | 'days_0_30_cents'
  | 'days_31_60_cents'
  | 'days_61_90_cents'
  | 'days_91_cents'
>;
type Named = [name: string, cents: (row: Amounts) => number];

const dueToday = (row: Amounts) => row.owed_cents - row.overdue_cents;

const older: Named[] = [
  ['31–60 days', (row) => row.days_31_60_cents],
  ['61–90 days', (row) => row.days_61_90_cents],
  ['91+ days', (row) => row.days_91_cents],
];
/** They add up to what is shown, so the first one has what is due today only where that is shown. A credit has no age. */
export const ages: Record<Shown, Named[]> = {
  overdue: [['1–30 days', (row) => row.days_0_30_cents - dueToday(row)], ...older],
  owed: [['0–30 days', (row) => row.days_0_30_cents], ...older],
  credit: [],
};

export const whole: Record<Shown, Named> = {
  overdue: ['Overdue', (row) => row.overdue_cents],
  owed: ['Owed', (row) => row.owed_cents],
  credit: ['In credit', (row) => row.credit_cents],
};

export const totals: Record<Shown, Named[]> = {
  overdue: [whole.overdue],
  owed: [whole.owed, whole.overdue, ['Due today', dueToday]],
  credit: [whole.credit],
};
