import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { make } from '../../test/support/records.ts';
import { testService } from '../../test/support/service.ts';
import { loadConfig } from '../config.ts';
import { readSecretKeys } from '../secret-keys/key-file.ts';
import { rotateSecretKey } from '../secret-keys/secret-keys.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import { describeSecret } from './doctor.ts';

test('after a lost key, doctor advises only what is possible: accepted keys need a SECRET_KEY', async () => {
  const service = await testService();
  const { db } = service.database;
  await make.webhook(await service.client());
  const folder = mkdtempSync(join(tmpdir(), 'tenure-doctor-'));
  const config = loadConfig({ DATA_DIR: folder }, '/nonexistent');
  const now = new Date();
  const { current } = readSecretKeys(config, now, []);
  await rotateSecretKey(db, createSecretBox(current), { lost: true, now });

  const told = (given: typeof config) => describeSecret(db, given).catch((error) => error.message);
  const kept = await told(config);
  expect(kept).toContain('1 webhook secrets cannot be read');
  expect(kept).toContain('give these webhooks a new secret');
  expect(kept).not.toContain('SECRET_KEYS_ACCEPTED');
  expect(await told({ ...config, SECRET_KEY: current })).toContain('SECRET_KEYS_ACCEPTED');
  rmSync(folder, { recursive: true });
  await service.close();
});
