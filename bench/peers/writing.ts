import type pg from 'pg';
import { newId } from '../../src/ids.ts';
import { makeWebhooks, type Webhook } from '../delivery/workload.ts';

/** What a peer's application would write beside its job: the record itself. */
export async function createPayments(pool: pg.Pool): Promise<void> {
  await pool.query('create table if not exists payments (id uuid primary key, body text not null)');
}

/** A record and its job in one transaction: a webhook for each commit, and none without. */
export async function writeWithJob(
  pool: pg.Pool,
  addJob: (client: pg.PoolClient, webhook: Webhook) => Promise<unknown>,
): Promise<string> {
  const webhook = oneWebhook();
  const client = await pool.connect();
  try {
    await client.query('begin');
    await insertPayment(client, webhook);
    await addJob(client, webhook);
    await client.query('commit');
  } finally {
    client.release();
  }
  return webhook.id;
}

export const insertPayment = (db: pg.Pool | pg.PoolClient, { body }: Webhook): Promise<unknown> =>
  db.query({ name: 'payment', text: 'insert into payments values ($1, $2)', values: [newId(), body] });

export function oneWebhook(): Webhook {
  const [webhook] = makeWebhooks({ count: 1, endpoints: 1, base: '' });
  if (!webhook) throw new Error('There is no webhook.');
  return webhook;
}
