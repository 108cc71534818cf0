import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { get, type Query } from '../../api/client.ts';
import { cx } from '../../ui/class-names.ts';
import { formatDay } from '../../ui/date.tsx';
import { EmptyWithoutProperty, useHasNone } from '../../ui/lists/bare.tsx';
import { ExportLink } from '../../ui/lists/export-link.tsx';
import { FilterBar } from '../../ui/lists/filters.tsx';
import { TableSkeleton } from '../../ui/lists/record-list.tsx';
import { Sums } from '../../ui/lists/sums.tsx';
import { Table, type TableProps } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/width/column.ts';
import { useIsPhone } from '../../ui/media.ts';
import { Page } from '../../ui/page.tsx';
import { PrintButton } from '../../ui/print.tsx';
import { Loaded } from '../../ui/states.tsx';

interface Props<Row> extends Omit<TableProps<Row>, 'rows'> {
  path: string;
  about: string;
  /** The day of the report, or its first and last days, for the printed sheet, which has no filters. */
  days: string[];
  filter: Query;
  filters: ReactNode;
  onClear: (() => void) | undefined;
  /** Replaces the columns on a phone. Without headings, figures must say what they are. */
  cards: Column<Row>[];
  sums: [name: string, cents: (row: Row) => number | null][];
  /** Shown if nothing matches the choice. */
  empty: ReactNode;
  /** For an account with nothing to report on yet: says what is needed first. */
  bare: string;
}

/** A report: its totals, then all its rows, without pages. */
export function Report<Row extends { currency: string }>(props: Props<Row>) {
  const { path, about, days, filter, filters, onClear, cards, sums, empty, bare, ...table } = props;
  const columns = useIsPhone() ? cards : table.columns;
  const query = useQuery({
    queryKey: [path, filter],
    queryFn: ({ signal }) => get<Row[]>(path, filter, signal),
    placeholderData: keepPreviousData,
  });
  const isZero = query.data?.every((row) => sums.every(([, cents]) => !cents(row))) ?? false;
  const isBare = useIsNothingYet(isZero && onClear === undefined);
  if (isBare)
    return (
      <Page title={table.label} about={about}>
        <EmptyWithoutProperty title="Nothing to report yet">{bare}</EmptyWithoutProperty>
      </Page>
    );
  return (
    <Page
      title={table.label}
      isList
      about={about}
      actions={
        <>
          <PrintButton />
          <ExportLink path={path} filter={filter} />
        </>
      }
    >
      <p data-sheet="wide" className="mb-4 hidden print:block">
        {days.filter(isDay).map(formatDay).join(' – ')}
      </p>
      <FilterBar onClear={onClear}>{filters}</FilterBar>
      <Loaded query={query} waiting={<TableSkeleton columns={columns as Column<never>[]} />}>
        {(rows) =>
          rows.length === 0 ? (
            empty
          ) : (
            <div
              className={cx(query.isPlaceholderData && 'opacity-60 transition-opacity')}
              aria-busy={query.isPlaceholderData}
            >
              <Sums of={totalsOf(rows, sums)} />
              <Table {...table} columns={columns} rows={rows} isFixed />
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}

/** The address may have been edited by hand. */
const isDay = (text: string) => !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

/** Without units and payments, no choice would show anything. */
function useIsNothingYet(mayBe: boolean): boolean {
  const hasNoUnits = useHasNone('units', mayBe);
  return useHasNone('payments', mayBe) && hasNoUnits;
}

/** Adds up each currency separately. */
function totalsOf<Row extends { currency: string }>(rows: Row[], sums: Props<Row>['sums']) {
  const currencies = [...new Set(rows.map(({ currency }) => currency))].sort();
  return currencies.flatMap((currency) =>
    sums.map(([name, cents]) => ({
      key: `${name} ${currency}`,
      name: currencies.length > 1 ? `${name}, ${currency}` : name,
      cents: rows.reduce((sum, row) => sum + (row.currency === currency ? (cents(row) ?? 0) : 0), 0),
      currency,
    })),
  );
}
