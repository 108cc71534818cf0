import { startChild } from '../lib/child.ts';
import { versionsOf } from '../lib/machine.ts';
import { openPostgres } from '../lib/postgres.ts';
import { alternate } from '../lib/rounds.ts';
import { ratioBar, type Samples, type Suite, section } from '../lib/suite.ts';
import { startTenure } from '../lib/tenure.ts';
import { openAccount, seededPayments } from '../servers/account.ts';
import { checkedCreates, checkSamePages, checkSameRows, type Server } from '../servers/checks.ts';
import { connections, type LoadKey, load, wrkVersion } from '../servers/wrk.ts';

const peer = 'node:http + pg, rows by hand';
/** Tenure's rate is at least this many times the peer's. */
const atLeast = 1.6;
/** The default of Tenure's, for both. */
const poolSize = 10;
const listPath = '/payments?limit=100';
/** A server runs for weeks, and Node compiles what it runs for the first ten to twenty seconds of such a load. */
const seconds = { warmUp: 15, measured: 5 };

export const suite: Suite = {
  title: 'API',
  rounds: 3,
  async run({ quick, rounds, say }) {
    const wrk = wrkVersion();
    await using postgres = await openPostgres('api');
    await using account = await openAccount(await postgres.createDatabase('api'));
    const { db, key, bodies, connection } = account;
    await using tenure = await startTenure('api', { DATABASE_URL: account.url });
    await using child = startChild(new URL('../servers/raw-rows.ts', import.meta.url));
    const port = await child.call<number>('start', { connection, max: poolSize });
    const servers: Server[] = [
      { name: 'Tenure', pid: tenure.pid, url: `${tenure.url}/api/v1` },
      { name: peer, pid: child.pid, url: `http://127.0.0.1:${port}/api/v1` },
    ];
    const inTurn = (measure: (server: Server, duration: number) => Promise<Record<LoadKey, number>>) => {
      const duration = (round: number) => (quick ? 1 : round === 0 ? seconds.warmUp : seconds.measured);
      const contenders = servers.map((server) => ({
        name: server.name,
        measure: (round: number) => measure(server, duration(round)),
      }));
      return alternate(contenders, { rounds, say });
    };
    const pageBytes = await checkSamePages(servers, key, listPath);
    const lists = await inTurn(async ({ name, pid, url }, duration) => {
      const done = await load(postgres, { pid, url: url + listPath, key, seconds: duration });
      if (done.bytes / done.requests < pageBytes) throw new Error(`${name} did not send whole pages.`);
      return done.sample;
    });
    await checkSameRows(servers, key, db);
    const creates = await inTurn(async ({ name, pid, url }, duration) => {
      const asked = { pid, url: `${url}/payments`, key, seconds: duration, bodies };
      return (await checkedCreates(name, db, () => load(postgres, asked))).sample;
    });
    const promise = (text: string, samples: Samples<LoadKey>) =>
      ratioBar(`${text}, Tenure to ${peer}`, samples, 'perSecond', ['Tenure', peer], ['≥', atLeast]);
    return {
      intro,
      settings: {
        connections,
        'pool of each': poolSize,
        'payments at the start': seededPayments,
        'seconds of each measurement': seconds.measured,
        'seconds before, to warm up each server': seconds.warmUp,
      },
      versions: { wrk, postgres: postgres.version, ...versionsOf('pg') },
      bars: [promise('List of 100 payments', lists), promise('Create a payment', creates)],
      sections: [
        section('List of 100 payments', lists, columns, { name: 'api-list', title: 'Lists a second' }),
        section('Create a payment', creates, columns, { name: 'api-create', title: 'Payments a second' }),
      ],
    };
  },
};

const intro = `Tenure's own server as users run it (\`tenure api\`: rate limit on, though too high to refuse anyone,
its log in a file) beside a server written by hand, the quickest way to do the same on the same tables with the same
data: a page of 100 payments of one account, with its ETag and a link to the next page, and a new payment with its
event and one queued delivery, committed together. Both remember the key in the same way. Every round checks the
answers, and that each create left its three rows. Processor time is in microseconds for each request.`;

const columns: Record<LoadKey, string> = {
  perSecond: 'requests/s',
  p50Ms: 'p50 ms',
  p99Ms: 'p99 ms',
  serverUs: 'µs in the server',
  postgresUs: 'µs in PostgreSQL',
};
