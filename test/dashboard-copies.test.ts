import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { allInPlainWords, inPlainWords } from '../dashboard/src/api/plain-words.ts';
import {
  afterExample,
  completePolicy,
  exampleDays,
  exampleFees,
  exampleRent,
} from '../dashboard/src/features/ledger/late-fee-example.ts';
import { movesFrom } from '../dashboard/src/features/maintenance/moves.ts';
import { currencies, decimalsOf as decimalsInFields } from '../dashboard/src/ui/forms/amounts.ts';
import { paymentMoves } from '../dashboard/src/ui/words.ts';
import { calendarDate, cents, idOf } from '../src/fields.ts';
import type { Route } from '../src/http/routes/route.ts';
import { routes, sessionRoutes } from '../src/http/routes/routes.ts';
import { type Fee, LateFeePolicy } from '../src/ledger/rules/late-fee-policy.ts';
import { lateFees } from '../src/ledger/rules/late-fees.ts';
import { maintenanceStatuses } from '../src/maintenance/maintenance.schema.ts';
import { transitions as repairs } from '../src/maintenance/maintenance.ts';
import { decimalsOf, isCurrency } from '../src/money.ts';
import { transitions as payments } from '../src/payments/payments.ts';
import { WebhookCreate } from '../src/webhooks/webhooks.schema.ts';

/*
 * The dashboard imports nothing but types from the server. It has copies of some of the server's rules, and here each
 * copy is compared with its original.
 */

/** The statuses that can follow each status, in any order. Keeping a status is not a move. */
const moves = (table: Record<string, readonly string[]>) =>
  Object.fromEntries(
    Object.entries(table).map(([from, to]) => [from, to.filter((status) => status !== from).sort()]),
  );

test('the dashboard offers the moves of payments and repairs that the server allows, and no others', () => {
  expect(moves(paymentMoves)).toEqual(moves(payments));
  const offered = Object.fromEntries(maintenanceStatuses.map((status) => [status, movesFrom(status)]));
  expect(moves(offered)).toEqual(moves(repairs));
});

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));

test('the dashboard offers the currencies that the server takes, and no others', () => {
  expect(currencies).toEqual(codes.filter(isCurrency));
});

test('a field counts the decimals of every currency as the server does', () => {
  expect(codes.filter((code) => decimalsInFields(code) !== decimalsOf(code))).toEqual([]);
});

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

test('the dashboard tells people in plain words what the server says to programs', () => {
  const url = WebhookCreate.shape.url;
  const refused = [cents, idOf('unit'), calendarDate, url].map(
    (field) => field.safeParse('').error?.issues[0]?.message,
  );
  expect(refused.map((message) => inPlainWords(message ?? ''))).toEqual([
    'Must be an amount, such as 1250 or 1,250.50.',
    'Choose one from the list.',
    'Must be a date.',
    'Must be a web address, such as https://hooks.example.com/tenure.',
  ]);
  expect(inPlainWords('Must not be before `start_date`.')).toBe('Must not be before start date.');
  expect(inPlainWords(refused[0] ?? '', 'JPY')).toBe(
    'Must be an amount, such as 1250 or 1,250, without decimals.',
  );
  expect(inPlainWords(refused[0] ?? '', 'KWD')).toBe('Must be an amount, such as 1250 or 1,250.500.');
  expect(inPlainWords('Must be after the first day of the lease, `start_date`.')).toBe(
    'Must be after the first day of the lease.',
  );
  expect(inPlainWords('Must not be before 2026-12-01, from which the lease is renewed.')).toBe(
    `Must not be before ${day.format(Date.parse('2026-12-01'))}, from which the lease is renewed.`,
  );
  expect(allInPlainWords(['[0]: Must be a whole number.', '[2]: Must be a whole number.'])).toBe(
    'Each must be a whole number.',
  );
});

