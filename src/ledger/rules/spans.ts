import { allocate, type Ordered, turningDays } from './allocation.ts';

/** An amount of a charge that was open, or a credit that was unapplied, over some days. */
export interface Span {
  kind: 'charge' | 'opening' | 'credit';
  /** The charge; the lease for the others. */
  item_id: string;
  due_on: string;
  amount_cents: number;
  from_day: string;
  /** The first day on which it was no longer so; null: for good. */
  to_day: string | null;
}

/** All spans of a lease. Where nothing is open, there is none. */
export function spansOf(leaseId: string, entries: Ordered): Span[] {
  const spans: Span[] = [];
  let running = new Map<string, Span>();
  for (const day of turningDays(entries)) {
    const { open, left } = allocate(entries, day);
    const now = new Map<string, Span>();
    const note = (kind: Span['kind'], item_id: string, due_on: string, amount_cents: number) => {
      if (amount_cents === 0) return;
      const key = kind + item_id;
      const before = running.get(key);
      const same = before?.amount_cents === amount_cents;
      now.set(key, same ? before : { kind, item_id, due_on, amount_cents, from_day: day, to_day: null });
    };
    for (const [owed, amount] of open)
      note(owed.kind === 'opening' ? 'opening' : 'charge', owed.id, owed.due_on, amount);
    const credit = [...left.values()].reduce((sum, amount) => sum + amount, 0);
    note('credit', leaseId, day, credit);
    for (const [key, span] of running) if (now.get(key) !== span) spans.push({ ...span, to_day: day });
    running = now;
  }
  return [...spans, ...running.values()];
}
