import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, testService } from '../../test/support/service.ts';
import { onBehalfOf } from '../db/on-behalf-of.ts';
import { defaultMostQueued, limitQueues, withQueueRoom } from './queue-room.ts';

let service: Service;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

test('transactions that hold all connections of an account do not wait for a count that waits for one', async () => {
  const { accountId } = await service.client();
  const db = onBehalfOf(service.database.db, accountId);
  const wanted = { accountId, events: [{ event: 'payment.created' as const, count: 1 }] };
  const written = async () => 'written';
  limitQueues(defaultMostQueued); // forgets what was counted
  const go = Promise.withResolvers<void>();
  const transactions = Array.from({ length: 20 }, () =>
    db.transaction(async (tx) => {
      await go.promise;
      return withQueueRoom(tx, wanted, written);
    }),
  );
  const outside = withQueueRoom(db, wanted, written);
  go.resolve();
  expect(await Promise.all([...transactions, outside])).toEqual(Array(21).fill('written'));
});
