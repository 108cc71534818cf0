import type { Db } from '../../db/connect.ts';
import type { Writing } from '../../events/writer.ts';
import { decimalText } from '../../money.ts';
import { freshen } from '../freshen.ts';
import { type Allocation, allocate, inOrder, type Owed, type Paid } from '../rules/allocation.ts';
import { earlier, later } from '../rules/calendar.ts';
import { heldBy } from '../rules/deposit-held.ts';
import { type Entry, entriesIn } from './entries.ts';
import type { Item, LedgerLine, LedgerView, StatementView } from './ledger.schema.ts';
import { findLedger, type LedgerFacts } from './ledger.store.ts';

interface Range {
  from?: string | undefined;
  to?: string | undefined;
}

/** The account of a lease over some days. By default these are the first day of its ledger to today. */
export async function readLedger(
  db: Db,
  how: Writing,
  leaseId: string,
  { voided, ...range }: Range & { voided?: boolean | undefined },
): Promise<LedgerView> {
  const to = lastDay(range, how.today);
  const facts = await freshFacts(db, how, leaseId, to);
  const entries = entriesIn(facts);
  const { account } = workOut(facts, entries, how.today, { ...range, to }, voided ?? false);
  return {
    ...account,
    property: { id: facts.property.id, name: facts.property.name },
    ledger_from: facts.ledger_from,
    not_counted: entries.flatMap(({ item, counts, currency }) =>
      counts === 'other_currency' || counts === 'before_ledger'
        ? [{ ...item, currency, reason: counts }]
        : [],
    ),
  };
}

/** The same for a tenant, with what has to be paid. */
export async function readStatement(
  db: Db,
  how: Writing,
  leaseId: string,
  range: Range,
): Promise<StatementView> {
  const to = lastDay(range, how.today);
  const facts = await freshFacts(db, how, leaseId, to);
  const { account, due } = workOut(facts, entriesIn(facts), how.today, { ...range, to }, false);
  return { account: facts.account, issued_on: how.today, ...account, due };
}

/** Today, unless another day is given or the range begins later. */
const lastDay = ({ from, to }: Range, today: string): string => to ?? later(from ?? today, today);

async function freshFacts(db: Db, how: Writing, leaseId: string, to: string): Promise<LedgerFacts> {
  const { accountId, today } = how;
  const through = later(to, today);
  const facts = await findLedger(db, accountId, leaseId, { today, through });
  if (!facts.changed) return facts;
  await freshen(db, how, through);
  return findLedger(db, accountId, leaseId, { today, through });
}

interface WorkedOut {
  account: Omit<StatementView, 'account' | 'issued_on' | 'due'>;
  due: StatementView['due'];
}

function workOut(
  facts: LedgerFacts,
  all: Entry[],
  today: string,
  { from: first, to }: Range & { to: string },
  voided: boolean,
): WorkedOut {
  const from = first ?? earlier(facts.ledger_from, to);
  const { currency } = facts;
  const decimal = decimalsIn(currency);
  const money = <Name extends string>(name: Name, cents: number) =>
    ({ [`${name}_cents`]: cents, [name]: decimal(cents) }) as Amount<Name>;
  const counted = all.filter(({ counts }) => counts === 'yes');
  const ordered = inOrder({
    owed: counted.flatMap(({ owed }) => owed ?? []),
    paid: counted.flatMap(({ paid }) => paid ?? []),
  });
  const allocation = allocate(ordered, to);
  const stateOf = statesOf(allocation, counted, decimal);

  const opening = sum(counted.map(({ item, delta }) => (item.date < from ? delta : 0)));
  let balance = opening;
  const entries: LedgerLine[] = [];
  for (const entry of all) {
    const { item, counts, delta, voided_on, void_reason } = entry;
    const isShown = counts === 'yes' || (voided && counts === 'voided');
    if (!isShown || item.date < from || item.date > to) continue;
    const moved = counts === 'yes' ? delta : 0;
    balance += moved;
    const { status, open, pays, paid_by } = stateOf(entry);
    const [increase, decrease] = [Math.max(moved, 0), Math.max(-moved, 0)];
    // Written out field by field, because there are many, and objects of the same shape are quick to make.
    entries.push({
      date: item.date,
      type: item.type,
      id: item.id,
      description: item.description,
      amount_cents: item.amount_cents,
      amount: item.amount,
      increase_cents: increase,
      increase: decimal(increase),
      decrease_cents: decrease,
      decrease: decimal(decrease),
      balance_cents: balance,
      balance: decimal(balance),
      status,
      open_cents: open,
      open: decimal(open),
      pays,
      paid_by,
      voided_on,
      void_reason,
    });
  }

  const itemsOf = (which: (entry: Entry) => boolean): Item[] => all.filter(which).map(({ item }) => item);
  const overdue = [...allocation.open].map(([{ due_on }, cents]) => (due_on < to ? cents : 0));
  const account = {
    lease: facts.lease,
    tenants: facts.tenants,
    property: facts.property,
    unit: facts.unit,
    currency,
    from,
    to,
    ...money('opening_balance', opening),
    entries,
    ...money('closing_balance', balance),
    ...money('open', sum(allocation.open.values())),
    ...money('overdue', sum(overdue)),
    ...money('credit', sum(allocation.left.values())),
    ...money('deposit_held', heldBy(allocation.shares, depositMovesOf(facts), to)),
    // Nobody knows what was pending on a past day, but a later payment was not.
    pending: itemsOf(({ counts, item }) => counts === 'pending' && (to >= today || item.date <= to)),
    upcoming: itemsOf(
      ({ owed, counts, item }) => counts === 'yes' && item.date > later(to, today) && isListed(item, owed),
    ),
  };
  const due = counted.flatMap(({ item, owed }) => {
    const open = owed === undefined ? 0 : (allocation.open.get(owed) ?? 0);
    return open === 0 ? [] : [{ ...item, ...money('open', open) }];
  });
  return { account, due };
}

