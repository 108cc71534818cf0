import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { backUp } from '../backup/backup.ts';
import { describeSecret } from '../cli/doctor/doctor.ts';
import { loadConfig } from '../config.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import { keyFile, keyFileFor } from './key-file.ts';
import { checkSecretKeys, secretKeysFor } from './secret-keys.ts';

test('a missing key file stops the start and the backup, and is replaced only on request', async () => {
  const { db, drop } = await testDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'tenure-lost-key-'));
  onTestFinished(async () => {
    rmSync(folder, { recursive: true });
    await drop();
  });
  const config = loadConfig({ DATA_DIR: folder }, '/nonexistent');
  const now = new Date();
  const { current } = await secretKeysFor(db, config, now);
  await checkSecretKeys(db, createSecretBox(current), now);
  rmSync(keyFile(config));

  const sentence = `${keyFile(config)} is missing, and the data is encrypted with its key: restore it from a backup`;
  const backup = join(folder, 'all.tenure');
  const backedUp = () => backUp(db, backup, { secrets: (inUse) => keyFileFor(config, inUse), now });
  await expect(secretKeysFor(db, config, now)).rejects.toThrow(sentence);
  await expect(describeSecret(db, config)).rejects.toThrow(sentence);
  await expect(backedUp()).rejects.toThrow(sentence);
  expect(existsSync(keyFile(config)) || existsSync(backup)).toBe(false);

  // A new key file is not backed up as if it contained the lost key.
  expect((await secretKeysFor(db, config, now, { lost: true })).current).not.toBe(current);
  await expect(backedUp()).rejects.toThrow('does not contain the key that the data is encrypted with');
  expect(existsSync(backup)).toBe(false);
});
