import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { BenchDatabase, BenchPostgres } from '../lib/postgres.ts';
import { alternate, type Contender } from '../lib/rounds.ts';
import { ratio, short, showSpread, spread } from '../lib/stats.ts';
import { valuesOf } from '../lib/suite.ts';
import { startTenure } from '../lib/tenure.ts';

/*
 * Is one checkout quicker than another? They are measured in turn within one run: on a shared machine, the numbers of
 * two runs cannot be compared. Naming a checkout twice shows how far apart equals are.
 */

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' }, quick: { type: 'boolean', default: false } },
});
if (positionals.length === 0) {
  console.error(
    'npm run bench -- compare api|delivery|history|neighbours|statements PATH… [--rounds 9] [--quick]\n' +
      'The others are compared with the first. --quick only shows whether it works.',
  );
  process.exit(1);
}

export const checkouts: { name: string; path: string }[] = positionals.map((path, at) => ({
  name: `${at}_${basename(resolve(path))}`,
  path: resolve(path),
}));

export const { quick } = flags;
export const rounds = quick ? 1 : Number(flags.rounds);

interface Server {
  name: string;
  pid: number;
  url: string;
}

/** `tenure api` of each checkout, on its own prepared database. */
export async function openServers<Prepared>(
  opened: AsyncDisposableStack,
  postgres: BenchPostgres,
  prepare: (made: BenchDatabase) => Promise<Prepared>,
): Promise<(Prepared & Server)[]> {
  const servers: (Prepared & Server)[] = [];
  for (const { name, path } of checkouts) {
    const made = await postgres.createDatabase(name);
    // It migrates before we do: a checkout may know fewer migrations.
    const { pid, url } = opened.use(await startTenure('api', { DATABASE_URL: made.url }, path));
    servers.push({ ...(await prepare(made)), name, pid, url: `${url}/api/v1` });
    console.error(`${name} is ready`);
  }
  return servers;
}

/** Measures in turn and prints every number, with its ratio to the first one's. */
export async function compare<Key extends string>(
  title: string,
  contenders: Contender<Key>[],
): Promise<void> {
  const options = { rounds, say: (line: string) => console.error(line) };
  const samples = await alternate(contenders, options);
  const [first = ''] = samples.keys();
  const keys = Object.keys(samples.get(first)?.[0] ?? {}) as Key[];
  console.log(`\n${title}\n| | ${keys.map((key) => `${key} | to the first`).join(' | ')} |`);
  console.log(`|---|${'---|---|'.repeat(keys.length)}`);
  for (const name of samples.keys()) {
    const cells = keys.flatMap((key) => {
      const own = valuesOf(samples, name, key);
      return [short(spread(own).median), showSpread(ratio(own, valuesOf(samples, first, key)))];
    });
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
}
