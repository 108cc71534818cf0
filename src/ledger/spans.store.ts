import type { Db } from '../db/connect.ts';
import { insertGiven } from '../db/records/rows.ts';
import { rowsAsTable } from '../db/records/rows-as-table.ts';
import { sql } from '../db/sql.ts';
import type { Span } from './rules/spans.ts';

const types = {
  lease_id: 'uuid',
  kind: 'text',
  item_id: 'uuid',
  due_on: 'date',
  amount_cents: 'bigint',
  from_day: 'date',
  to_day: 'date',
};

export interface ChangedSpans {
  leaseId: string;
  before: readonly Span[];
  after: readonly Span[];
}

/** Writes the differences. */
export async function replaceSpans(tx: Db, accountId: string, leases: ChangedSpans[]): Promise<void> {
  const gone: object[] = [];
  const written: object[] = [];
  for (const { leaseId, before, after } of leases) {
    const known = new Map(before.map((span) => [keyOf(span), span]));
    for (const span of after) {
      const old = known.get(keyOf(span));
      known.delete(keyOf(span));
      const same =
        old?.amount_cents === span.amount_cents && old.to_day === span.to_day && old.due_on === span.due_on;
      if (!same) written.push({ ...span, lease_id: leaseId });
    }
    for (const span of known.values()) gone.push({ ...span, lease_id: leaseId });
  }
  if (gone.length > 0)
    await tx.query(sql`
      delete from open_spans s using ${rowsAsTable(gone, types)}
      where s.account_id = ${accountId} and s.lease_id = n.lease_id and s.kind = n.kind and s.item_id = n.item_id
        and s.from_day = n.from_day`);
  if (written.length === 0) return;
  const insert = tx.isDistributed()
    ? insertGiven('open_spans', types, written, { account_id: accountId })
    : sql`
      insert into open_spans (account_id, lease_id, kind, item_id, due_on, amount_cents, from_day, to_day)
      select ${accountId}, n.lease_id, n.kind, n.item_id, n.due_on, n.amount_cents, n.from_day, n.to_day
      from ${rowsAsTable(written, types)}`;
  await tx.query(sql`${insert}
      on conflict (account_id, lease_id, kind, item_id, from_day)
      do update set due_on = excluded.due_on, amount_cents = excluded.amount_cents, to_day = excluded.to_day`);
}

const keyOf = ({ kind, item_id, from_day }: Span): string => `${kind} ${item_id} ${from_day}`;
