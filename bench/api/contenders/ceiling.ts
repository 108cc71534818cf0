import pg from 'pg';
import type { Caller } from '../../../src/caller.ts';
import type { Db } from '../../../src/db/connect.ts';
import { type Sql, type Statement, toStatement } from '../../../src/db/sql.ts';
import { newId } from '../../../src/ids.ts';
import type { PaymentFilter, PaymentInput } from '../../../src/payments/payments.schema.ts';
import { listPayments } from '../../../src/payments/payments.store.ts';
import { recordPayment } from '../../../src/payments/payments.ts';
import { contender, listenRaw } from './contender.ts';

/*
 * What is possible at all: node:http and pg with the very statements that Tenure sends, prepared and planned once, and the JSON that
 * Postgres made passed through. The key is checked, nothing else: no validation, no request id, no log, no headers, no
 * waking of workers, no writing of several payments at once. The statements are taken from Tenure once, at the first request; after that only their values change.
 */

contender(async ({ connection, poolSize }, findKey) => {
  const pool = new pg.Pool({
    ...connection,
    max: poolSize,
    onConnect: async (client) => void (await client.query('set plan_cache_mode = force_generic_plan')),
  });
  let list: Statement | undefined;
  let create: Template | undefined;
  return listenRaw(findKey, {
    async list({ account_id }) {
      list ??= await statementOf((db) =>
        listPayments(db, account_id, { limit } as PaymentFilter, { limit, before: null, since: null }),
      );
      const { rows } = await pool.query<{ data: string; found: number }>(list);
      const [row] = rows;
      return { status: 200, body: `{"data":${row?.data},"count":${Math.min(limit, row?.found ?? 0)}}` };
    },
    async create({ account_id, currency }, body) {
      create ??= await templateOf({
        accountId: account_id,
        currency,
        permission: 'write',
        source: 'api',
        actor: '',
      });
      const { rows } = await pool.query<{ json: string }>(create(JSON.parse(body)));
      return { status: 201, body: `{"data":${rows[0]?.json}}` };
    },
  });
});

const limit = 100;

/** What a verb of Tenure's would send to the database. */
async function statementOf(verb: (db: Db) => Promise<unknown>): Promise<Statement> {
  let sent: Sql | undefined;
  const query = async <Row>(asked: Sql) => {
    sent = asked;
    return [{ json: '{}', data: '[]', found: 0, last: null }] as Row[];
  };
  const db: Db = { query, change: query, transaction: (work) => work(db) };
  await verb(db);
  if (!sent) throw new Error('No statement was sent.');
  return toStatement(sent);
}

type Template = (body: Record<string, unknown>) => Statement;
type Slot = (body: Record<string, unknown>) => unknown;

/** A payment whose values can be told apart from one another and from everything else. */
const marked = {
  tenant_id: '11111111-1111-7111-8111-111111111111',
  amount_cents: 123_454_321,
  paid_on: '1999-12-31',
  method: 'cash',
  status: 'paid',
  period: '1999-11',
  reference: 'the reference',
  memo: 'the memo',
} as const;

/** The statement that records a payment, and where in its values each part of a payment goes. */
async function templateOf(caller: Caller): Promise<Template> {
  const { name, text, values } = await statementOf((db) =>
    recordPayment(db, caller, marked as unknown as PaymentInput, new Date()),
  );
  const slots = values.map((value) => slotOf(value, caller));
  return (body) => ({ name, text, values: slots.map((slot) => slot(body)) });
}

const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

function slotOf(value: unknown, caller: Caller): Slot {
  if (value === marked.tenant_id) return (body) => String(body.tenant_id).slice('ten_'.length);
  const field = Object.keys(marked).find((name) => marked[name as keyof typeof marked] === value);
  // The status is the default, which nobody names.
  if (field !== undefined && field !== 'status') return (body) => body[field] ?? null;
  if (typeof value !== 'string' || value === caller.accountId) return () => value;
  if (uuid.test(value)) return newId;
  if (/^\d{4}-.*Z$/.test(value)) return () => new Date().toISOString();
  return () => value;
}
