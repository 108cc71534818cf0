import { expect, test } from 'vitest';
import { inPlainWords } from '../dashboard/src/api/plain-words.ts';
import { movesFrom } from '../dashboard/src/features/maintenance/moves.ts';
import { currencies, decimalsOf as decimalsInFields } from '../dashboard/src/ui/forms/amounts.ts';
import { paymentMoves } from '../dashboard/src/ui/words.ts';
import { calendarDate, cents, idOf } from '../src/fields.ts';
import { maintenanceStatuses } from '../src/maintenance/maintenance.schema.ts';
import { transitions as repairs } from '../src/maintenance/maintenance.ts';
import { decimalsOf, isCurrency } from '../src/money.ts';
import { transitions as payments } from '../src/payments/payments.ts';
import { WebhookCreate } from '../src/webhooks/webhooks.schema.ts';

/*
 * The dashboard takes types alone from the server; what it has of its rules it has as a copy, and each is held to
 * its original here.
 */

/** Whither from each status, in no order; staying is no move. */
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
});
