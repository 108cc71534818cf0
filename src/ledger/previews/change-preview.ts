import type { Db } from '../../db/connect.ts';
import type { WithId } from '../../db/records/columns.ts';
import { notFound } from '../../errors.ts';
import type { Writing } from '../../events/writer.ts';
import { formatId } from '../../ids.ts';
import { decimalText } from '../../money.ts';
import { lastTurned } from '../account-clocks.ts';
import type { ChargeRow } from '../charges/charges.columns.ts';
import { findDepositMoves } from '../deposits/deposits.store.ts';
import { type Charge, entriesOf, findEntries } from '../entries.store.ts';
import { freshen } from '../freshen.ts';
import { policiesFor } from '../late-fee-policies.ts';
import { findPosted, findTerms } from '../posting/schedule.store.ts';
import { dueCharges, planChanges } from '../posting/schedule.ts';
import { feesOf } from '../recalculate.ts';
import { allocate, countsOn, inOrder, type Ordered } from '../rules/allocation.ts';
import { addDays, addMonths, later } from '../rules/calendar.ts';
import { depositHeld } from '../rules/deposit-held.ts';
import type { Terms } from '../rules/schedule.ts';

/** How far ahead a lease without an end is previewed. */
const monthsAhead = 12;

/**
 * What new terms of a lease would do to its ledger, as JSON. Late fees are voided together with their rent, and
 * replaced rent may already be late. Nothing is written.
 */
export async function previewTerms(
  db: Db,
  how: Writing,
  leaseId: string,
  changed: Partial<Terms>,
): Promise<string> {
  const { accountId, today } = how;
  await freshen(db, how);
  const [lease] = await findTerms(db, accountId, [leaseId]);
  const [entries] = await findEntries(db, accountId, [leaseId], false);
  if (lease === undefined || entries === undefined) throw notFound();
  const next = { ...lease, ...changed };
  const horizon = next.until === null ? addMonths(today, monthsAhead) : later(addDays(next.until, -1), today);
  const posted = await findPosted(db, accountId, [leaseId]);
  const { made, wrong } = planChanges(next, posted, horizon);
  // Charges that are not posted yet but would be made anyway are not part of the difference.
  const before = new Set(dueCharges(lease, horizon).map(plainKey));
  const known = new Set(posted.map(plainKey));
  const isNew = (charge: Scheduled) => !before.has(plainKey(charge)) || known.has(plainKey(charge));

  const there = {
    ...entries,
    charges: [...without(entries.charges, wrong), ...made.map(owed)],
    replaced: [...entries.replaced, ...wrong],
  };
  const policies = await policiesFor(db, accountId, [leaseId]);
  const fees = feesOf(there, policies, await lastTurned(db, how));
  const charges = [...without(there.charges, fees.voided), ...fees.made.map(owed)];
  const now = inOrder(entriesOf(entries));
  const then = inOrder(entriesOf({ ...there, charges }));
  const { currency } = lease;
  const money = (name: string, cents: number) => ({
    [`${name}_cents`]: cents,
    [name]: decimalText(cents, currency),
  });
  const added = [...made.filter(isNew), ...fees.made];
  const apart = new Set([...added, ...now.owed.filter(({ due_on }) => due_on <= today)].map(({ id }) => id));
  const unchanged = then.owed.filter(({ id, due_on }) => due_on <= horizon && !apart.has(id));
  const shown = ({ kind, period, due_on, amount_cents }: Due) => ({
    kind,
    period,
    due_on,
    ...money('amount', amount_cents),
  });
  return JSON.stringify({
    lease_id: formatId('lease', leaseId),
    currency,
    charges: added.map(shown),
    voids: [...wrong, ...only(there.charges, fees.voided)].map((charge) => ({
      id: formatId('chg', charge.id),
      ...shown(charge),
    })),
    ...money('balance', balanceOn(now, today)),
    unchanged_count: unchanged.length,
    ...money('unchanged', sumOf(unchanged)),
    ...money('later_payments', paidOn(then, horizon) - paidOn(now, today)),
    ...money('final_balance', balanceOn(then, horizon)),
    ...money('deposit_held', depositHeld(now, await findDepositMoves(db, accountId, leaseId), today)),
  });
}

interface Scheduled extends Due {
  recurring_charge_id: string | null;
}

interface Due {
  kind: string;
  period: string | null;
  due_on: string;
  amount_cents: number;
}

const owed = (charge: WithId<ChargeRow>): Charge => ({ ...charge, period: charge.period });

const only = (charges: Charge[], some: { id: string }[]): Charge[] => {
  const ids = new Set(some.map(({ id }) => id));
  return charges.filter(({ id }) => ids.has(id));
};
const without = (charges: Charge[], some: { id: string }[]): Charge[] => {
  const ids = new Set(some.map(({ id }) => id));
  return charges.filter(({ id }) => !ids.has(id));
};

const plainKey = ({ kind, period, due_on, amount_cents, recurring_charge_id }: Scheduled): string =>
  [kind, period, due_on, amount_cents, recurring_charge_id].join(' ');

const sumOf = (entries: { amount_cents: number }[]): number =>
  entries.reduce((total, { amount_cents }) => total + amount_cents, 0);

const paidOn = ({ paid }: Ordered, day: string): number => sumOf(paid.filter((each) => countsOn(each, day)));

function balanceOn(entries: Ordered, day: string): number {
  const { open, left } = allocate(entries, day);
  const sum = (amounts: Iterable<number>) => [...amounts].reduce((total, amount) => total + amount, 0);
  return sum(open.values()) - sum(left.values());
}