/** An item has no sign, so an opening balance must be a debt. */
const isListed = ({ type }: Item, owed: Owed | undefined): boolean =>
  type !== 'opening_balance' || owed !== undefined;

type Amount<Name extends string> = { [Key in `${Name}_cents`]: number } & { [Key in Name]: string };

/** Amounts as decimals, cached because most of them occur again and again. */
function decimalsIn(currency: string): (cents: number) => string {
  const known = new Map<number, string>();
  return (cents) => {
    let text = known.get(cents);
    if (text === undefined) {
      text = decimalText(cents, currency);
      known.set(cents, text);
    }
    return text;
  };
}

function sum(amounts: Iterable<number>): number {
  let total = 0;
  for (const amount of amounts) total += amount;
  return total;
}

type State = Pick<LedgerLine, 'status' | 'pays' | 'paid_by'> & { open: number };

/** What an entry paid, or what paid it, and what is left of it. */
function statesOf({ shares, open, left }: Allocation, entries: Entry[], decimal: (cents: number) => string) {
  const items = new Map<Owed | Paid, Item>();
  for (const { owed, paid, item } of entries) {
    if (owed) items.set(owed, item);
    if (paid) items.set(paid, item);
  }
  const lists = new Map<Owed | Paid, LedgerLine['pays']>();
  const add = (to: Owed | Paid, other: Owed | Paid, cents: number) => {
    const item = items.get(other);
    if (item === undefined) return;
    const list = lists.get(to) ?? [];
    const { date, type, id, description } = item;
    list.push({ date, type, id, description, amount_cents: cents, amount: decimal(cents) });
    lists.set(to, list);
  };
  for (const { paid, owed, amount_cents } of shares) {
    add(paid, owed, amount_cents);
    add(owed, paid, amount_cents);
  }
  return (entry: Entry): State => {
    const { owed, paid, counts } = entry;
    const part = counts === 'yes' ? (owed ?? paid) : undefined;
    const list = part === undefined ? [] : (lists.get(part) ?? []);
    const rest = owed ? open.get(owed) : paid ? left.get(paid) : undefined;
    return {
      status: statusOf(entry, rest),
      open: rest ?? 0,
      pays: owed ? [] : list,
      paid_by: owed ? list : [],
    };
  };
}

/** `rest` is what is open of it, if it takes part. */
function statusOf({ status, became, owed, item }: Entry, rest: number | undefined): State['status'] {
  if (status !== undefined) return status;
  if (rest === undefined) return became ?? null;
  if (rest > 0 && rest < item.amount_cents) return 'partial';
  return owed ? (rest === 0 ? 'paid' : 'open') : rest === 0 ? 'applied' : 'unapplied';
}

/** What was taken out of the deposit: applied or refunded. */
const depositMovesOf = ({ credits, refunds, currency, ledger_from }: LedgerFacts) =>
  [
    ...credits.filter(({ reason }) => reason === 'deposit'),
    ...refunds.map((refund) => ({ ...refund, date: refund.refunded_on })),
  ].filter((move) => move.voided_on === null && move.currency === currency && move.date >= ledger_from);
