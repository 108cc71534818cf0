import { Link } from '@tanstack/react-router';
import { type CSSProperties, memo, type ReactNode, type RefObject, useEffect } from 'react';
import { cx } from '../class-names.ts';
import { useIsPhone } from '../media.ts';
import { RowCheck, type Selection } from './selection.tsx';
import { ariaSort, SortButton, useSort } from './sort.tsx';
import { useVirtualRows } from './virtual-rows.ts';
import type { Column } from './width/column.ts';
import { useFitColumns } from './width/fit-columns.ts';

export interface TableProps<Row> {
  label: string;
  rows: Row[];
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
  /** The page a row links to; the first column is the link. */
  rowLink?: (row: Row) => string;
  isSticky?: boolean;
  /** For the list of a page: it can be sorted, and its columns keep their widths whatever rows come into view. */
  isFixed?: boolean;
  /** The key of the row that somebody came for, which is scrolled into view. */
  marked?: string | undefined;
  /** Set if rows can be ticked. */
  selection?: Selection | undefined;
}

/** Records as rows, or as cards on a phone. Only the visible rows of a long list are rendered. */
export function Table<Row>(props: TableProps<Row>) {
  return useIsPhone() ? <Cards {...props} /> : <Rows {...props} />;
}

function Rows<Row>(props: TableProps<Row>) {
  const {
    label,
    rows,
    columns,
    rowKey,
    rowLink,
    isSticky = true,
    isFixed = false,
    selection,
    marked,
  } = props;
  const { sort } = useSort();
  const { ref, shown, before, after, measure } = useVirtualRows<HTMLTableElement>(rows.length, 41);
  const fit = useFitColumns(ref, columns, rows, { isFixed, hasTicks: selection !== undefined });
  const widthOf = ({ name, width }: Column<Row>) => fit.widths.get(name) ?? width;
  useBringIntoView(ref, marked);
  return (
    <table
      ref={ref}
      aria-label={label}
      aria-rowcount={rows.length + 1}
      data-broken={fit.isBroken || undefined}
      data-crowded={fit.isCrowded || undefined}
      style={{ '--amount-size': `${fit.size}em` } as CSSProperties}
      // On paper nothing scrolls into view, so the columns can be as wide as their contents.
      className={cx(
        '-mx-2 w-[calc(100%+16px)] text-left print:mx-0 print:w-full',
        isFixed && 'table-fixed print:table-auto',
      )}
    >
      <thead>
        <tr>
          {selection && (
            <th scope="col" className={cx(headClass(isSticky), 'w-9 pl-2 print:hidden')}>
              <AllCheck selection={selection} rows={rows} rowKey={rowKey} />
            </th>
          )}
          {columns.map((column) => (
            <th
              key={column.name}
              scope="col"
              {...(isFixed && column.sort ? { 'aria-sort': ariaSort(column.sort, sort) } : {})}
              className={cx(headClass(isSticky), cellClass(column))}
              style={isFixed && widthOf(column) ? { width: `${widthOf(column)}rem` } : undefined}
            >
              {isFixed && column.sort ? (
                <SortButton name={column.name} field={column.sort} isRight={column.align === 'right'} />
              ) : (
                column.name
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <Spacer height={before} columns={columns.length + (selection ? 1 : 0)} />
        {shown.map((index) => {
          const row = rows[index];
          return row === undefined ? null : (
            <RowView
              key={rowKey(row)}
              row={row}
              index={index}
              columns={columns}
              rowKey={rowKey}
              rowLink={rowLink}
              selection={selection}
              isMarked={marked === rowKey(row)}
              measure={measure}
            />
          );
        })}
        <Spacer height={after} columns={columns.length + (selection ? 1 : 0)} />
      </tbody>
    </table>
  );
}

/** Scrolls once, when the rows have arrived. */
function useBringIntoView(list: RefObject<HTMLElement | null>, marked: string | undefined): void {
  useEffect(() => {
    if (marked) list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' });
  }, [list, marked]);
}

interface RowProps<Row> extends Pick<TableProps<Row>, 'columns' | 'rowKey' | 'rowLink' | 'selection'> {
  row: Row;
  index: number;
  isMarked: boolean;
  measure: ((row: HTMLElement | null) => void) | undefined;
}

/** Kept unchanged while other rows come and go. */
const RowView = memo(function RowView<Row>(props: RowProps<Row>) {
  const { row, index, columns, rowKey, rowLink, selection, isMarked, measure } = props;
  const isChosen = selection?.isChosen(rowKey(row)) ?? false;
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      data-chosen={isChosen || isMarked || undefined}
      aria-current={isMarked || undefined}
      className={cx(
        'relative h-[41px] border-b border-line data-chosen:bg-accent-ground print:h-auto',
        rowLink && 'hover:bg-hover',
      )}
    >
      {selection && (
        <td className="w-9 pl-2 print:hidden">
          <RowCheck
            label={`Choose row ${index + 1}`}
            isOn={isChosen}
            onChange={() => selection.toggle(rowKey(row))}
          />
        </td>
      )}
      {columns.map((column, position) => (
        <td
          key={column.name}
          className={cx(
            'py-2 wrap-break-word print:py-1',
            cellClass(column),
            column.amounts && amountClass,
            column.className,
          )}
        >
          {position === 0 && rowLink ? (
            <RowLink to={rowLink(row)}>{column.cell(row)}</RowLink>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: RowProps<Row>) => ReactNode;

const headClass = (isSticky: boolean) =>
  cx(
    'h-9 bg-ground text-sm font-medium whitespace-nowrap text-soft shadow-[inset_0_-1px_0_var(--line-strong)]',
    isSticky && 'sticky top-14 z-10 lg:top-0',
  );

interface AllProps<Row> extends Pick<TableProps<Row>, 'rows' | 'rowKey'> {
  selection: Selection;
}

const AllCheck = memo(function AllCheck<Row>({ selection, rows, rowKey }: AllProps<Row>) {
  const keys = rows.map(rowKey);
  const chosen = keys.filter(selection.isChosen).length;
  return (
    <RowCheck
      label="Choose all rows that are loaded"
      isOn={chosen === keys.length ? true : chosen > 0 ? 'some' : false}
      onChange={() => selection.toggleAll(keys)}
    />
  );
}) as <Row>(props: AllProps<Row>) => ReactNode;

const cellClass = (column: Column<never>) =>
  cx(
    'pr-5 first:pl-2 last:pr-2',
    column.align === 'right' && 'text-right',
    column.isExtra && 'hidden print:table-cell',
    column.isExtra && (column.amounts ? 'xl:table-cell' : 'xl:[table:not([data-crowded])_&]:table-cell'),
    column.isScreenOnly && 'print:hidden',
  );

const amountClass =
  'text-[length:var(--amount-size)] whitespace-nowrap in-data-broken:whitespace-normal print:text-[length:1em] print:whitespace-nowrap';

function Spacer({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row takes no focus
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}

/** The link of a row; its hit area covers the whole row. */
function RowLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      className="font-medium wrap-break-word after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
    >
      {children}
    </Link>
  );
}

function Cards<Row>({ label, rows, columns, rowKey, rowLink, selection, marked }: TableProps<Row>) {
  const { ref, shown, before, after, measure } = useVirtualRows<HTMLUListElement>(rows.length, 65);
  const title = columns.find((column) => column.phone === 'title');
  const asides = columns.filter((column) => column.phone === 'aside');
  const lines = columns.filter((column) => column.phone === 'line');
  useBringIntoView(ref, marked);
  return (
    <ul
      ref={ref}
      aria-label={label}
      className="border-t border-line"
      style={{ paddingTop: before, paddingBottom: after }}
    >
      {shown.map((index) => {
        const row = rows[index];
        return row === undefined ? null : (
          <li
            key={rowKey(row)}
            ref={measure}
            data-index={index}
            aria-current={marked === rowKey(row) || undefined}
            className="relative flex items-start justify-between gap-4 border-b border-line py-3 aria-current:bg-accent-ground"
          >
            {selection && (
              <div className="flex h-5 items-center">
                <RowCheck
                  label={`Choose row ${index + 1}`}
                  isOn={selection.isChosen(rowKey(row))}
                  onChange={() => selection.toggle(rowKey(row))}
                />
              </div>
            )}
            <div className="min-w-0 grow">
              {title && (rowLink ? <RowLink to={rowLink(row)}>{title.cell(row)}</RowLink> : title.cell(row))}
              {lines.map((column) => (
                <div key={column.name} className="mt-0.5 text-sm text-soft wrap-anywhere">
                  {column.cell(row)}
                </div>
              ))}
            </div>
            <div className="figures flex max-w-[50%] shrink-0 flex-col items-end gap-0.5 text-right text-sm">
              {asides.map((column) => (
                <div key={column.name}>{column.cell(row)}</div>
              ))}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
