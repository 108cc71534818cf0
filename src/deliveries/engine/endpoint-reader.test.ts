import { pino } from 'pino';
import { expect, test } from 'vitest';
import { newId } from '../../ids.ts';
import { createSecretBox } from '../../secrets/secret-box.ts';
import { signingKey } from '../sending/sign.ts';
import type { ClaimedRow } from './across-accounts.store.ts';
import { EndpointReader } from './endpoint-reader.ts';

const box = createSecretBox('a secret key of at least 32 characters');
const otherBox = createSecretBox('another key of at least 32 characters');
const endpointId = newId();

const claimed = (secret: Buffer, previousSecret: Buffer | null = null): ClaimedRow => ({
  id: newId(),
  accountId: newId(),
  endpointId,
  eventId: newId(),
  event: 'payment.created',
  kind: 'event',
  body: '{}',
  attempt: 1,
  interruptedAt: null,
  exhausted: false,
  url: 'https://hooks.example.com',
  disabled: false,
  secret,
  previousSecret,
  failureCount: 0,
  hasSucceeded: true,
});

test('each claim signs with the secret that it brought, whichever was read before', () => {
  const reader = new EndpointReader({
    secrets: box,
    now: () => new Date(),
    log: pino({ enabled: false }),
  });
  const keysOf = (row: ClaimedRow) => reader.read([row]).get(endpointId)?.keys;
  const first = box.encrypt('whsec_first');
  const second = box.encrypt('whsec_second');

  expect(keysOf(claimed(first))).toEqual([signingKey('whsec_first')]);
  expect(keysOf(claimed(Buffer.from(first)))).toEqual([signingKey('whsec_first')]);
  expect(keysOf(claimed(second, first))).toEqual(['whsec_second', 'whsec_first'].map(signingKey));
  expect(keysOf(claimed(otherBox.encrypt('whsec_first'), first))).toBeNull();
  expect(keysOf(claimed(second, otherBox.encrypt('whsec_first')))).toEqual([signingKey('whsec_second')]);
});