/** What only programmers would understand: names of fields, code, formats of dates, standards. */
const ofPrograms = /[a-z]_[a-z]|[`{}]|YYYY|ISO|IANA|minor units|hexadecimal|null/;

const hasForm = ({ path }: Route) =>
  /^\/(properties|units|tenants|leases|payments|charges|credits|recurring-charges|maintenance|webhooks|account|api-keys|team)\b/.test(
    path,
  );

test('no form shows people field names or formats, whatever is typed into it', () => {
  const typed = ['', 'x', '12', -1, 1.5, 1e17, ['x']];
  const told = [...routes, ...sessionRoutes]
    .filter(hasForm)
    .flatMap(({ method, path, body }) =>
      Object.entries(body?.shape ?? {}).flatMap(([name, schema]) =>
        typed.flatMap((value) =>
          ((schema as z.ZodType).safeParse(value).error?.issues ?? []).map(
            ({ message }) => `${method} ${path}, ${name}: ${inPlainWords(message)}`,
          ),
        ),
      ),
    );
  const wrong = told.filter((text) => ofPrograms.test(text.split(': ').slice(1).join(': ')));
  expect([...new Set(wrong)]).toEqual([]);
  expect(inPlainWords('first.fixed_cents: Must not be before `ledger_from`.')).toBe(
    'Amount: Must not be before ledger begins on.',
  );
});

test('the example beside a late-fee policy has the fees that the server would charge', () => {
  const cents = fc.integer({ min: 1, max: 300_000 });
  const percent = fc.integer({ min: 1, max: 10_000 }).map((hundredths) => hundredths / 100);
  const fee: fc.Arbitrary<Fee> = fc.oneof(
    cents.map((fixed_cents) => ({ fixed_cents })),
    percent.map((percent_of_rent) => ({ percent_of_rent })),
    percent.map((percent_of_open) => ({ percent_of_open })),
  );
  const policy = fc.record({
    grace_days: fc.nat(60),
    first: fee,
    daily: fc.option(fee),
    cap_cents: fc.option(cents),
    min_open_cents: fc.oneof(fc.constant(0), cents),
  });
  fc.assert(
    fc.property(policy, cents, (each, amount_cents) => {
      const rent = {
        id: 'rent',
        kind: 'rent' as const,
        due_on: '2026-12-01',
        amount_cents,
        period: '2026-12',
      };
      const charged = lateFees({
        entries: { owed: [rent], paid: [] },
        policyFor: () => each,
        through: '2026-12-31',
        isWaived: () => false,
        idOf: ({ due_on }) => due_on,
      });
      expect(exampleFees(each, amount_cents, rent.due_on, 30)).toEqual(
        charged.map((one) => ({ on: one.due_on, cents: one.amount_cents })),
      );
    }),
  );
});

test('the example beside a late-fee policy says how it goes on after its last day', () => {
  const policy = {
    grace_days: 5,
    first: { fixed_cents: 5_000 },
    daily: { percent_of_rent: 1 },
    cap_cents: null,
    min_open_cents: 0,
  };
  const after = (changed: object, days = 30) => {
    const each = { ...policy, ...changed };
    return afterExample(each, 100_000, exampleFees(each, 100_000, '2026-12-01', days));
  };
  expect(after({})).toEqual({ cappedOn: null, dailyCents: 1_000 });
  expect(after({ cap_cents: 90_000 })).toEqual({ cappedOn: null, dailyCents: 1_000 });
  expect(after({ daily: null })).toEqual({ cappedOn: null, dailyCents: 0 });
  expect(after({ cap_cents: 7_500 })).toEqual({ cappedOn: '2026-12-10', dailyCents: 0 });
  expect(after({ daily: null, cap_cents: 5_000 })).toEqual({ cappedOn: '2026-12-07', dailyCents: 0 });
});

test('there is an example of a late-fee policy if the server takes the policy, and no other', () => {
  const amount = fc.constantFrom(-1, 0, 1, 1.5, 5_000, 1e12, 1e12 + 1, 'x', null);
  const percent = fc.constantFrom(-1, 0, 0.01, 5.55, 5.555, 100, 100.01, 'x', null);
  const fee = fc.oneof(
    amount.map((fixed_cents) => ({ fixed_cents })),
    percent.map((percent_of_rent) => ({ percent_of_rent })),
    percent.map((percent_of_open) => ({ percent_of_open })),
  );
  const policy = fc.record({
    grace_days: fc.constantFrom(-1, 0, 1.5, 60, 61, 'x', null),
    first: fee,
    daily: fc.option(fee),
    cap_cents: amount,
    min_open_cents: fc.constantFrom(-1, 0, 5_000, 1.5, 1e12, 1e12 + 1, 'x'),
  });
  fc.assert(
    fc.property(policy, (typed) => {
      expect(completePolicy(typed) !== null).toBe(LateFeePolicy.safeParse(typed).success);
    }),
    { numRuns: 2_000 },
  );
});

test('the example beside a late-fee policy shows its first fee, however long the grace and high the minimum', () => {
  for (const currency of currencies) {
    for (const grace_days of [0, 30, 60]) {
      const least = 7_000_000;
      const policy = {
        grace_days,
        first: { percent_of_rent: 5 },
        daily: null,
        cap_cents: null,
        min_open_cents: least,
      };
      const rent = exampleRent(currency, least);
      expect(rent).toBeGreaterThanOrEqual(least);
      expect(exampleFees(policy, rent, '2026-12-01', exampleDays(grace_days))).toHaveLength(1);
    }
  }
  expect(exampleRent('USD', 0)).toBe(100_000);
  expect(exampleRent('JPY', 0)).toBe(100_000);
});
