import { pino } from 'pino';
import { expect, test } from 'vitest';
import { newId } from '../../ids.ts';
import { createSecretBox } from '../../secrets/secret-box.ts';
import type { ClaimedRow } from './across-accounts.store.ts';
import { readEndpoints } from './endpoint-reader.ts';

const box = createSecretBox('a secret key of at least 32 characters');
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

test('a secret is decrypted once; a new one, and one that could not be read, at the next claim', () => {
  let decrypted = 0;
  let readable = true;
  const decrypt = (boxed: Buffer): string => {
    decrypted++;
    if (!readable) throw new Error('another key');
    return box.decrypt(boxed);
  };
  const app = {
    secrets: { ...box, decrypt },
    now: () => new Date(),
    log: pino({ enabled: false }),
  };
  const secretsOf = (row: ClaimedRow) => readEndpoints(app, [row]).get(endpointId)?.secrets;
  const first = box.encrypt('whsec_first');
  const second = box.encrypt('whsec_second');

  expect(secretsOf(claimed(first))).toEqual(['whsec_first']);
  expect(secretsOf(claimed(Buffer.from(first)))).toEqual(['whsec_first']);
  expect(decrypted).toBe(1);

  readable = false;
  expect(secretsOf(claimed(second, first))).toBeNull();
  readable = true;
  expect(secretsOf(claimed(second, first))).toEqual(['whsec_second', 'whsec_first']);
  expect(decrypted).toBe(3);
});
