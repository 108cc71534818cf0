import type { Database } from '../../db/connect.ts';
import { sized } from '../../db/plan-by-table-size.ts';
import type { Settlement } from '../sending/settlement.ts';
import { settleAny } from './settle-any.ts';
import { areSuccesses, settleSuccesses } from './settle-successes.ts';

export interface Settled {
  /** How many claims were still ours. */
  count: number;
  /** The others, whose deliveries were left alone. */
  lost: string[];
  /** Endpoints among them that are disabled, perhaps just now. */
  disabled: { accountId: string; endpointId: string }[];
}

/**
 * Writes down what became of a batch of claims, in one statement: all of it or nothing. The claim's id
 * fences it: where the lease was lost and somebody else has claimed the delivery since, the delivery is left
 * alone. For the same reason it does no harm to say it twice, so it may be repeated when the database went away
 * in the middle.
 *
 * Locks the endpoints' rows first, in one order for all workers, and then the queue's: as whoever deletes or
 * disables an endpoint does, so that the two never wait for each other. Waits are measured by the
 * database's clock, as promoteDue() does.
 */
export async function settle(db: Database, settlements: Settlement[], now: Date): Promise<Settled> {
  const statement = areSuccesses(settlements)
    ? settleSuccesses(settlements, now)
    : settleAny(settlements, now);
  const [row] = await sized<{ count: number; ids: string[] | null; disabled: Settled['disabled'] }>(
    db,
    statement,
  );
  if (!row) throw new Error('A settle statement returned no row.');
  const kept = new Set(row.ids);
  const lost = row.ids === null ? [] : settlements.map(({ id }) => id).filter((id) => !kept.has(id));
  return { count: row.count, lost, disabled: row.disabled };
}
