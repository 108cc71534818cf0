import { decimalsOf } from '../../money.ts';
import { dayInWords } from './descriptions.ts';
import type { Item, LedgerLine, StatementView } from './ledger.schema.ts';

/* The texts of a printed statement, for the page and the PDF. */

export const columns = ['Date', 'Description', 'Charges', 'Payments and credits', 'Balance'] as const;
export type Row = Record<(typeof columns)[number], string>;

export interface Words {
  account: string;
  title: string;
  /** The names and values at the top. */
  about: [string, string[]][];
  rows: Row[];
  /** What has to be paid, or that nothing is. */
  result: string;
  /** Lists after the entries, with a sum or a date on each line. */
  sections: { title: string; lines: [string, string][] }[];
}

export function wordsOf(statement: StatementView): Words {
  const { currency, tenants, property, unit, from, to } = statement;
  const plain = amountsIn(currency);
  const money = (decimal: string) => `${plain(decimal)} ${currency}`;
  const balanceRow = (date: string, text: string, decimal: string): Row => ({
    Date: shortDay(date),
    Description: text,
    Charges: '',
    'Payments and credits': '',
    Balance: plain(decimal),
  });
  const rowOf = (entry: LedgerLine): Row => ({
    Date: shortDay(entry.date),
    Description:
      entry.type === 'deposit_refund' ? `${entry.description} (${money(entry.amount)})` : entry.description,
    Charges: entry.increase_cents === 0 ? '' : plain(entry.increase),
    'Payments and credits': entry.decrease_cents === 0 ? '' : plain(entry.decrease),
    Balance: plain(entry.balance),
  });
  return {
    account: statement.account.name,
    title: 'Statement of account',
    about: [
      [tenants.length === 1 ? 'Tenant' : 'Tenants', tenants.map(({ name }) => name)],
      ['Home', [`${property.name}, ${unit.name}`, ...property.address]],
      ['Period', [`${dayInWords(from)} to ${dayInWords(to)}`]],
      ['Issued on', [dayInWords(statement.issued_on)]],
      ['Amounts in', [currency]],
    ],
    rows: [
      balanceRow(from, 'Balance before', statement.opening_balance),
      ...statement.entries.map(rowOf),
      balanceRow(to, 'Balance', statement.closing_balance),
    ],
    result: resultOf(statement, money),
    sections: [
      {
        title: 'To pay',
        lines: statement.due.map(({ description, date, open }): [string, string] => [
          `${description}, due on ${dayInWords(date)}`,
          money(open),
        ]),
      },
      {
        title: 'Payments on their way, not counted yet',
        // A number right after a name in Hebrew or Arabic would be set before it.
        lines: statement.pending.map(({ description, date, amount }): [string, string] => [
          `${description}, made on ${dayInWords(date)}`,
          money(amount),
        ]),
      },
      {
        title: 'Coming up',
        lines: statement.upcoming
          .filter(isDebt)
          .map(({ description, date, amount }): [string, string] => [
            `${description}, due on ${dayInWords(date)}`,
            money(amount),
          ]),
      },
      {
        title: 'Payments and credits dated later, not counted yet',
        lines: statement.upcoming
          .filter((item) => !isDebt(item))
          .map(({ description, date, amount }): [string, string] => [
            `${description}, counts from ${dayInWords(date)}`,
            money(amount),
          ]),
      },
      {
        title: 'Deposit',
        lines:
          statement.deposit_held_cents === 0
            ? []
            : [['Held for you', money(statement.deposit_held)] as [string, string]],
      },
    ].filter(({ lines }) => lines.length > 0),
  };
}

/** Something to pay, when its day comes. */
const isDebt = ({ type }: Item): boolean => type === 'charge' || type === 'opening_balance';

/** For a day in the future, only what is recorded is known: rent is posted shortly before it is due. */
function resultOf(statement: StatementView, money: (decimal: string) => string): string {
  const day = dayInWords(statement.to);
  const toCome = statement.to > statement.issued_on;
  const on = toCome ? `As recorded so far, on ${day}` : `On ${day}`;
  const [was, had, owed] = toCome ? ['will be', 'will have', 'will owe'] : ['was', 'had', 'owed'];
  if (statement.open_cents === 0)
    return statement.credit_cents === 0
      ? `${on} nothing ${was} owed.`
      : `${on} nothing ${was} owed, and you ${had} a credit of ${money(statement.credit)}.`;
  const overdue =
    statement.overdue_cents === 0 ? '' : `, of which ${money(statement.overdue)} ${was} overdue`;
  return `${on} you ${owed} ${money(statement.open)}${overdue}.`;
}

/** 3 Nov 2026 */
const shortDay = (date: string): string => dayInWords(date).replace(/ (\w{3})\w* /, ' $1 ');

/** Formats an amount with separated thousands. It works on the text, so that no digit is lost. */
function amountsIn(currency: string): (decimal: string) => string {
  const digits = decimalsOf(currency);
  const format = new Intl.NumberFormat('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return (decimal) => format.format(decimal as Intl.StringNumericLiteral);
}
