import { type ChildProcess, execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { account, end, firstEnd, launch, logsIn, within } from './programs.ts';

/** What has to be installed. */
export const packages = ['postgresql-15', 'patroni', 'python3-etcd', 'etcd-server', 'haproxy'];

const bin = '/usr/lib/postgresql/15/bin';
const names = ['node1', 'node2', 'node3'];

interface Node {
  name: string;
  folder: string;
  rest: string;
  postgres: string;
  patroni: ChildProcess | undefined;
}

interface Member {
  name: string;
  role: string;
  state: string;
}

/**
 * A highly available Postgres: three nodes managed by Patroni, etcd to agree on the primary, HAProxy as the address.
 * Everything is on loopback, in one folder and on its own ports. No service of the machine is touched.
 */
interface Cluster {
  folder: string;
  /** The service's own database, through HAProxy. */
  url: string;
  primary(): Promise<string>;
  /** Waits until there is a primary and a synchronous standby, and all nodes are healthy. */
  healthy(): Promise<void>;
  /** Kills a node: its Patroni and its Postgres. */
  kill(name: string): void;
  /** Kills only its Postgres. Patroni restarts it, or promotes another node. */
  killPostgres(name: string): void;
  /** Starts a killed node, which comes back as a standby. */
  revive(name: string): void;
  /** Makes another node the primary, in good order. */
  switchover(): Promise<void>;
  stop(): Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-cluster-'));
  own(folder);
  const ports = await freePorts(3 + 2 * names.length);
  const address = () => `127.0.0.1:${ports.pop()}`;
  const [client, peer, listen] = [address(), address(), address()];
  const password = randomBytes(16).toString('hex');
  const nodes: Node[] = names.map((name) => {
    const node = {
      name,
      folder: join(folder, name),
      rest: address(),
      postgres: address(),
      patroni: undefined,
    };
    mkdirSync(node.folder, { mode: 0o700 });
    own(node.folder);
    const values = { ...node, etcd: client, bin, password };
    writeOwn(configOf(node), fill('patroni.yml', values));
    return node;
  });
  const servers = nodes.map(
    ({ name, rest, postgres }) =>
      `  server ${name} ${postgres} check addr ${rest.split(':')[0]} port ${rest.split(':')[1]}`,
  );
  writeOwn(join(folder, 'haproxy.cfg'), fill('haproxy.cfg', { listen, servers: servers.join('\n') }));

  const etcd = launch(
    'etcd',
    [
      ...['--name', 'etcd', '--data-dir', join(folder, 'etcd'), '--log-outputs', 'stderr'],
      ...['--listen-client-urls', `http://${client}`, '--advertise-client-urls', `http://${client}`],
      ...['--listen-peer-urls', `http://${peer}`, '--initial-advertise-peer-urls', `http://${peer}`],
      ...['--initial-cluster', `etcd=http://${peer}`],
    ],
    folder,
    join(folder, 'etcd.log'),
  );
  const haproxy = launch(
    '/usr/sbin/haproxy',
    ['-db', '-f', join(folder, 'haproxy.cfg')],
    folder,
    join(folder, 'haproxy.log'),
  );

  async function members(): Promise<Member[]> {
    for (const { rest } of nodes) {
      const answer = await fetch(`http://${rest}/cluster`, { signal: AbortSignal.timeout(2_000) }).catch(
        () => null,
      );
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
    }
    return [];
  }

  async function primary(): Promise<string> {
    const leader = (await members()).find(({ role }) => role === 'leader');
    if (!leader) throw new Error('There is no primary now.');
    return leader.name;
  }

  async function isHealthy(): Promise<boolean> {
    const all = await members();
    const of = (role: string) => all.filter((member) => member.role === role).length;
    const up = all.filter(({ state }) => state === 'running' || state === 'streaming').length;
    return of('leader') === 1 && of('sync_standby') === 1 && up === names.length;
  }

  const nodeOf = (name: string): Node => {
    const node = nodes.find((one) => one.name === name);
    if (!node) throw new Error(`There is no node ${name}.`);
    return node;
  };

  function revive(name: string): void {
    const node = nodeOf(name);
    node.patroni = launch('patroni', [configOf(node)], node.folder, join(folder, `${name}.log`));
  }

  function kill(name: string): void {
    const node = nodeOf(name);
    node.patroni?.kill('SIGKILL');
    killPostmaster(node.folder);
  }

  const killPostgres = (name: string): void => killPostmaster(nodeOf(name).folder);

  let stopped: Promise<void> | undefined;
  async function stopAll(): Promise<void> {
    // Patroni stops its Postgres. The standbys stop first, or one of them would take over.
    const leader = await primary().catch(() => '');
    for (const { name, patroni } of nodes) if (name !== leader) await end(patroni);
    for (const { patroni } of nodes) await end(patroni);
    for (const node of nodes) killPostmaster(node.folder);
    await end(haproxy);
    await end(etcd);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }

  function stop(): Promise<void> {
    stopped ??= stopAll();
    return stopped;
  }

  const url = `postgres://tenure:${password}@${listen}/tenure`;
  try {
    for (const { name } of nodes) revive(name);
    const ended = firstEnd([etcd, haproxy, ...nodes.flatMap(({ patroni }) => patroni ?? [])]);
    await Promise.race([within(120_000, 'The cluster is healthy', isHealthy), ended]);
    await createDatabase(listen, password);
  } catch (error) {
    const said = logsIn(folder);
    await stop();
    throw new Error(`${(error as Error).message}\n${said}`);
  }

  return {
    folder,
    url,
    primary,
    kill,
    killPostgres,
    revive,
    stop,
    healthy: () => within(120_000, 'The cluster is healthy', isHealthy),
    async switchover() {
      const before = await primary();
      const [node] = nodes;
      const args = ['-c', configOf(node ?? nodeOf('node1')), 'switchover', '--master', before, '--force'];
      await promisify(execFile)('patronictl', args, {
        ...account,
        cwd: folder,
        env: { ...process.env, HOME: folder, LC_ALL: 'C.UTF-8' },
      });
      await within(60_000, 'Another primary', async () => (await primary()) !== before);
    },
  };
}

const configOf = ({ folder }: { folder: string }): string => join(folder, 'patroni.yml');

/** Creates a role and a database for the service, as an operator would. */
async function createDatabase(listen: string, password: string): Promise<void> {
  await within(30_000, 'HAProxy leads to the primary', async () => {
    const admin = new pg.Client({ connectionString: `postgres://postgres:${password}@${listen}/postgres` });
    admin.on('error', () => undefined);
    try {
      await admin.connect();
      await admin.query(`create role tenure login password '${password}'`);
      await admin.query('create database tenure owner tenure');
      return true;
    } finally {
      await admin.end();
    }
  });
}

function killPostmaster(folder: string): void {
  try {
    process.kill(Number(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ESRCH') throw error;
  }
}

function fill(template: string, values: Record<string, unknown>): string {
  const text = readFileSync(new URL(template, import.meta.url), 'utf8');
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]));
}

function writeOwn(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
  own(path);
}

function own(path: string): void {
  if (account) chownSync(path, account.uid, account.gid);
}

/** All are held until all are known, so that no port comes twice. */
async function freePorts(count: number): Promise<number[]> {
  const probes = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(probes.map((probe) => once(probe, 'listening')));
  const ports = probes.map((probe) => {
    const address = probe.address();
    if (address === null || typeof address === 'string') throw new Error('No port.');
    return address.port;
  });
  await Promise.all(probes.map((probe) => once(probe.close(), 'close')));
  return ports;
}
