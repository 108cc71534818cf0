import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { one } from '../../api/queries.ts';
import type { Noun, Records } from '../../api/records.ts';
import { Page } from '../page.tsx';
import { Problem, Skeleton } from '../states.tsx';

/** The id in the page's address. */
export const usePathId = (): string => (useParams({ strict: false }) as { id?: string }).id ?? '';

/** The page of the record whose id is in the address. */
export function RecordPage<N extends Noun>({
  noun,
  title,
  back = `/${noun}`,
  children,
}: {
  noun: N;
  /** The title while the record is loading. */
  title: string;
  back?: string;
  children: (record: Records[N]) => ReactNode;
}) {
  const { data, error, refetch } = useQuery(one(noun, usePathId()));
  if (data) return children(data);
  return (
    <Page title={title} back={back}>
      {error ? <Problem error={error} onRetry={refetch} /> : <Skeleton count={10} />}
    </Page>
  );
}

/** Parts of a record's page, two side by side on wide screens. */
export function Halves({ children }: { children: ReactNode }) {
  return <div className="grid gap-x-10 gap-y-8 lg:grid-cols-2">{children}</div>;
}

/** The content of a record's page, with its details beside it on wide screens. */
export function WithAside({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return (
    <div className="grid gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_320px] print:grid-cols-1">
      <div className="flex min-w-0 flex-col gap-8">{children}</div>
      <div className="flex min-w-0 flex-col gap-8 print:order-first">{aside}</div>
    </div>
  );
}
