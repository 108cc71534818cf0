import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, retryDeadlock, retryUnavailable } from '../../db/connect.ts';
import { literal, sql } from '../../db/sql.ts';
import { JustTaken } from '../../db/violations.ts';
import { AppError, errorBody, invalidField } from '../../errors.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';

export interface Answer {
  status: number;
  body: string;
  replayed: boolean;
}

interface Recorded extends Answer {
  /** When the request arrived. */
  at: Date;
}

type Work = (tx: Db) => Promise<{ status: number; body: string }>;

export interface KeyedRequest {
  accountId: string;
  key: string;
  /** A hash of the method, path, preferences and body as they arrived. */
  fingerprint: Buffer;
  now: Date;
  /** Part of a recorded refusal and of its replays, which repeat the first answer byte for byte. */
  requestId: string;
  /** Encrypts stored answers, because that of POST /webhooks contains a signing secret. */
  secrets: SecretBox;
}

export function idempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw invalidField('Idempotency-Key', 'Must be 1 to 255 visible ASCII characters.');
}

interface Repeatable {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
}

/**
 * Covers everything that decides what a request does. A key stored before preferences were covered still matches its
 * repeat.
 */
export function fingerprint(
  { method, url, headers: { prefer } }: Repeatable,
  body: Buffer | undefined,
): Buffer {
  return createHash('sha256')
    .update(`${method} ${url.replace(/\?$/, '')}\n`)
    .update(prefer === undefined ? '' : `Prefer: ${prefer}\n`)
    .update(body ?? '')
    .digest();
}

/**
 * Does the work once per key. The answer is recorded in the transaction of the work itself, so a crash leaves both or
 * neither. The lock belongs to the same transaction: a second request with the same key is told to wait instead of
 * doing the work again.
 */
function once(db: Db, request: KeyedRequest, work: Work): Promise<Recorded> {
  return db.transaction(async (tx) => {
    await lock(tx, request);
    const recorded = await recall(tx, request);
    if (recorded) return recorded;
    const answer = await answerOrRefuse(tx, request, work);
    await record(tx, request, answer);
    return { ...answer, replayed: false, at: request.now };
  });
}

/** Like once(), but tries again after a deadlock or a lost connection. Nothing is done twice. */
export function retryOnce(...[db, request, work]: Parameters<typeof once>): Promise<Recorded> {
  let tries = 0;
  // A lost connection holds the lock until its server process ends, a moment after we notice.
  const take = () => waitForLock(tries++ === 0 ? 0 : mostWaitsForOwn, () => once(db, request, work));
  return retryDeadlock(() => retryUnavailable(take));
}

const waitMs = 100;
const mostWaits = 300;
const mostWaitsForOwn = 10;

async function waitForLock(most: number, work: () => Promise<Recorded>): Promise<Recorded> {
  for (let waits = 0; ; waits++) {
    try {
      return await work();
    } catch (error) {
      const isLocked = error instanceof AppError && error.type === 'idempotency_in_progress';
      if (!isLocked || waits === most) throw error;
    }
    await sleep(waitMs);
  }
}

/**
 * One request's work in several transactions, each done once. If the request is interrupted, a repeat gets the results
 * of the finished steps and does the others. The first step is recorded under the key itself, and the others under keys
 * that nobody can send, because they contain a space. All are recorded with the time of the first, so they expire
 * together, even if a repeat did some of them.
 */
export class Steps {
  readonly #db: Db;
  readonly #request: KeyedRequest;
  #taken = 0;
  #at: Date | null = null;
  /** Whether an earlier request did all of them. */
  replayed = true;

  constructor(db: Db, request: KeyedRequest) {
    this.#db = db;
    this.#request = request;
  }

  async take(work: Work): Promise<Answer> {
    const { key, now } = this.#request;
    const step = this.#taken++;
    const request =
      step === 0 ? this.#request : { ...this.#request, key: `${key} ${step}`, now: this.#at ?? now };
    // A repeat that came too early may already be doing this step. This waits for its result.
    const answer = await waitForLock(step === 0 ? 0 : mostWaits, () => retryOnce(this.#db, request, work));
    this.#at ??= answer.at;
    this.replayed &&= answer.replayed;
    return answer;
  }
}

/** Does the work. A refusal is an answer like any other, but whatever was half done is undone. */
async function answerOrRefuse(
  tx: Db,
  { requestId }: KeyedRequest,
  work: Work,
): Promise<{ status: number; body: string }> {
  await tx.query(sql`savepoint work`);
  try {
    return await work(tx);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || error.status === 429) throw error;
    if (error instanceof JustTaken) throw error;
    await tx.query(sql`rollback to savepoint work`);
    return { status: error.status, body: errorBody(error, requestId) };
  }
}

async function lock(tx: Db, { accountId, key }: KeyedRequest): Promise<void> {
  const digest = createHash('sha256').update(`${accountId} ${key}`).digest();
  const [row] = await tx.query<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(${digest.readBigInt64BE(0).toString()}::bigint) as locked`,
  );
  if (!row?.locked) {
    throw new AppError(
      'idempotency_in_progress',
      'A request with this Idempotency-Key is still being worked on; repeat it when that one has ended.',
      { 'retry-after': '1' },
    );
  }
}

/** What was answered to the same request before, if anything. */
export async function recall(
  tx: Db,
  { accountId, key, fingerprint, now, secrets }: KeyedRequest,
): Promise<Recorded | null> {
  const [row] = await tx.query<{ request_hash: Buffer; status: number; body: Buffer; created_at: Date }>(sql`
    select request_hash, status, body, created_at from idempotency_keys
    where account_id = ${accountId} and key = ${key} and created_at > ${now}::timestamptz - interval '24 hours'`);
  if (!row) return null;
  if (!row.request_hash.equals(fingerprint)) {
    throw new AppError(
      'idempotency_key_reused',
      'This Idempotency-Key was already used for another request; use a new key for a new request.',
    );
  }
  return { status: row.status, body: secrets.decrypt(row.body), replayed: true, at: row.created_at };
}

export async function record(
  tx: Db,
  request: KeyedRequest,
  { status, body }: { status: number; body: string },
): Promise<void> {
  await tx.query(sql`
    insert into idempotency_keys (account_id, key, request_hash, status, body, created_at)
    values (${request.accountId}, ${request.key}, ${request.fingerprint}, ${status}, ${request.secrets.encrypt(body)}, ${request.now})
    on conflict (account_id, key) do update set
      request_hash = excluded.request_hash, status = excluded.status, body = excluded.body, created_at = excluded.created_at`);
}

/** Deletes records older than a day, a small batch at a time. Returns how many it deleted. */
export async function forgetOldKeys(db: Db, accountId: string, now: Date, batch: number): Promise<number> {
  const rows = await db.query(sql`
    delete from idempotency_keys where account_id = ${accountId} and key in (
      select key from idempotency_keys
      where account_id = ${accountId} and created_at < ${now}::timestamptz - interval '24 hours' limit ${literal(batch)})
    -- Once more: a key that was used again while this waited for it is new.
    and created_at < ${now}::timestamptz - interval '24 hours'
    returning key`);
  return rows.length;
}
