import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Delivery, StoredWebhook } from '../../api/records.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { Ago } from '../../ui/date.tsx';
import { SelectFilter, useFilters } from '../../ui/lists/filters.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty, Problem, Skeleton } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { deliveryStatus, optionsOf } from '../../ui/words.ts';
import { DeliveryDetail } from './delivery-detail.tsx';
import { deliveries } from './webhook-queries.ts';

/** All deliveries to the endpoint, newest first, with the details of one beside them. */
export function DeliveryLog({ webhook, isTesting }: { webhook: StoredWebhook; isTesting: boolean }) {
  const { filters, set } = useFilters(['status']);
  const { delivery: chosen } = useSearch({ strict: false }) as { delivery?: string };
  const query = useInfiniteQuery(deliveries(webhook.id, filters.status));
  const rows = query.data?.pages.flatMap((page) => page.data) ?? [];
  const { status } = filters;
  const newest = rows[0]?.id;
  const [first, setFirst] = useState({ status, id: newest });
  // The delivery shown first stays when a newer one arrives, because somebody may be reading it, or about to redeliver
  // it.
  if (first.status !== status || (first.id === undefined && newest)) setFirst({ status, id: newest });
  const shown = chosen ?? first.id;
  return (
    <Section
      title="Deliveries"
      actions={
        <SelectFilter
          label="Status"
          value={filters.status}
          options={optionsOf(deliveryStatus)}
          onChange={(status) => set({ status })}
        />
      }
    >
      {query.isError && rows.length === 0 && <Problem error={query.error} onRetry={() => query.refetch()} />}
      {query.isPending && <Skeleton count={5} />}
      {query.data && rows.length === 0 && !isTesting && (
        <Empty title={filters.status ? 'No delivery has this status' : 'Nothing sent yet'} isSmall>
          {!filters.status && 'Send a test event, or change a record whose events this endpoint receives.'}
        </Empty>
      )}
      {(rows.length > 0 || isTesting) && (
        <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <div className={cx('min-w-0', chosen && 'max-lg:order-2')}>
            <ul aria-label="Deliveries" className="border-t border-line">
              {isTesting && (
                <li className="flex h-14 items-center gap-2 border-b border-line px-2 text-soft">
                  <span className="skeleton size-2 rounded-full" /> Sending a test event…
                </li>
              )}
              {rows.map((row) => (
                <Row key={row.id} row={row} isShown={row.id === shown} />
              ))}
            </ul>
            {query.hasNextPage && (
              <Button
                className="mt-3"
                onClick={() => query.fetchNextPage()}
                isBusy={query.isFetchingNextPage}
              >
                Load more
              </Button>
            )}
          </div>
          {shown && <DeliveryDetail id={shown} webhook={webhook} />}
        </div>
      )}
    </Section>
  );
}

function Row({ row, isShown }: { row: Delivery; isShown: boolean }) {
  return (
    <li>
      <Link
        to="."
        search={((before: object) => ({ ...before, delivery: row.id })) as never}
        replace
        resetScroll={false}
        aria-current={isShown ? 'true' : undefined}
        className="flex items-center justify-between gap-3 border-b border-line px-2 py-2 hover:bg-hover aria-[current]:bg-hover"
      >
        <span className="min-w-0">
          <span className="block truncate font-medium">{row.event}</span>
          <span className="block text-sm text-soft">
            <Ago at={row.created_at} />
            {row.kind === 'redelivery' && ' · redelivery'}
          </span>
        </span>
        <span className="flex shrink-0 flex-col items-end text-sm">
          <Status of={deliveryStatus[row.status]} />
          <span className="text-soft">
            {row.last_response_status ?? (row.attempt_count > 0 ? 'No answer' : '')}
          </span>
        </span>
      </Link>
    </li>
  );
}
