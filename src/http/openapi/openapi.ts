import { z } from 'zod';
import { keyScopes } from '../../api-keys/api-keys.schema.ts';
import { ownersScopes } from '../../api-keys/scopes.ts';
import { catalogue, testEvent } from '../../events/catalogue.ts';
import { Actor } from '../../events/events.schema.ts';
import { timestamp } from '../../fields.ts';
import { Lease } from '../../leases/leases.schema.ts';
import { Charge } from '../../ledger/charges/charges.schema.ts';
import { Credit } from '../../ledger/credits/credits.schema.ts';
import { MaintenanceRequest } from '../../maintenance/maintenance.schema.ts';
import { Payment } from '../../payments/payments.schema.ts';
import { Property } from '../../properties/properties.schema.ts';
import { Tenant } from '../../tenants/tenants.schema.ts';
import { Unit } from '../../units/units.schema.ts';
import { StoredWebhook } from '../../webhooks/webhooks.schema.ts';
import type { Route } from '../routes/route.ts';
import { ErrorEnvelope, sharedErrors } from './errors.ts';
import { sharedHeaders } from './headers.ts';
import { json, operation, sharedParameters } from './operation.ts';
import { SchemaBook } from './schemas.ts';

/** The record that stands in `data` under each event's prefix. */
const eventRecords: Record<string, z.ZodType> = {
  property: Property,
  unit: Unit,
  tenant: Tenant,
  lease: Lease,
  charge: Charge,
  credit: Credit,
  payment: Payment,
  maintenance_request: MaintenanceRequest,
  webhook: StoredWebhook,
};

const introduction = `Property management: properties, units, tenants, leases, rent payments, maintenance, and signed webhooks. The [guides](/docs/guides) show how to work with it, step by step.

**Keys.** Send \`Authorization: Bearer svc_live_…\`. Keys are made in the dashboard under Settings → API keys; one that may only read gets 403 where it would write. A key sees the records of its own account and no others.

**Records.** Ids are a prefix and 32 hexadecimal digits. Timestamps are ISO 8601 in UTC with milliseconds, calendar dates \`YYYY-MM-DD\`; today is the day in the account's time zone. Money is in minor units (\`amount_cents: 125000\`), with the same amount as a decimal beside it (\`amount: "1250.00"\`). In a PATCH, null clears a field; what is not named stays. Empty text in a field that may be null is taken for null, except for ids.

**Lists.** Newest first, as \`{data, count}\`, \`count\` being the number of records in \`data\`. Where there is more, the \`Link\` header has the address of the next page. Filters with a closed set of values take several, separated by commas.

**Errors.** Always \`{"error": {"code", "message"}}\`, \`code\` being the HTTP status. A failed validation has \`{formErrors, fieldErrors}\` as its message.

**Repeating safely.** Send an \`Idempotency-Key\` with every POST: the same request with the same key is done once.

**Webhooks.** Subscribe with POST /webhooks, unsubscribe with DELETE /webhooks/{id}. Deliveries are signed, tried five times in all, and may arrive more than once: the envelope's \`id\` tells doubles apart.`;

const tagMeanings: Record<string, string> = {
  Properties: 'Buildings and pieces of land.',
  Units: 'The parts of a property that are rented out.',
  Tenants: 'People who rent, with their unit and lease.',
  Leases: 'Who rents which unit, from when to when, for how much.',
  Payments: 'Rent payments.',
  Maintenance: 'Things to repair or to do.',
  Webhooks: 'Subscriptions: where to send which events.',
  Deliveries: 'Events on their way to an endpoint, with every attempt made.',
  Events: 'What happened, and what is sent to subscribed endpoints.',
  Reports: 'Figures over many records.',
  Account: 'The account itself: its time zone, and how rent is charged.',
};

/** The OpenAPI 3.1 document of the API, made from the same schemas that check requests. */
/** Of the API, as in its path. Anybody may read the document, and need not know which release serves it. */
const apiVersion = '1';

export function openApiDocument(routes: Route[]): object {
  const book = new SchemaBook();
  const error = book.schema(ErrorEnvelope);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, book, error) };
  }
  const webhooks = Object.fromEntries(
    Object.entries({
      ...catalogue,
      [testEvent]: 'Sent by the test button to one endpoint; cannot be subscribed to.',
    }).map(([name, meaning]) => [name, eventOperation(name, meaning, book)]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tenure API',
      version: apiVersion,
      description: introduction,
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
          description: `An API key, \`svc_live_…\`. It may be limited to networks, and to scopes, each the first part of a path: ${keyScopes.join(', ')}. A key without scopes has all of them but ${ownersScopes.join(', ')}.`,
        },
      },
      parameters: sharedParameters,
      headers: sharedHeaders,
      responses: sharedErrors(error),
      schemas: book.definitions,
    },
  };
}

function eventOperation(name: string, meaning: string, book: SchemaBook): object {
  const key = name.split('.')[0] ?? '';
  const record = eventRecords[key];
  if (!record) throw new Error(`The event ${name} has no record.`);
  const envelope = book.schema(
    z.object({
      id: z.string().meta({ examples: ['evt_019a8b2c4d5e7f608192a3b4c5d6e7f8'] }),
      event: z.literal(name),
      created_at: timestamp,
      data: z.object({ [key]: record }),
      actor: Actor,
    }),
  );
  const header = (header: string, description: string) => ({
    name: header,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  });
  return {
    post: {
      operationId: `on${camel(name)}`,
      tags: ['Events'],
      summary: name,
      description: meaning,
      security: [],
      parameters: [
        header('X-Service-Event', 'The event, such as `tenant.created`.'),
        header('X-Service-Delivery', 'The delivery; the same over its retries.'),
        header(
          'X-Service-Signature',
          "`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the endpoint's secret.",
        ),
        header('webhook-id', 'The event; the same over retries and redeliveries.'),
        header('webhook-timestamp', 'When this attempt was made, in Unix seconds.'),
        header(
          'webhook-signature',
          '`v1,<base64>` as [Standard Webhooks](https://www.standardwebhooks.com) has it, one for each valid secret.',
        ),
      ],
      requestBody: { required: true, content: json(book, envelope) },
      responses: { '2XX': { description: 'Acknowledged. Anything else is tried again, five times in all.' } },
    },
  };
}

/** `maintenance_request.created` → `MaintenanceRequestCreated`. */
const camel = (name: string) => name.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
