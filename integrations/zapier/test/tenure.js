import { execFile, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = new URL('../../..', import.meta.url).pathname;
const command = ['--disable-warning=ExperimentalWarning', 'src/cli.ts'];

/** A real Tenure with a database of its own; webhooks may go to this machine. */
export async function startTenure() {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-zapier-'));
  chmodSync(folder, 0o711); // as root, Postgres runs as another user and must get in
  const { NODE_ENV: _, ...environment } = process.env;
  const env = {
    ...environment,
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: '',
    SECRET_KEY: '',
    LOG_LEVEL: 'warn',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
  };
  const server = spawn(process.execPath, [...command, 'start'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stopped = new Promise((resolve) => server.once('exit', resolve));
  const stop = async () => {
    server.kill('SIGTERM');
    await stopped;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { url: await addressOf(server, stopped), stop, ...(await makeAccount(env)) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** From the lines it says hello with. */
async function addressOf(server, stopped) {
  const said = new Promise((resolve) => {
    let text = '';
    server.stdout.on('data', (chunk) => {
      text += chunk;
      const [, address] = /Dashboard\s+(\S+)/.exec(text) ?? [];
      if (address) resolve(address);
    });
  });
  const address = await Promise.race([said, stopped]);
  if (typeof address !== 'string') throw new Error('The server did not start.');
  return address;
}

async function makeAccount(env) {
  const tenure = async (...args) => {
    const { stdout } = await promisify(execFile)(process.execPath, [...command, ...args, '--json'], {
      cwd: root,
      env,
    });
    return JSON.parse(stdout);
  };
  const email = 'owner@example.com';
  await tenure('accounts', 'create', '--email', email, '--name', 'Zapier');
  const keyFor = (permission) =>
    tenure('keys', 'create', '--account', email, '--name', permission, '--permission', permission);
  const [writing, reading] = await Promise.all([keyFor('write'), keyFor('read')]);
  return { key: writing.key, readKey: reading.key };
}
