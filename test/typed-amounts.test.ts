import { expect, test } from 'vitest';
import { moneyText, readMoney, readNumber, readPercent } from '../dashboard/src/ui/forms/amounts.ts';

const understood: [typed: string, currency: string, cents: number][] = [
  ['1250', 'USD', 125_000],
  ['1250.5', 'USD', 125_050],
  ['1250,50', 'USD', 125_050],
  ['1250.', 'USD', 125_000],
  ['.5', 'USD', 50],
  ['0.12', 'USD', 12],
  ['-50', 'USD', -5_000],
  ['1,250.00', 'USD', 125_000],
  ['1.250,00', 'EUR', 125_000],
  ['1.250', 'EUR', 125_000],
  ['1,250', 'USD', 125_000],
  ['1 250', 'USD', 125_000],
  ['1\u00a0250,5', 'EUR', 125_050],
  ["1'250.50", 'CHF', 125_050],
  ['1,234,567.89', 'USD', 123_456_789],
  ['$1,250', 'USD', 125_000],
  ['1250 $', 'USD', 125_000],
  ['usd 1250', 'USD', 125_000],
  ['1.250,00 €', 'EUR', 125_000],
  ['kr 500', 'NOK', 50_000],
  ['¥1,250', 'JPY', 1_250],
  ['1.250', 'KWD', 1_250],
  ['1,250.500', 'KWD', 1_250_500],
  ['38,5', 'CLF', 385_000],
  ['1.250,0375', 'CLF', 12_500_375],
  ['₹1,25,000.50', 'INR', 12_500_050],
];

const slips: [typed: string, currency: string][] = [
  ['1250.00.', 'USD'],
  ['1250.0000', 'USD'],
  ['1250.005', 'USD'],
  ['0.125', 'USD'],
  ['12a50', 'USD'],
  ['1250a', 'USD'],
  ['2 x 625', 'USD'],
  ['1e3', 'USD'],
  ['1.250,-', 'EUR'],
  ['1,250,00', 'USD'],
  ['1,250.00,00', 'USD'],
  ['1,250.000', 'USD'],
  ['12,50.00', 'USD'],
  ['12 50', 'USD'],
  ['1,250 000', 'USD'],
  ['1,25,00', 'INR'],
  ['1250,000', 'USD'],
  ['12.5', 'JPY'],
  ['1250.0001', 'KWD'],
  ['38.50001', 'CLF'],
  ['€1250', 'USD'],
  ['1250 EUR', 'USD'],
  ['--5', 'USD'],
  ['.', 'USD'],
  ['$', 'USD'],
  ['twelve', 'USD'],
  ['99999999999999999', 'USD'],
];

test.each(understood)('%s typed in a field of %s is %d minor units', (typed, currency, cents) => {
  expect(readMoney(typed, currency)).toBe(cents);
});

test.each(slips)('%s typed in a field of %s is not taken for another amount', (typed, currency) => {
  expect(readMoney(typed, currency)).toBe(typed);
});

test('a field left empty has no amount, and what a field shows is read as the same', () => {
  expect(readMoney('  ', 'USD')).toBeUndefined();
  expect(readNumber('  ')).toBeNull();
  for (const currency of ['USD', 'JPY', 'KWD', 'CLF']) {
    for (const cents of [1, 10, 99, 1000, 125_000, 125_050, 123_456_789]) {
      expect(readMoney(moneyText(cents, currency), currency)).toBe(cents);
    }
  }
});

test.each<[typed: string, number: number]>([
  ['2', 2],
  ['1,5', 1.5],
  ['1.5', 1.5],
  ['.5', 0.5],
  ['-1', -1],
  ['1,000', 1_000],
  ['12,500', 12_500],
  ['1.000', 1_000],
  ['1 000', 1_000],
  ['1,234,567', 1_234_567],
  ['1,250.5', 1_250.5],
])('%s typed in a field of numbers is %d', (typed, number) => {
  expect(readNumber(typed)).toBe(number);
});

test.each(['1,0000', '1000,000', '0.125', '1,50,0', '1e3', '0x10', '2 x 3', '-', '.', 'two'])(
  '%s typed in a field of numbers is not taken for another number',
  (typed) => {
    expect(readNumber(typed)).toBe(typed);
  },
);

test('a percentage has no groups of thousands, and at most two decimals', () => {
  for (const [typed, percent] of [
    ['5', 5],
    ['2,5', 2.5],
    ['5.55', 5.55],
    ['.5', 0.5],
    ['  ', null],
  ] as const)
    expect(readPercent(typed)).toBe(percent);
  for (const typed of ['5.555', '1,000', '-1', '5%', 'five']) expect(readPercent(typed)).toBe(typed);
});
