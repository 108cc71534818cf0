import { expect, test } from 'vitest';
import { lowestIdAt } from '../ids.ts';
import type { LeaseRow } from './leases.columns.ts';
import { withLedgerBegin } from './ledger-begin.ts';

const lease = (recorded: string, fields: Partial<LeaseRow>) => ({
  ...({ opening_balance_cents: 0, ...fields } as LeaseRow),
  id: lowestIdAt(new Date(recorded)),
});

test.each([
  // There it was still November, and here already December.
  ['America/New_York', '2026-12-01T02:00:00Z', '2026-11-15', '2023-10-20', '2026-11-01'],
  ['Asia/Tokyo', '2026-11-30T23:00:00Z', '2026-12-09', '2026-11-10', '2026-12-01'],
  ['UTC', '2026-11-30T23:00:00Z', '2026-12-09', '2026-11-10', '2026-11-10'],
])(
  'in %s the month in which a lease is recorded is that of the account',
  (timeZone, recorded, was, is, from) => {
    const before = lease(recorded, { start_date: was, ledger_from: was });
    expect(withLedgerBegin({ start_date: is }, before, timeZone)).toEqual({
      start_date: is,
      ledger_from: from,
    });
  },
);

test('a change that names the day keeps it', () => {
  const before = lease('2026-11-19T12:00:00Z', { start_date: '2026-11-15', ledger_from: '2026-11-15' });
  const change = { start_date: '2026-10-15', ledger_from: '2026-11-15' };
  expect(withLedgerBegin(change, before, 'UTC')).toBe(change);
});

test('a ledger that held all of its lease does not reach behind an opening balance that comes with the change', () => {
  const before = lease('2026-11-19T12:00:00Z', { start_date: '2025-10-10', ledger_from: '2025-10-10' });
  const earlier = { start_date: '2025-09-20' };
  expect(withLedgerBegin(earlier, before, 'UTC')).toEqual({ ...earlier, ledger_from: '2025-09-20' });
  const balanced = { ...earlier, opening_balance_cents: 5_000 };
  expect(withLedgerBegin(balanced, before, 'UTC')).toBe(balanced);
});
