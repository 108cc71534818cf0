import {
  infiniteQueryOptions,
  keepPreviousData,
  QueryClient,
  queryOptions,
  useQuery,
} from '@tanstack/react-query';
import { ApiError, get, type Query, request } from './client.ts';
import type { ListName, Lists, Noun, Records, Tenancy } from './records.ts';

/** A missing answer or a busy server is worth a retry; everything else is final. */
const isPassing = (error: Error) => error instanceof ApiError && (error.status === 0 || error.status === 503);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) => count < 2 && isPassing(error),
      retryDelay: (count) => 500 * 2 ** count,
      // A missing answer shows that the connection is lost. The browser's own guess can be wrong.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

const pageSize = 100;

/** Records that refer to others come with their names, in the same answer. */
const expansions: { [N in ListName]?: string } = {
  payments: 'tenant,unit,property',
  leases: 'tenant,unit,property',
  maintenance: 'tenant,unit,property',
  charges: 'unit,property',
  units: 'property',
};

const withNames = (noun: ListName): Query => ({ expand: expansions[noun] });

/**
 * A list, page by page. Searches ask for no total, because the server would have to look at each record, which takes a
 * second for 100,000.
 */
export const list = <N extends ListName>(noun: N, filter: Query = {}) =>
  infiniteQueryOptions({
    queryKey: [noun, 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      request<Lists[N][]>('GET', `/${noun}`, {
        // The total comes with the first page.
        query: {
          limit: pageSize,
          ...withNames(noun),
          ...filter,
          cursor: pageParam,
          total: pageParam || filter.q ? undefined : 'true',
        },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
  });

/** The first records of a list, for pickers and panels. */
export const first = <N extends ListName>(noun: N, filter: Query = {}, limit = 20) =>
  queryOptions({
    queryKey: [noun, 'first', filter, limit],
    queryFn: ({ signal }) => get<Lists[N][]>(`/${noun}`, { limit, ...withNames(noun), ...filter }, signal),
    placeholderData: keepPreviousData,
  });

const mostAtOnce = 1000;

/** All records of a list that is never long, such as a lease's recurring charges. */
export const whole = <N extends ListName>(noun: N, filter: Query) =>
  queryOptions({
    queryKey: [noun, 'whole', filter],
    queryFn: ({ signal }) => allOf<Lists[N]>(`/${noun}`, filter, signal),
  });

/** The units of a property, with who rents them. */
export const tenanciesOf = (propertyId: string) =>
  queryOptions({
    queryKey: ['units', 'tenancies', propertyId],
    queryFn: ({ signal }) => allOf<Tenancy>(`/properties/${propertyId}/units`, {}, signal),
  });

async function allOf<Row>(path: string, filter: Query, signal: AbortSignal): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: mostAtOnce, ...filter, cursor };
    const page = await request<Row[]>('GET', path, { query, signal });
    rows.push(...page.data);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return rows;
}

export const one = <N extends Noun>(noun: N, id: string) =>
  queryOptions({
    queryKey: [noun, 'one', id],
    queryFn: ({ signal }) => get<Records[N]>(`/${noun}/${id}`, withNames(noun), signal),
  });

/** One record, or nothing without an id. */
export const useRecord = <N extends Noun>(noun: N, id: string | null | undefined, staleTime?: number) =>
  useQuery({ ...one(noun, id ?? ''), enabled: !!id, ...(staleTime ? { staleTime } : {}) });
