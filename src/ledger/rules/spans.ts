import { daysOfChange, type Entries } from './allocation.ts';
import { dayByDay } from './day-by-day.ts';

/** An amount of a charge that was open, or a credit that was unapplied, over some days. */
export interface Span {
  kind: 'charge' | 'opening' | 'credit';
  /** The charge, or the lease if it is not about a charge. */
  item_id: string;
  due_on: string;
  amount_cents: number;
  from_day: string;
  /** The first day after the span; null if it has not ended. */
  to_day: string | null;
}

/** All spans of a lease. There is none while nothing is open. */
export function spansOf(leaseId: string, entries: Entries): Span[] {
  const spans: Span[] = [];
  const running = new Map<string, Span>();
  const lease = dayByDay(entries);
  for (const day of daysOfChange(entries)) {
    const note = (kind: Span['kind'], item_id: string, due_on: string, amount_cents: number) => {
      const key = kind + item_id;
      const before = running.get(key);
      if (amount_cents === (before?.amount_cents ?? 0)) return;
      if (before) spans.push({ ...before, to_day: day });
      if (amount_cents === 0) running.delete(key);
      else running.set(key, { kind, item_id, due_on, amount_cents, from_day: day, to_day: null });
    };
    for (const owed of lease.goTo(day))
      note(owed.kind === 'opening' ? 'opening' : 'charge', owed.id, owed.due_on, lease.openOf(owed));
    note('credit', leaseId, day, lease.credit());
  }
  return [...spans, ...running.values()];
}

/** How much is open on a day, of each charge that is. */
export const openChargesOn = (spans: readonly Span[], day: string): Map<string, number> =>
  new Map(
    spans
      .filter(
        ({ kind, from_day, to_day }) =>
          kind === 'charge' && from_day <= day && (to_day === null || to_day > day),
      )
      .map(({ item_id, amount_cents }) => [item_id, amount_cents]),
  );
