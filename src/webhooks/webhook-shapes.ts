import { shapeOf } from '../db/records/columns.ts';
import { number, time, word } from '../db/records/json.ts';
import type { RecordShape } from '../db/records/shape.ts';
import { webhooks } from './webhooks.columns.ts';

const { fields, ...shape } = shapeOf(webhooks, {
  status: [word('w.source'), time('w.last_success_at'), time('w.last_error_at'), number('w.failure_count')],
});
const updatedAt = fields.slice(-1);
const own = fields.filter(({ name }) => name !== 'skip_actors');
const skipActors = fields.filter(({ name }) => name === 'skip_actors');

/** A webhook as GET /webhooks shows it. */
export const listedWebhook: RecordShape = { ...shape, fields: own.slice(0, -1) };

/** The whole record except its secret. */
export const storedWebhook: RecordShape = {
  ...shape,
  fields: [...listedWebhook.fields, word('w.disabled_reason'), ...skipActors, ...updatedAt],
};
