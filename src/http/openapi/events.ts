import { z } from 'zod';
import { catalogue, type EventName, eventNames, testEvent } from '../../events/catalogue.ts';
import { Event } from '../../events/events.schema.ts';
import { exampleId } from '../../fields.ts';
import { File } from '../../files/files.schema.ts';
import { Lease } from '../../leases/leases.schema.ts';
import { Charge } from '../../ledger/charges/charges.schema.ts';
import { Credit } from '../../ledger/credits/credits.schema.ts';
import { MaintenanceRequest } from '../../maintenance/maintenance.schema.ts';
import { Payment } from '../../payments/payments.schema.ts';
import { Property } from '../../properties/properties.schema.ts';
import { Tenant } from '../../tenants/tenants.schema.ts';
import { Unit } from '../../units/units.schema.ts';
import { StoredWebhook } from '../../webhooks/webhooks.schema.ts';
import { json } from './operation.ts';
import type { JsonSchema, SchemaBook } from './schemas.ts';

/** The record in `data` of the events with each prefix. */
const eventRecords: Record<string, z.ZodType> = {
  property: Property,
  unit: Unit,
  tenant: Tenant,
  lease: Lease,
  charge: Charge,
  credit: Credit,
  payment: Payment,
  maintenance_request: MaintenanceRequest,
  file: File,
  webhook: StoredWebhook,
};

const meanings: Record<EventName, string> = {
  ...catalogue,
  [testEvent]: 'Sent by the test button to one endpoint; cannot be subscribed to.',
};

/** The envelope of each event: what all events have, with this event's name and record. */
const envelopes = eventNames.map((name) => {
  const key = name.split('.')[0] ?? '';
  const record = eventRecords[key];
  if (!record) throw new Error(`The event ${name} has no record.`);
  return Event.extend({ event: z.literal(name), data: z.object({ [key]: record }) }).meta({
    id: `${camel(name)}Event`,
    description: meanings[name],
  });
});

/** One schema for readers of events of any kind, with `event` as the discriminator. */
export function eventUnion(book: SchemaBook): JsonSchema {
  const references = envelopes.map((envelope) => book.schema(envelope));
  return {
    description: Event.meta()?.description,
    oneOf: references,
    discriminator: {
      propertyName: 'event',
      mapping: Object.fromEntries(eventNames.map((name, index) => [name, references[index]?.$ref])),
    },
  };
}

/** For `webhooks`: what an endpoint receives, event by event. */
export const eventOperations = (book: SchemaBook): Record<string, object> =>
  Object.fromEntries(
    eventNames.map((name, index) => [
      name,
      eventOperation(name, book, book.schema(envelopes[index] ?? Event)),
    ]),
  );

function eventOperation(name: EventName, book: SchemaBook, envelope: JsonSchema): object {
  const header = (header: string, description: string, example: string) => ({
    name: header,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
    example,
  });
  return {
    post: {
      operationId: `on${camel(name)}`,
      tags: ['Events'],
      summary: name,
      description: meanings[name],
      security: [],
      parameters: [
        header('X-Service-Event', 'The event, such as `tenant.created`.', name),
        header('X-Service-Delivery', 'The delivery; the same over its retries.', exampleId('dlv')),
        header(
          'X-Service-Signature',
          "`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the endpoint's secret.",
          't=1763199000,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
        ),
        header('webhook-id', 'The event; the same over retries and redeliveries.', exampleId('evt')),
        header('webhook-timestamp', 'When this attempt was made, in Unix seconds.', '1763199000'),
        header(
          'webhook-signature',
          '`v1,<base64>` as [Standard Webhooks](https://www.standardwebhooks.com) has it, one for each valid secret.',
          'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        ),
      ],
      requestBody: { required: true, content: json(book, envelope) },
      responses: { '2XX': { description: 'Acknowledged. Anything else is tried again, five times in all.' } },
    },
  };
}

/** `maintenance_request.created` → `MaintenanceRequestCreated`. */
function camel(name: string): string {
  return name.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
