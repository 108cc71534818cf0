import type { ReactNode } from 'react';

export interface Column<Row> {
  name: string;
  cell: (row: Row) => ReactNode;
  align?: 'right';
  /** Shown only on wide screens. */
  isExtra?: boolean;
  /** Its position in the card that shows the row on a phone. Without one it is not shown there. */
  phone?: 'title' | 'aside' | 'line';
  className?: string;
  /** The field that the list can be sorted by. */
  sort?: string;
  /** Whether it has only buttons, which are of no use on paper. */
  isScreenOnly?: boolean;
  /** Its width in rem, if the columns' widths are fixed; of amounts, the least. The others share the rest. */
  width?: number;
  /** The least width in rem that it can do with, if the columns' widths are not fixed. */
  least?: number;
  /** Its longest amounts. It has room for each of them, if need be broken at the spaces. */
  amounts?: (rows: Row[]) => string[];
}
