import { keyScopes } from '../../api-keys/api-keys.schema.ts';
import { ownersScopes } from '../../api-keys/scopes.ts';
import type { Route } from '../routes/route.ts';
import { ApiError, sharedErrors } from './errors.ts';
import { eventOperations, eventUnion } from './events.ts';
import { sharedHeaders } from './headers.ts';
import { notModified, operation, sharedParameters } from './operation.ts';
import { definitionsWithoutDefaults, SchemaBook } from './schemas.ts';

const introduction = `Property management: properties, units, tenants, leases, rent payments, maintenance, and signed webhooks. The [guides](/docs/guides) show how to work with it, step by step.

**Keys.** Send \`Authorization: Bearer svc_live_…\`. Keys are made in the dashboard under Settings → API keys; one that may only read gets a 403 when it writes. A key sees the records of its own account and no others. Keys that begin with \`svc_test_\` reach the account's test mode: records of its own, and a clock that can be moved.

**Records.** Ids are a prefix and 32 hexadecimal digits. Timestamps are ISO 8601 in UTC with milliseconds, calendar dates \`YYYY-MM-DD\`; today is the day in the account's time zone. Money is in minor units (\`amount_cents: 125000\`), with the same amount as a decimal beside it (\`amount: "1250.00"\`). In a PATCH, null clears a field, and fields that are left out stay as they are. Empty text in a field that may be null becomes null, except for ids.

**Lists.** Newest first, as \`{data, count}\`, \`count\` being the number of records in \`data\`. If there is more, the \`Link\` header has the address of the next page. Filters with a closed set of values take several, separated by commas.

**Errors.** Always \`{"error": {"code", "message", "type", "request_id"}}\`: \`code\` is the HTTP status, \`type\` a word for programs, \`request_id\` identifies the request in our logs. A failed validation has \`{formErrors, fieldErrors}\` as its message.

**Repeating safely.** Send an \`Idempotency-Key\` with every POST: the same request with the same key takes effect only once.

**In step.** Every record and every first page of a list has an \`ETag\`. Sent back in \`If-None-Match\`, it saves the body (304) while nothing has changed; in \`If-Match\` of a PATCH, PUT or DELETE it keeps you from overwriting what somebody else has changed since (412).

**Webhooks.** Subscribe with POST /webhooks, unsubscribe with DELETE /webhooks/{id}. Deliveries are signed, tried five times in all, and may arrive more than once: the envelope's \`id\` identifies duplicates.`;

const tagMeanings: Record<string, string> = {
  Properties: 'Buildings and pieces of land.',
  Units: 'The parts of a property that are rented out.',
  Tenants: 'People who rent, with their unit and lease.',
  Leases: 'Who rents which unit, from when to when, for how much.',
  Payments: 'Rent payments.',
  Charges: 'Amounts owed, each with its due day.',
  Credits: 'Amounts taken off what is owed.',
  'Recurring charges': 'Charges that a lease makes every month or year besides its rent.',
  Balances: 'Amounts owed and overdue, by lease, on any day.',
  Maintenance: 'Things to repair or to do.',
  Imports: 'Spreadsheets and exports from other products, turned into records.',
  Files: 'Photos and documents on records.',
  Webhooks: 'Subscriptions: where to send which events.',
  Deliveries: 'Events on their way to an endpoint, with every attempt made.',
  Events: 'What happened, and what is sent to subscribed endpoints.',
  Reports: 'Figures about many records.',
  Account: 'The account itself: its time zone, and how rent is charged.',
  'Test mode': 'A second account to try things in, with a clock that can be moved. For test keys only.',
};

/** The version of the API, as in its path. Anybody may read the document, and need not know which release serves it. */
const apiVersion = '1';

/** The OpenAPI 3.1 document of the API, made from the same schemas that check requests. */
export function openApiDocument(routes: Route[]): object {
  const book = new SchemaBook();
  const error = book.schema(ApiError);
  book.definitions.Event = eventUnion(book);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, routes, book, error) };
  }
  const webhooks = eventOperations(book);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tenure API',
      version: apiVersion,
      description: introduction,
      contact: { name: 'Whoever runs this installation' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api/v1' }],
    security: [{ apiKey: [] }],
    tags: [...new Set([...routes.map((route) => route.tag), 'Events'])].map((name) => ({
      name,
      ...(name in tagMeanings ? { description: tagMeanings[name] } : {}),
    })),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: `An API key, \`svc_live_…\` or \`svc_test_…\`. It may be limited to networks, and to scopes, each the first part of a path: ${keyScopes.join(', ')}. A key without scopes has all of them except ${ownersScopes.join(', ')}.`,
        },
      },
      parameters: sharedParameters,
      headers: sharedHeaders,
      responses: { ...notModified, ...sharedErrors(error) },
      schemas: definitionsWithoutDefaults(book.definitions),
    },
  };
}
