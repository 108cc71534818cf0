import { expect, onTestFinished, test } from 'vitest';
import { localTargets } from '../../test/support/installation.ts';
import { type Environment, tenure } from '../../test/support/process.ts';
import { startReceiver } from '../../test/support/receiver.ts';
import { preparedSettings, serveHere } from '../../test/support/servers.ts';
import { thorough } from '../../test/support/thorough.ts';
import { loadConfig } from '../config.ts';
import { sign, signingKey } from '../deliveries/sending/sign.ts';
import { keyFileFor, rotateKeyFile } from './key-file.ts';

/* `tenure secrets rotate` was killed a month ago, after it had written the key file. */

interface Doctor {
  findings: { name: string; ok: boolean; message: string }[];
}

/** What doctor finds out about the key. A problem changes only the exit code, not the form of the output. */
async function secretOf(environment: Environment) {
  const { findings } = await tenure<Doctor>(environment, 'doctor').catch(
    ({ stdout }: { stdout: string }) => JSON.parse(stdout) as Doctor,
  );
  return findings.find(({ name }) => name === 'secret');
}

test.runIf(thorough)(
  'an interrupted rotation is reported, stops no start after its date, and is finished by the next one',
  async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const { environment, key } = await preparedSettings(localTargets);
    const config = loadConfig(environment, '/nonexistent');
    const serving = async (work: (post: Post) => Promise<void>) => {
      const server = await serveHere(environment, 'start');
      try {
        await work(async (path, body) => {
          const headers = { authorization: `Bearer ${key}` };
          const request = { method: 'POST', headers, body: JSON.stringify(body) };
          const response = await fetch(`${server.url}/api/v1${path}`, request);
          return ((await response.json()) as { data: { secret: string } }).data;
        });
      } finally {
        await server.stop();
      }
    };
    type Post = (path: string, body: object) => Promise<{ secret: string }>;
    let secret = '';
    await serving(async (post) => {
      ({ secret } = await post('/webhooks', { url: receiver.url(), events: ['property.created'] }));
    });
    const delivered = async (post: Post, count: number) => {
      await post('/properties', { name: 'Maple Court' });
      const sent = (await receiver.count(count)).at(-1);
      const header = sent?.headers['x-service-signature'] ?? '';
      const timestamp = Number(/^t=(\d+)/.exec(header)?.[1]);
      expect(header).toBe(sign({ keys: [signingKey(secret)], timestamp, body: sent?.body ?? '' }));
    };

    const [old] = keyFileFor(config, []) ?? [];
    const lastMonth = new Date(Date.now() - 31 * 86_400_000);
    rotateKeyFile(config, new Date(Date.now() - 86_400_000), lastMonth, []);
    const found = await secretOf(environment);
    expect(found).toMatchObject({ ok: false, message: expect.stringContaining('was interrupted') });
    expect(found?.message).toContain('run `tenure secrets rotate` again');
    await serving((post) => delivered(post, 1));
    expect(await secretOf(environment)).toMatchObject({ ok: false });

    expect(await tenure(environment, 'secrets', 'rotate')).toMatchObject({ ok: true, renewed: 1 });
    expect(await secretOf(environment)).toMatchObject({ ok: true });
    await serving((post) => delivered(post, 2));
    await tenure(environment, 'secrets', 'rotate');
    expect(keyFileFor(config, [])?.join()).not.toContain(old);
  },
);
