import { afterAll, expect } from 'vitest';
import type { IdPrefix } from '../../src/ids.ts';
import {
  eventsDuring,
  eventsOfNoun,
  expectPatchRules,
  expectSameBytes,
  type Fields,
  refusesValues,
} from './records.ts';
import { testService } from './service.ts';

/**
 * What the tests of a noun share: a service for the file, a client of one account, and what is promised of every noun.
 */
export async function nounTests(path: string, noun: string, prefix: IdPrefix) {
  const service = await testService();
  afterAll(() => service.close());
  const client = await service.client();
  return {
    service,
    client,

    /** Expects POST to make exactly this record, with one event that contains the same bytes as GET. */
    async expectCreated(body: Fields, record: Fields, by = client): Promise<void> {
      let id = '';
      const events = await eventsDuring(service, by, async () => {
        const answer = await by.post(path, body);
        expect(answer.status, answer.text).toBe(201);
        expect(answer.body).toEqual({
          data: {
            id: expect.stringMatching(`^${prefix}_[0-9a-f]{32}$`),
            ...record,
            created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
            updated_at: answer.body.data.created_at,
          },
        });
        id = answer.body.data.id;
      });
      const own = eventsOfNoun(noun, events);
      expect(own.map(({ event }) => event)).toEqual([`${noun}.created`]);
      await expectSameBytes(by, own[0], `${path}/${id}`);
    },

    expectPatchRules: (id: string, change: Fields) =>
      expectPatchRules(service, client, `${path}/${id}`, change, `${noun}.updated`),

    refusesChanges: (id: string, cases: Record<string, unknown[]>) =>
      refusesValues((fields) => client.patch(`${path}/${id}`, fields), cases),

    eventsDuring: (work: () => Promise<unknown>, by = client) => eventsDuring(service, by, work),

    /** The names of the events of this noun that the work records. */
    eventNames: async (work: () => Promise<unknown>) =>
      eventsOfNoun(noun, await eventsDuring(service, client, work)).map(({ event }) => event),

    /** The ids in a list, in its order. */
    async ids(query: string, by = client): Promise<string[]> {
      const { status, text, body } = await by.get(`${path}?${query}`);
      expect(status, text).toBe(200);
      expect(body.count).toBe(body.data.length);
      return body.data.map(({ id }: { id: string }) => id);
    },
  };
}
