import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { PrismaPg } from '@prisma/adapter-pg';
import { type Payment, PrismaClient } from '@prisma/client';
import express from 'express';
import { z } from 'zod';
import type { StoredKey } from '../../../src/api-keys/api-keys.ts';
import { idTime, newId } from '../../../src/ids.ts';
import { contender } from './contender.ts';
import { eventBody, newRow, type PaymentBody, type PaymentRow, present, tenantOf } from './payment.ts';

/*
 * Express and Prisma with its adapter for pg. Tuned: no etag, the two look-ups of a create side by side, and its three
 * inserts as one batch in `$transaction([…])`, which is faster than an interactive transaction; the record is
 * made from what was sent, so that nothing has to be read back. The body is checked by zod.
 */

const Body = z.object({
  tenant_id: z.string().regex(/^ten_[0-9a-f]{32}$/),
  amount_cents: z.int().min(1),
  currency: z.string().optional(),
  paid_on: z.iso.date().optional(),
  method: z.string().optional(),
  status: z.string().optional(),
  period: z.string().optional(),
  reference: z.string().optional(),
  memo: z.string().optional(),
});

contender(async ({ connection, poolSize }, findKey) => {
  const prisma = new PrismaClient({ adapter: new PrismaPg({ ...connection, max: poolSize }) });
  const app = express();
  app.disable('etag').disable('x-powered-by');
  app.use(async (request, response, next) => {
    const key = await findKey(request.headers.authorization);
    if (key === null)
      return void response.status(401).json({ error: { code: 401, message: 'Unauthorized' } });
    response.locals.key = key;
    next();
  });
  app.get('/api/v1/payments', async (request, response) => {
    const { account_id } = response.locals.key as StoredKey;
    const limit = Number(request.query.limit ?? 1000);
    const rows = await prisma.payment.findMany({
      where: { account_id },
      orderBy: { id: 'desc' },
      take: limit + 1,
    });
    const data = rows.slice(0, limit).map((row) => present(rowOf(row)));
    response.json({ data, count: data.length });
  });
  app.post('/api/v1/payments', express.json(), async (request, response) => {
    const record = await create(prisma, response.locals.key as StoredKey, Body.parse(request.body));
    response.status(201).json({ data: record });
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
});

const rowOf = (row: Payment): PaymentRow => ({
  ...row,
  amount_cents: Number(row.amount_cents),
  paid_on: row.paid_on.toISOString().slice(0, 10),
});

async function create(prisma: PrismaClient, { account_id, currency }: StoredKey, body: PaymentBody) {
  const id = newId();
  const event = newId();
  const at = idTime(id);
  const day = new Date(body.paid_on ?? at.toISOString().slice(0, 10));
  const [rented, endpoints] = await Promise.all([
    prisma.leaseTenant.findFirst({
      where: {
        account_id,
        tenant_id: tenantOf(body),
        lease: { start_date: { lte: day }, OR: [{ until: null }, { until: { gt: day } }] },
      },
      orderBy: [{ lease: { start_date: 'desc' } }, { lease: { id: 'desc' } }],
      select: { lease: { select: { id: true, unit_id: true, property_id: true, currency: true } } },
    }),
    prisma.webhookEndpoint.findMany({
      where: { account_id, events: { has: 'payment.created' }, status: { not: 'disabled' } },
      select: { id: true },
    }),
  ]);
  const row = newRow(id, at, body, rented?.lease ?? null, currency);
  const record = present(row);
  await prisma.$transaction([
    prisma.payment.createMany({ data: { account_id, ...row, paid_on: day } }),
    prisma.event.createMany({
      data: {
        account_id,
        id: event,
        event: 'payment.created',
        body: eventBody(event, at, record),
        created_at: at,
      },
    }),
    prisma.queuedDelivery.createMany({
      data: endpoints.map((endpoint) => ({
        id: newId(),
        account_id,
        endpoint_id: endpoint.id,
        event_id: event,
        event: 'payment.created',
        kind: 'event',
        ready: true,
        next_at: at,
        created_at: at,
      })),
    }),
  ]);
  return record;
}
