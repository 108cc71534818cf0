import { longestOf, Money } from '../money.tsx';
import { Status } from '../status.tsx';
import type { Label } from '../words.ts';
import type { Column } from './width/column.ts';

export const statusColumn = <Row,>(name: string, status: (row: Row) => Label): Column<Row> => ({
  name,
  phone: 'aside',
  width: 9,
  cell: (row) => <Status of={status(row)} />,
});

export const moneyColumn = <Row extends { currency: string }>(
  name: string,
  cents: (row: Row) => number | null,
  more: Partial<Column<Row>> = {},
): Column<Row> => ({
  name,
  align: 'right',
  phone: 'aside',
  width: 8,
  amounts: (rows) => longestOf(rows.map((row) => ({ cents: cents(row), currency: row.currency }))),
  cell: (row) => <Money cents={cents(row)} currency={row.currency} />,
  ...more,
});
