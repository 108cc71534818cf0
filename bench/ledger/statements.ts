/*
 * Does an account wait while another has long PDFs made? `node bench/ledger/statements.ts [PATH of another checkout]`
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createKey } from '../../src/api-keys/api-keys.ts';
import { formatId } from '../../src/ids.ts';
import { ledgerToday, makeManyLeases } from '../../test/support/many-leases.ts';
import { openPostgres } from '../lib/postgres.ts';
import { percentile, short } from '../lib/stats.ts';
import { root, startTenure } from '../lib/tenure.ts';
import { openBooks, timed } from './books.ts';

const pdfs = 20;
/** A charge and a payment each. */
const months = 250;
const everyMs = 20;

const postgres = await openPostgres('statements');
const { db, client, database, account, lease, close } = await openBooks(postgres, 'statements', {
  leases: 10,
  months,
});
const other = await makeManyLeases(client, { leases: 10, months: 12 });
const keyOf = async (accountId: string) =>
  (await createKey(db, { accountId, name: 'bench', permission: 'read', expiresAt: null })).key;
const [key, otherKey] = [await keyOf(account), await keyOf(other.account)];
await close();
const server = await startTenure('api', { DATABASE_URL: database.url }, process.argv[2] ?? root);

/** How long a small list takes, asked for again and again until something is done. */
async function askUntil(done: Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  let isDone = false;
  void done.then(() => {
    isDone = true;
  });
  while (!isDone) {
    took.push(await timed(`${server.url}/api/v1/properties`, otherKey));
    await sleep(everyMs);
  }
  return took;
}

try {
  const path = `/leases/${formatId('lease', lease)}/statement?format=pdf&from=2000-01-01&to=${ledgerToday}`;
  const pdf = () => timed(`${server.url}/api/v1${path}`, key);
  await askUntil(Promise.all([pdf(), sleep(1_000)]));
  for (const [name, done] of [
    ['nothing else', () => sleep(3_000)],
    [`${pdfs} PDFs of ${2 * months} lines`, () => Promise.all(Array.from({ length: pdfs }, pdf))],
  ] as const) {
    const started = performance.now();
    const took = await askUntil(done());
    const values = [0.5, 0.95, 1].map((part) => `${short(percentile(took, part))} ms`);
    const seconds = short((performance.now() - started) / 1000);
    console.log(
      `${name}: ${seconds} s, ${took.length} lists of another account, p50, p95, most: ${values.join(', ')}`,
    );
  }
} finally {
  await server.stop();
  await postgres.stop();
}
