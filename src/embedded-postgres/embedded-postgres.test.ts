import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  binariesPackage,
  copyProject,
  type EmbeddedProcess,
  type Reached,
  startProcess,
  until,
} from '../../test/fixtures/embedded-process.ts';
import { thorough } from '../../test/support/thorough.ts';
import {
  DataFolderHeld,
  type EmbeddedOptions,
  type EmbeddedPostgres,
  EmbeddedProblem,
  openEmbedded,
} from './embedded-postgres.ts';
import { isRunning } from './process.ts';

const isRoot = process.getuid?.() === 0;

let scratch: string;
let template: string;
let folders = 0;
const opened: EmbeddedPostgres[] = [];
const processes: EmbeddedProcess[] = [];
let logged: string[] = [];

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'tenure-embedded-'));
  chmodSync(scratch, 0o711);
  template = join(scratch, 'template');
  const postgres = await open({ dataDir: template });
  await query(postgres, 'create table rows (id int primary key)');
  await postgres.stop();
});

beforeEach(() => {
  logged = [];
});

afterEach(async () => {
  for (const postgres of opened.splice(0)) await postgres.stop();
  await endProcesses();
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('a data folder', () => {
  it('is set up at the first start with checksums, UTF-8 and a socket for its user alone, whatever its path', async () => {
    const path = 'fresh/Smith, Jones "and" others/data';
    const postgres = await open({ dataDir: join(scratch, path) });
    expect(postgres.dataDir).toBe(join(realpathSync(scratch), path, 'postgres/cluster'));
    const shown = await query(
      postgres,
      `select current_setting('listen_addresses') listen, current_setting('data_checksums') checksums,
              current_setting('server_encoding') encoding, datlocale locale,
              current_setting('wal_compression') compression
       from pg_database where datname = current_database()`,
    );
    expect(shown).toEqual([
      { listen: '', checksums: 'on', encoding: 'UTF8', locale: 'C.UTF-8', compression: 'off' },
    ]);
    expect(statSync(postgres.connection.host).mode & 0o777).toBe(0o700);
  });

  it('is reached whatever the environment says about other databases', async () => {
    vi.stubEnv('PGSSLMODE', 'require');
    vi.stubEnv('PGOPTIONS', '-c search_path=elsewhere');
    try {
      const postgres = await open({ dataDir: newFolder() });
      expect(await query(postgres, 'show search_path')).toEqual([{ search_path: 'public' }]);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('keeps its rows over a stop and a start, and stop leaves no process', async () => {
    const dataDir = newFolder();
    const first = await open({ dataDir, settings: {} });
    expect(await query(first, "select current_setting('fsync') as fsync")).toEqual([{ fsync: 'on' }]);
    await query(first, 'insert into rows values (1)');
    const pid = postmasterPid(first);
    await first.stop();
    await first.stop();
    expect(isRunning(pid)).toBe(false);
    expect(existsSync(join(first.dataDir, 'postmaster.pid'))).toBe(false);

    const second = await open({ dataDir });
    expect(await query(second, 'select id from rows')).toEqual([{ id: 1 }]);
  });

  it.runIf(thorough).each(['only our process', 'initdb too'])(
    'is not damaged by a first start killed halfway (%s)',
    async (victim) => {
      const dataDir = join(scratch, `interrupted-${folders++}`);
      const fixture = run(dataDir, 'server');
      await until(() => globSync(join(dataDir, 'postgres/cluster.new-*/base')).length > 0);
      const initdb = childrenOf(fixture.pid);
      await kill(fixture);
      if (victim === 'initdb too') for (const pid of initdb) process.kill(pid, 'SIGKILL');
      expect(existsSync(join(dataDir, 'postgres/cluster'))).toBe(false);

      const postgres = await open({ dataDir });
      expect(await query(postgres, 'select 1 as one')).toEqual([{ one: 1 }]);
      await postgres.stop();
      await until(() => !initdb.some(isRunning));
      await open({ dataDir });
      expect(globSync(join(dataDir, 'postgres/cluster.new-*'))).toEqual([]);
    },
  );

  it('starts even if its pid file names a process that is now something else', async () => {
    const dataDir = newFolder();
    const cluster = join(dataDir, 'postgres/cluster');
    const { uid, gid } = statSync(cluster);
    const other = spawn('sleep', ['60'], isRoot ? { uid, gid } : {});
    const lines = [
      other.pid,
      cluster,
      1,
      5432,
      join(dataDir, 'postgres/socket'),
      '',
      '  1 1',
      'ready   ',
      '',
    ];
    writeFileSync(join(cluster, 'postmaster.pid'), lines.join('\n'));
    try {
      const postgres = await open({ dataDir });
      expect(postmasterPid(postgres)).not.toBe(other.pid);
    } finally {
      other.kill('SIGKILL');
    }
  });

  it('does not let its log grow for ever', async () => {
    const dataDir = newFolder();
    const log = join(dataDir, 'postgres/postgres.log');
    appendFileSync(log, 'x'.repeat(11_000_000));
    await open({ dataDir });
    expect(statSync(log).size).toBeLessThan(100_000);
    expect(statSync(`${log}.1`).size).toBeGreaterThan(11_000_000);
  });

  it('says what is wrong when Postgres cannot start', async () => {
    const dataDir = newFolder();
    await expect(open({ dataDir, settings: { shared_buffers: 'plenty' } })).rejects.toThrow(
      /did not start[\s\S]*invalid value for parameter "shared_buffers"/,
    );
    await open({ dataDir });
  });

  it.runIf(thorough)(
    'deep down has its socket in a short path, never in a folder someone else put there',
    async () => {
      const dataDir = join(newFolder(), 'd'.repeat(100));
      const first = await open({ dataDir });
      const { host } = first.connection;
      expect(join(host, '.s.PGSQL.5432').length).toBeLessThan(104);
      expect(statSync(host).mode & 0o777).toBe(0o700);
      await first.stop();
      expect(existsSync(host)).toBe(false);

      mkdirSync(host);
      chmodSync(host, 0o777);
      try {
        const second = await open({ dataDir });
        expect(second.connection.host).not.toBe(host);
        expect(statSync(second.connection.host).mode & 0o777).toBe(0o700);
      } finally {
        rmSync(host, { recursive: true });
      }
    },
  );
});

describe.runIf(thorough)('after kill -9', () => {
  it('of our process, the next start takes Postgres over and stop stops it', async () => {
    const dataDir = newFolder();
    const killed = run(dataDir, 'server');
    const before = await killed.ready();
    await query(before, 'insert into rows values (1)');
    const pid = postmasterPid(before);
    await kill(killed);
    expect(isRunning(pid)).toBe(true);

    const postgres = await open({ dataDir });
    expect(postmasterPid(postgres)).toBe(pid);
    expect(logged).toContain('Postgres was still running, taking it over');
    expect(await query(postgres, 'select id from rows')).toEqual([{ id: 1 }]);
    await postgres.stop();
    expect(isRunning(pid)).toBe(false);
  });

  it('of our process without a restart, Postgres ends by itself and cleanly, with everything that watched it', async () => {
    const dataDir = newFolder();
    const killed = run(dataDir, 'server', { graceSeconds: 1 });
    const { dataDir: cluster } = await killed.ready();
    await kill(killed);
    await until(() => everyProcessOn(cluster).length === 0);
    expect(existsSync(join(cluster, 'postmaster.pid'))).toBe(false);
  });

  it('of one process, the Postgres taken over by the next stays, and so does that of the one after', async () => {
    const dataDir = newFolder();
    const watchdogs: number[] = [];
    // The watchdogs are held up until the third has come, however slow this machine is.
    const killNext = async () => {
      const next = run(dataDir, 'server', { graceSeconds: 1 });
      const pid = postmasterPid(await next.ready());
      const watchdog = await until(() => watchdogOf(pid, next.pid));
      process.kill(watchdog, 'SIGSTOP');
      watchdogs.push(watchdog);
      await kill(next);
      return pid;
    };
    const pid = await killNext();
    expect(await killNext()).toBe(pid);
    const third = await open({ dataDir });
    for (const watchdog of watchdogs) process.kill(watchdog, 'SIGCONT');
    await until(() => !watchdogs.some(isRunning));
    expect(isRunning(pid)).toBe(true);
    expect(postmasterPid(third)).toBe(pid);
    expect(logged).not.toContain('Postgres died, starting it again');
    await third.stop();
    await until(() => everyProcessOn(third.dataDir).length === 0);
  });

  it.each(['started', 'taken over'])(
    'of a Postgres that was %s, it is back by itself with every row',
    async (how) => {
      const dataDir = newFolder();
      if (how === 'taken over') {
        const killed = run(dataDir, 'server');
        await killed.ready();
        await kill(killed);
      }
      const postgres = await open({ dataDir });
      // Connections are in use: their backends outlive the postmaster for a moment and block the next one.
      const pool = new pg.Pool({ ...postgres.connection, max: 5 });
      pool.on('error', () => {});
      await Promise.all([1, 2, 3, 4, 5].map((id) => pool.query('insert into rows values ($1)', [id])));
      const pid = postmasterPid(postgres);
      process.kill(pid, 'SIGKILL');

      await until(() => !isRunning(pid));
      const rows = await until(() =>
        query(postgres, 'select count(*)::int from rows').catch(() => undefined),
      );
      expect(rows).toEqual([{ count: 5 }]);
      expect(postmasterPid(postgres)).not.toBe(pid);
      await pool.end();
    },
  );

  it('of Postgres while it is being restarted, stop still ends everything', async () => {
    const postgres = await open({ dataDir: newFolder() });
    process.kill(postmasterPid(postgres), 'SIGKILL');
    await until(() => logged.includes('Postgres died, starting it again'));
    await postgres.stop();
    expect(processesOn(postgres.dataDir)).toEqual([]);
  });
});

describe('two at once', () => {
  it('a second server learns who has the folder, and the first is not disturbed', async () => {
    const dataDir = newFolder();
    const first = run(dataDir, 'server');
    const postgres = await first.ready();
    const pid = postmasterPid(postgres);

    const refused = await open({ dataDir }).catch((error) => error);
    expect(refused).toBeInstanceOf(DataFolderHeld);
    expect(refused.message).toMatch(
      new RegExp(
        `^The data folder ${dataDir} is in use by "fixture server" \\(process ${first.pid}, since 2.*DATA_DIR`,
      ),
    );
    expect(postmasterPid(postgres)).toBe(pid);
    expect(await query(postgres, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('if many servers start together, exactly one wins', async () => {
    const dataDir = newFolder();
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => open({ dataDir })));
    const lost = results.filter((result) => result.status === 'rejected');
    expect(lost.map(({ reason }) => reason.name)).toEqual(Array(3).fill('DataFolderHeld'));
  });

  it("a command shares the server's Postgres and leaves it running", async () => {
    const dataDir = newFolder();
    const server = run(dataDir, 'server');
    const pid = postmasterPid(await server.ready());
    const command = await open({ dataDir, role: 'command' });
    expect(await query(command, 'select 1 as one')).toEqual([{ one: 1 }]);
    await command.stop();
    expect(isRunning(pid)).toBe(true);
    await stop(server);
    expect(isRunning(pid)).toBe(false);
  });

  it('a command without a server runs Postgres for the moment', async () => {
    const command = run(newFolder(), 'command');
    const pid = postmasterPid(await command.ready());
    await stop(command);
    expect(isRunning(pid)).toBe(false);
  });

  it.each(['command', 'server'] as const)('a %s waits for a command to end', async (role) => {
    const dataDir = newFolder();
    const first = await open({ dataDir, role: 'command' });
    let isOpen = false;
    const second = open({ dataDir, role }).then((postgres) => {
      isOpen = true;
      return postgres;
    });
    expect(await query(first, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(isOpen).toBe(false);
    await first.stop();
    expect(await query(await second, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it.each(['command', 'server'] as const)('a %s waits for a server that is stopping', async (role) => {
    const dataDir = newFolder();
    const stopping = run(dataDir, 'server');
    await stopping.ready();
    stopping.signal('SIGTERM');
    await until(
      () => !existsSync(join(dataDir, 'postgres/holder.json')) || /stopping/.test(holderOf(dataDir)),
    );
    const postgres = await open({ dataDir, role });
    expect(await query(postgres, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('Ctrl-C reaches us and not Postgres', async () => {
    const terminal = run(newFolder(), 'server');
    const pid = postmasterPid(await terminal.ready());
    process.kill(-terminal.pid, 'SIGINT');
    await terminal.ended;
    expect(isRunning(pid)).toBe(true);
  });
});

describe('the binaries', () => {
  it('that are not installed are named, with DATABASE_URL as the way out', async () => {
    const project = join(scratch, 'without-binaries');
    copyProject(project, { binaries: false });
    const fixture = run(newFolder(), 'server', { project });
    const { message } = await fixture.line('failed');
    expect(message).toContain(binariesPackage);
    expect(message).toContain('DATABASE_URL');
  });

  it('get the library links they lack when install scripts did not run', async () => {
    const project = join(scratch, 'without-links');
    copyProject(project, { binaries: true });
    const library = join(project, 'node_modules', binariesPackage, 'native/lib');
    const links = globSync(`${library}/*`).filter((path) => lstatSync(path).isSymbolicLink());
    for (const link of links) rmSync(link);
    const fixture = run(newFolder(), 'server', { project });
    await fixture.ready();
    expect(links.filter((link) => !existsSync(link))).toEqual([]);
  });
});

describe.skipIf(!isRoot)('as root below a folder others cannot enter', () => {
  const shared = '/var/lib/tenure';
  it('Postgres has its data and programs where its user reaches them, and finds them again', async () => {
    const closed = mkdtempSync(join(tmpdir(), 'tenure-closed-'));
    try {
      const project = join(closed, 'project');
      copyProject(project, { binaries: true });
      const first = run(join(closed, 'data'), 'server', { project });
      const { log } = await first.line('log');
      expect(log).toContain(`its data is in ${shared}/`);
      expect(log).toContain(`its programs in ${shared}/postgres-`);
      const postgres = await first.ready();
      expect(dirname(dirname(postgres.dataDir))).toBe(shared);
      await query(postgres, 'create table found_again ()');
      await stop(first);

      const second = await run(join(closed, 'data'), 'server', { project }).ready();
      expect(second.dataDir).toBe(postgres.dataDir);
      expect(await query(second, 'select from found_again')).toEqual([]);
    } finally {
      await endProcesses();
      rmSync(realpathSync(join(closed, 'data/postgres')), { recursive: true });
      rmSync(closed, { recursive: true });
    }
  });

  it('data on a disk of its own stays there, or is refused: elsewhere it would go with the container', async (context) => {
    const closed = mkdtempSync(join(scratch, 'closed-'));
    const dataDir = join(closed, 'data');
    mkdirSync(dataDir);
    if (spawnSync('mount', ['-t', 'tmpfs', 'tenure-test', dataDir]).status !== 0) {
      return context.skip('needs the right to mount');
    }
    try {
      const refused = await open({ dataDir }).catch((error) => error);
      expect(refused).toBeInstanceOf(EmbeddedProblem);
      expect(refused.message).toMatch(/is on a disk of its own.*chmod o\+x/);
      expect(readdirSync(dataDir)).toEqual([]);
    } finally {
      spawnSync('umount', [dataDir]);
    }
  });

  it('a root that may not become another user gets an error, and no link is left', (context) => {
    const dataDir = join(scratch, 'few-rights');
    const drop = ['--bounding-set=-setuid,-setgid'];
    if (spawnSync('setpriv', [...drop, 'true']).status !== 0) return context.skip('needs setpriv');
    const fixture = join(import.meta.dirname, '../../test/fixtures/hold-embedded.ts');
    const { stdout } = spawnSync('setpriv', [...drop, process.execPath, fixture, dataDir, 'server'], {
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout)).toEqual({
      failed: 'EmbeddedProblem',
      message: expect.stringMatching(/this root may not become another user.*an ordinary user/),
    });
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('data that belongs to a user already stays with that user', async () => {
    const dataDir = newFolder();
    execFileSync('chown', ['-R', 'daemon', join(dataDir, 'postgres/cluster')]);
    const postgres = await open({ dataDir });
    const owner = statSync(`/proc/${postmasterPid(postgres)}`).uid;
    expect(owner).toBe(statSync(postgres.dataDir).uid);
    expect(owner).toBe(Number(execFileSync('id', ['-u', 'daemon'])));
  });
});

it.runIf(process.platform === 'linux')(
  'a connection gives back what it took for a large statement',
  async () => {
    const client = new pg.Client((await open({ dataDir: newFolder() })).connection);
    await client.connect();
    const { rows } = await client.query('select pg_backend_pid() as pid');
    const keptMb = (): number =>
      Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${rows[0].pid}/status`, 'utf8'))?.[1]) / 1024;
    const ask = async (parts: number): Promise<void> => {
      const counts = Array.from(
        { length: parts },
        (_, n) => `(select count(*) from pg_class where oid = ${n})`,
      );
      await client.query(`select ${counts.join(' + ')}`);
    };
    // It keeps what it has cached about tables.
    await ask(1);
    const atRestMb = keptMb();
    for (const parts of [50, 200, 400]) await ask(parts);
    expect(keptMb() - atRestMb).toBeLessThan(5);
    await client.end();
  },
);

async function open(options: Partial<EmbeddedOptions> & { dataDir: string }): Promise<EmbeddedPostgres> {
  const note = (_about: object, message: string) => void logged.push(message);
  const postgres = await openEmbedded({
    role: 'server',
    purpose: 'this test',
    log: { info: note, warn: note, error: note },
    settings: { fsync: 'off' },
    ...options,
  });
  opened.push(postgres);
  return postgres;
}

/** A folder that is already set up, with an empty table `rows`. */
function newFolder(): string {
  const folder = join(scratch, `data-${folders++}`);
  execFileSync('cp', ['-a', template, folder]);
  return folder;
}

async function query({ connection }: Reached, sql: string): Promise<object[]> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

function postmasterPid({ dataDir }: Reached): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8'), 10);
}

function holderOf(dataDir: string): string {
  return readFileSync(join(dataDir, 'postgres/holder.json'), 'utf8');
}

const processesOn = (cluster: string): string[] =>
  everyProcessOn(cluster).filter((line) => line.includes(`-D ${cluster}`));

function everyProcessOn(cluster: string): string[] {
  const all = execFileSync('ps', ['-A', '-ww', '-o', 'command='], { encoding: 'utf8' });
  return all.split('\n').filter((line) => line.includes(cluster));
}

/** The process that stops this Postgres when this server is gone. */
function watchdogOf(postmaster: number, server: number): number | undefined {
  const all = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' });
  const told = new RegExp(`^ *(\\d+) /bin/sh .*tenure-watchdog ${postmaster} ${server} `, 'm').exec(all);
  return told ? Number(told[1]) : undefined;
}

function childrenOf(parent: number): number[] {
  const all = execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' });
  const pairs = all
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.flatMap(([ppid, pid]) => (ppid === parent && pid ? [pid] : []));
}

function run(...args: Parameters<typeof startProcess>): EmbeddedProcess {
  const started = startProcess(...args);
  processes.push(started);
  return started;
}

async function stop(started: EmbeddedProcess): Promise<void> {
  started.signal('SIGTERM');
  // It ends by itself, since nothing of ours keeps it alive.
  expect(await started.ended).toEqual([0, null]);
}

async function kill(started: EmbeddedProcess): Promise<void> {
  started.signal('SIGKILL');
  await started.ended;
}

/** Kills all of them and stops what they may have left running. */
async function endProcesses(): Promise<void> {
  const ended = processes.splice(0);
  await Promise.all(ended.map(kill));
  for (const dataDir of new Set(ended.map((process) => process.dataDir))) {
    const left = await open({ dataDir, role: 'command' });
    await left.stop();
  }
}
