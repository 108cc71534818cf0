import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { expectGoesOn, fillInstallation, localTargets } from '../support/installation.ts';
import { tenure } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { ownSettings, preparedSettings } from '../support/servers.ts';

test('an embedded installation, backed up while it serves and restored into another folder, continues there', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const { environment: here } = await preparedSettings(localTargets);
  const there = await ownSettings(localTargets);
  const filled = await fillInstallation(here, receiver);
  onTestFinished(() => filled.server.stop());
  const file = join(here.DATA_DIR, 'all.backup');
  const made = await tenure<{ rows: number }>(here, 'backup', file);
  expect(made).toMatchObject({ encrypted: false, with_secrets: false, holds_key: false });
  expect(made.rows).toBeGreaterThan(5000);
  expect(readdirSync(here.DATA_DIR).filter((name) => name.includes('unfinished'))).toEqual([]);

  const keyFileOf = ({ DATA_DIR }: typeof here) => join(DATA_DIR, 'secret.key');
  const keysOf = (settings: typeof here) => readFileSync(keyFileOf(settings), 'utf8').split('\n');
  copyFileSync(keyFileOf(here), keyFileOf(there));
  await tenure(there, 'restore', file);
  expect(keysOf(there)).toEqual(keysOf(here));

  // One command rotates the key, and it does not do so while a server is running.
  await expect(tenure(here, 'secrets', 'rotate')).rejects.toThrow(/is in use by "tenure start"/);
  expect(await tenure(there, 'secrets', 'rotate')).toMatchObject({ ok: true, renewed: 1 });
  const [key, rotated] = keysOf(there);
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(rotated).toMatch(new RegExp(`^${keysOf(here)[0]} until 20`));
  await expectGoesOn(there, filled, receiver);
});
