import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  dataFolder,
  type Environment,
  freePort,
  ready,
  removeFolder,
  spawnServer,
} from '../support/process.ts';
import { full, scale } from './support/scale.ts';

/** All attempts use one data folder: a failed start must leave it as good as it was. */
test('a taken port is reported in a sentence, nothing is left running, and the next start works', async () => {
  const folder = await dataFolder();
  onTestFinished(() => removeFolder(folder));
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const taken = String((other.address() as { port: number }).port);
  const environment = { DATA_DIR: join(folder, 'data'), PORT: String(await freePort()) };

  const refusals: [Environment, string][] = [
    [
      { METRICS_PORT: taken },
      `Port ${taken} is taken by another program; stop it, or set METRICS_PORT to another.`,
    ],
    [{ PORT: taken }, `Port ${taken} is taken by another program; stop it, or set PORT to another.`],
    [{ HOST: '192.0.2.1' }, '192.0.2.1 is not an address of this machine; set HOST to one that is'],
  ];
  for (const [more, sentence] of scale(refusals, refusals.slice(0, 1))) {
    const refused = spawnServer({ ...environment, ...more });
    expect(await refused.ended, refused.output()).toBe(1);
    expect(refused.output().trim().split('\n'), refused.output()).toHaveLength(1);
    expect(refused.output()).toContain(sentence);
    const left = execFileSync('ps', ['-A', '-ww', '-o', 'args='], { encoding: 'utf8' });
    expect(left.split('\n').filter((line) => line.includes(folder))).toEqual([]);
  }

  if (!full) return;
  const server = spawnServer(environment);
  await ready(server);
  server.kill('SIGTERM');
  expect(await server.ended).toBe(0);
});
