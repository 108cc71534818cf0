import { uuidArray } from '../../db/arrays.ts';
import type { Database } from '../../db/connect.ts';
import { sized } from '../../db/plan-by-table-size.ts';
import { sql } from '../../db/sql.ts';
import type { Claim } from './job.ts';

/** A dead worker's deliveries are free again after this long. */
export const leaseMs = 10_000;

/** A lease older than this is renewed: there is time for two more tries before it runs out. */
export const renewAfterMs = 3_000;

/**
 * Extends the leases of deliveries that are still held, in one statement; returns the ids of those that
 * were. The others are lost, or being settled at this moment: passing over locked rows keeps a renewal
 * from waiting for a settle that in turn waits for it.
 */
export async function renewLeases(db: Database, claims: Claim[]): Promise<Set<string>> {
  const rows = await sized<{ id: string }>(
    db,
    sql`
    with held as (
      select q.id from delivery_queue q
      join unnest(${uuidArray(claims.map(({ row }) => row.id))}::uuid[], ${uuidArray(claims.map(({ claimId }) => claimId))}::uuid[]) as mine(id, claim_id)
        on mine.id = q.id and mine.claim_id = q.claim_id
      for update of q skip locked)
    update delivery_queue set lease_until = now() + ${leaseMs} * interval '1 millisecond'
    where id = any(array(select id from held))
    returning id`,
  );
  return new Set(rows.map(({ id }) => id));
}
