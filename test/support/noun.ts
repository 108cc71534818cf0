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
 * What the tests of a noun share: a service for the file, a client of one account, and what is promised of every
 * noun.
 */
export async function nounTests(path: string, noun: string, prefix: IdPrefix) {
  const service = await testService();
  afterAll(() => service.close());
  const client = await service.client();
  return {
    service,
    client,

    /** POST makes exactly this record, with one event that carries the bytes of GET. */
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

    /** The names of what the work records of this noun. */
    eventNames: async (work: () => Promise<unknown>) =>
      eventsOfNoun(noun, await eventsDuring(service, client, work)).map(({ event }) => event),

    /** The ids that a list has, in its order. */
    async ids(query: string, by = client): Promise<string[]> {
      const { status, text, body } = await by.get(`${path}?${query}`);
      expect(status, text).toBe(200);
      expect(body.count).toBe(body.data.length);
      return body.data.map(({ id }: { id: string }) => id);
    },
  };
}
