import { Money } from '../money.tsx';
import type { Column } from './table.tsx';

/** A column of amounts. */
export const moneyColumn = <Row extends { currency: string }>(
  name: string,
  cents: (row: Row) => number | null,
  more: Partial<Column<Row>> = {},
): Column<Row> => ({
  name,
  align: 'right',
  phone: 'aside',
  className: 'whitespace-nowrap',
  cell: (row) => <Money cents={cents(row)} currency={row.currency} />,
  ...more,
});
