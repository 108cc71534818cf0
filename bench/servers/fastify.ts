import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import type { StoredKey } from '../../src/api-keys/api-keys.ts';
import { createPayment, type PaymentBody, paymentColumns, present, type Store } from './payment.ts';
import type { FindKey } from './server.ts';

/*
 * Fastify as its guide has it: a schema for the body (checked by Ajv) and one for the answer (which makes the JSON
 * faster than JSON.stringify), the key in a hook, no log.
 */

declare module 'fastify' {
  interface FastifyRequest {
    key: StoredKey | null;
  }
}

const isNullable = (name: string) =>
  /^((lease|charge|property|unit)_id|reversed_on|period|reference|memo|external_id)$/.test(name);
const typeOf = (name: string) => (isNullable(name) ? ['string', 'null'] : 'string');
const record = {
  type: 'object',
  properties: {
    ...Object.fromEntries([...paymentColumns, 'amount'].map((name) => [name, { type: typeOf(name) }])),
    amount_cents: { type: 'integer' },
  },
};
const page = {
  type: 'object',
  properties: { data: { type: 'array', items: record }, count: { type: 'integer' } },
};
const body = {
  type: 'object',
  required: ['tenant_id', 'amount_cents'],
  properties: {
    tenant_id: { type: 'string', pattern: '^ten_[0-9a-f]{32}$' },
    amount_cents: { type: 'integer', minimum: 1 },
    currency: { type: 'string', pattern: '^[A-Z]{3}$' },
    paid_on: { type: 'string', format: 'date' },
    method: { enum: ['cash', 'check', 'bank_transfer', 'card', 'online', 'other'] },
    status: { enum: ['pending', 'paid', 'failed', 'returned', 'refunded', 'voided'] },
    period: { type: 'string', pattern: '^\\d{4}-\\d{2}$' },
    reference: { type: 'string', maxLength: 200 },
    memo: { type: 'string', maxLength: 2000 },
  },
};
const query = {
  type: 'object',
  properties: { limit: { type: 'integer', minimum: 1, maximum: 1000, default: 1000 } },
};

export async function listenFastify(findKey: FindKey, store: Store): Promise<number> {
  const server = fastify();
  server.decorateRequest('key', null);
  server.addHook('onRequest', async (request, reply) => {
    request.key = await findKey(request.headers.authorization);
    if (request.key === null) return reply.code(401).send({ error: { code: 401, message: 'Unauthorized' } });
  });
  server.get<{ Querystring: { limit: number } }>(
    '/api/v1/payments',
    { schema: { querystring: query, response: { 200: page } } },
    async (request) => {
      const { limit } = request.query;
      // One more than is shown, to tell whether there is another page.
      const rows = await store.list(request.key?.account_id ?? '', limit + 1);
      const data = rows.slice(0, limit).map(present);
      return { data, count: data.length };
    },
  );
  server.post<{ Body: PaymentBody }>(
    '/api/v1/payments',
    { schema: { body, response: { 201: { type: 'object', properties: { data: record } } } } },
    async (request, reply) => {
      if (!request.key) throw new Error('Nobody asked.');
      reply.code(201);
      return { data: await createPayment(store, request.key, request.body) };
    },
  );
  await server.listen({ port: 0, host: '127.0.0.1' });
  return (server.server.address() as AddressInfo).port;
}
