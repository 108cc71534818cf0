import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { get, request } from '../../api/client.ts';
import type {
  ApiKey,
  CatalogueEntry,
  Delivery,
  DeliveryWithAttempts,
  StoredWebhook,
  Webhook,
} from '../../api/records.ts';

/** How often the log refetches: a delivery arrives within a second, and people watch it arrive. */
const liveMs = 2_000;

export const webhooks = queryOptions({
  queryKey: ['webhooks', 'list'],
  queryFn: ({ signal }) => get<Webhook[]>('/webhooks', undefined, signal),
});

export const webhook = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'one', id],
    queryFn: ({ signal }) => get<StoredWebhook>(`/webhooks/${id}`, undefined, signal),
    refetchInterval: 5 * liveMs,
  });

export const catalogue = queryOptions({
  queryKey: ['event-catalogue'],
  queryFn: ({ signal }) => get<CatalogueEntry[]>('/event-catalogue', undefined, signal),
  staleTime: Number.POSITIVE_INFINITY,
});

export const deliveries = (webhookId: string, status: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', 'list', webhookId, status],
    queryFn: ({ pageParam, signal }) =>
      request<Delivery[]>('GET', `/webhooks/${webhookId}/deliveries`, {
        query: { limit: 50, status, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    // Somebody who has loaded older pages is not waiting for new deliveries.
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 0) > 1 ? false : liveMs),
  });

export const delivery = (id: string) =>
  queryOptions({
    queryKey: ['deliveries', 'one', id],
    queryFn: ({ signal }) => get<DeliveryWithAttempts>(`/deliveries/${id}`, undefined, signal),
    refetchInterval: (query) => (query.state.data?.status === 'pending' ? liveMs : false),
  });

/** For choosing keys whose changes an endpoint skips. */
export const apiKeys = queryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ signal }) => get<ApiKey[]>('/api-keys', undefined, signal),
});
