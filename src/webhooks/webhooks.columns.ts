import { orNull, type RowOf, references, table, text, texts, word } from '../db/records/columns.ts';
import type { WebhookStatus } from './webhooks.schema.ts';

export const webhooks = table(
  'webhook_endpoints',
  { alias: 'w', prefix: 'we' },
  {
    url: text,
    description: orNull(text),
    events: texts,
    status: word<WebhookStatus>(),
    skip_actors: references('key'),
  },
);

export type WebhookRow = RowOf<typeof webhooks>;
