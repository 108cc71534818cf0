import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leasesThatDisagree } from '../src/cli/doctor/ledger.ts';
import { isLong, seed } from './abuse/fuzz/settings.ts';
import { Books } from './support/ledger-books.ts';
import {
  compareBalances,
  compareCharges,
  compareLedger,
  comparePayments,
  comparePreview,
  daysOfInterest,
} from './support/ledger-compare.ts';
import { type History, history } from './support/ledger-steps.ts';
import { type Service, testService } from './support/service.ts';

/*
 * Things happen to an account, in any time zone, as its days go by. Leases are made, changed, renewed and ended. Rent
 * comes in early, late or in part, and bounces. Charges, credits and fees are made and voided. Whatever happens, the
 * API and the model of the tests (support/ledger-model.ts) must agree on what is owed and on who paid what.
 */

/**
 * How many cases run at the same time, each on a service of its own, because a case sets its service's clock. A case
 * that runs alone spends most of its time waiting.
 */
const lanes = 4;
const services: Service[] = [];
beforeAll(async () => {
  for (let lane = 0; lane < lanes; lane++) services.push(await testService());
});
afterAll(() => Promise.all(services.map((service) => service.close())));

/** A run at full length takes hours. Otherwise this only ends a case that hangs. */
const timeout = 4 * 60 * 60_000;

async function agree(service: Service, given: History, answers: Map<string, number>): Promise<void> {
  const books = new Books(service, await service.client(), given, answers);
  await books.open();
  await books.setAccountPolicy(given.account);
  for (const lease of given.leases) await books.makeLease(lease);
  if (given.hasPaidDeposits) await books.payDeposits();
  for (const step of given.steps) await books.take(step);

  await comparePayments(books);
  const ledgers = await compareCharges(books);
  // Tomorrow, or a day by which even rent that is posted ahead is late.
  await comparePreview(books, ledgers, given.looks[0] ? 1 + (given.looks[0] % 30) : 1);
  await compareBalances(books, ledgers, books.today);
  const days = daysOfInterest(books, ledgers);
  for (const [at, look] of given.looks.entries()) {
    const [from = '', to = ''] = [look, look * 7].map((index) => days[index % days.length] ?? '').sort();
    await compareBalances(books, ledgers, to);
    const ledger = ledgers[at % ledgers.length];
    if (ledger) await compareLedger(books, ledger, from, to);
  }
  expect(await leasesThatDisagree(service.database.db, books.client.accountId)).toEqual([]);
}

test(`API and model agree on what is owed, on any day (FUZZ_SEED=${seed})`, { timeout }, async () => {
  const answers = new Map<string, number>();
  const numRuns = isLong ? 20_000 : 500;
  const outcomes = await Promise.allSettled(
    services.map((service, lane) => {
      const property = fc.asyncProperty(history, (given) => agree(service, given, answers));
      return fc.assert(property, { numRuns: Math.ceil(numRuns / lanes), seed: seed + lane });
    }),
  );
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  // Each of these is refused now and then. In that many cases, each must have worked.
  const worked = [...answers.keys()].filter((answer) => /20[01]$/.test(answer)).sort();
  expect(worked).toEqual(
    [
      'PATCH /account 200',
      'PATCH /leases/:id 200',
      'PATCH /payments/:id 200',
      'PATCH /properties/:id 200',
      'PATCH /recurring-charges/:id 200',
      'POST /charges 201',
      'POST /charges/:id/void 200',
      'POST /credits 201',
      'POST /credits/:id/void 200',
      'POST /leases 201',
      'POST /leases/:id/deposit-refunds 201',
      'POST /leases/:id/renew 200',
      'POST /payments 201',
      'POST /recurring-charges 201',
    ].sort(),
  );
});
