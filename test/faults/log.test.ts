import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ready, spawnServer, until } from '../support/process.ts';
import { preparedSettings } from '../support/servers.ts';
import { thorough } from '../support/thorough.ts';
import { full, scale } from './support/scale.ts';
import { mountSmallDisk } from './support/small-disk.ts';

/** Rounds of fifty requests at once: their log lines are far more than a buffer holds. */
const rounds = scale(10, 4);

test.runIf(full || thorough)(
  'a log whose disk is full stops neither a start, nor the service, nor its end, and continues when there is space',
  async (context) => {
    const disk = mountSmallDisk(context, 1);
    onTestFinished(() => disk.remove());
    const { environment, key } = await preparedSettings({ RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'info' });
    const log = join(disk.folder, 'tenure.log');
    const serve = async () => {
      const server = spawnServer(environment, 'start', log);
      onTestFinished(() => void server.kill('SIGKILL'));
      await ready(server);
      return {
        server,
        ask: (times: number) => Promise.all(Array.from({ length: times }, () => statusAt(server.url, key))),
        async stop() {
          server.kill('SIGTERM');
          expect(await server.ended, server.output()).toBe(0);
        },
      };
    };
    const first = await serve();
    disk.fill();
    for (let n = 0; n < rounds; n++) expect(new Set(await first.ask(50))).toEqual(new Set([200]));
    await first.stop();

    const second = await serve();
    for (let n = 0; n < rounds; n++) expect(new Set(await second.ask(50))).toEqual(new Set([200]));
    disk.empty();
    await until(async () => {
      await second.ask(1);
      return second.server.output().includes('"route":"/api/v1/properties"');
    });
    await second.stop();
    expect(second.server.output()).toContain('"msg":"stopped"');
  },
);

test('a process that has nothing more to do ends, even if its log cannot be written', async () => {
  const output = openSync('/dev/full', 'w');
  const program = `
    import { createLog } from './src/log.ts';
    createLog('info').info('nobody will read this');
    process.exitCode = 3;`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', output, 'ignore'],
  });
  closeSync(output);
  onTestFinished(() => void child.kill('SIGKILL'));
  expect(await once(child, 'exit')).toEqual([3, null]);
});

const statusAt = async (url: string, key: string): Promise<number> => {
  const response = await fetch(`${url}/api/v1/properties`, { headers: { authorization: `Bearer ${key}` } });
  await response.text();
  return response.status;
};

/** Says when it has printed much, and waits for a word before it continues and before it ends. */
const talker = `
  import { once } from 'node:events';
  import { createLog } from './src/log.ts';
  const log = createLog('info');
  for (let n = 0; n < 10_000; n++) log.info({ n }, 'x'.repeat(2_000));
  process.stderr.write('filled');
  await once(process.stdin, 'data');
  const talk = setInterval(() => log.info('more'), 50);
  await once(process.stdin, 'data');
  clearInterval(talk);
  process.stdin.destroy();
`;

test('what cannot be written waits, and what is too much is counted', async (context) => {
  const disk = mountSmallDisk(context, 30);
  onTestFinished(() => disk.remove());
  const path = join(disk.folder, 'log');
  const file = openSync(path, 'a');
  disk.fill();
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', talker], {
    stdio: ['pipe', file, 'pipe'],
  });
  const { stdin, stderr } = child;
  if (stdin === null || stderr === null) throw new Error('It has no pipes.');
  closeSync(file);
  const ended = once(child, 'close');
  await once(stderr, 'data');
  disk.empty();
  stdin.write('go on\n');
  // The last line may still be being written.
  const lines = () =>
    readFileSync(path, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const lost = () => lines().find(({ msg }) => msg === 'log lines could not be written and are lost');
  await until(() => lost() !== undefined);
  stdin.write('end\n');
  expect((await ended)[0]).toBe(0);
  const kept = lines().filter(({ n }) => n !== undefined).length;
  expect(kept).toBeGreaterThan(3_000);
  // Some of the few lines that follow may be lost, too.
  expect(kept + lost().lines).toBeGreaterThanOrEqual(10_000);
  expect(kept + lost().lines).toBeLessThan(10_100);
});
