import { type Column, orNull, type RowOf, references, table, text, word } from '../db/records/columns.ts';
import { json, present } from '../db/records/json.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import { everyEvent, subscribableEvents } from '../events/catalogue.ts';
import type { WebhookStatus } from './webhooks.schema.ts';

/**
 * If an endpoint subscribes to all events, their names are stored beside the asterisk: during an upgrade, a process of
 * the previous release may run beside this one, and it looks for the name of the event. The names are not shown.
 */
const shown = (column: string): Sql =>
  raw(`case when '${everyEvent}' = any(${column}) then array['${everyEvent}'] else ${column} end`);

const subscribed: Column<string[]> = {
  type: 'text[]',
  read: shown,
  json: (column) => present(json(sql`to_json(${shown(column)})`, 'events')),
};

/** The events that are stored for a row `n`. */
export const storedEvents: Sql = sql`
  case when ${everyEvent} = any(n.events) then ${[everyEvent, ...subscribableEvents]}::text[] else n.events end`;

export const webhooks = table(
  'webhook_endpoints',
  { alias: 'w', prefix: 'we' },
  {
    url: text,
    description: orNull(text),
    events: subscribed,
    status: word<WebhookStatus>(),
    skip_actors: references('key'),
  },
);

export type WebhookRow = RowOf<typeof webhooks>;
