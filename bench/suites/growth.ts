import { makeManyRecords, type Sizes } from '../../test/support/many-records.ts';
import { growthOf, type ListTimes, timeLists } from '../growth/lists.ts';
import { timeQueue } from '../growth/queue.ts';
import { openDatabase, type TenureDatabase } from '../lib/database.ts';
import { type BenchPostgres, openPostgres } from '../lib/postgres.ts';
import { alternate } from '../lib/rounds.ts';
import { short, spread } from '../lib/stats.ts';
import { bar, type RunOptions, ratioBar, type Section, type Suite, section } from '../lib/suite.ts';

const most = 1.5;

const queues = {
  small: 'ten thousand finished, 100 endpoints',
  finished: 'millions finished, 100 endpoints',
  endpoints: 'millions finished, 10,000 endpoints',
};

export const suite: Suite = {
  title: 'Growth',
  rounds: 3,
  async run(options) {
    const sizes = sizesFor(options.quick);
    await using postgres = await openPostgres('growth');
    await using small = await openFilled(postgres, 'ten_thousand', sizes.small, options);
    await using large = await openFilled(postgres, 'millions', sizes.large, options);
    const queue = (name: string, { db }: TenureDatabase, endpoints: number) => ({
      name,
      async measure() {
        await postgres.settle();
        return timeQueue(db, endpoints);
      },
    });
    const contenders = [
      queue(queues.small, small, sizes.small.endpoints),
      queue(queues.finished, large, sizes.small.endpoints),
      queue(queues.endpoints, large, sizes.large.endpoints),
    ];
    const times = await alternate(contenders, options);
    const lists = await timeLists({ small: small.db, large: large.db }, options);
    const queueBar = (what: 'claim' | 'settle', grown: 'finished' | 'endpoints') =>
      ratioBar(`${what}, by ${grown}`, times, `${what}Ms`, [queues[grown], queues.small], ['≤', most]);
    const worst = `p50 of a page of any list, the worst of ${lists.length}`;
    return {
      intro,
      settings: Object.fromEntries(
        Object.entries(sizes.small).map(([name, few]) => [
          name,
          `${few} and ${sizes.large[name as keyof typeof sizes.large]}`,
        ]),
      ),
      versions: { postgres: postgres.version },
      bars: [
        bar(worst, '≤', most, '×', Math.max(...lists.map(growthOf))),
        queueBar('claim', 'finished'),
        queueBar('settle', 'finished'),
        queueBar('claim', 'endpoints'),
        queueBar('settle', 'endpoints'),
      ],
      sections: [
        byList(lists),
        section('A hundred deliveries at a time', times, { claimMs: 'claim ms', settleMs: 'settle ms' }),
      ],
    };
  },
};

const intro = `The same account with ten thousand and with millions of payments, on one Postgres. Each list is asked
with every combination of its filters, read out of the table of routes, in turn on both. Where the small account has
less than a page of what is asked for, both are asked for as many records as it has. Claim and settle are the worker's
own statements, timed beside few and many finished deliveries, and with something queued for few and for many
endpoints.`;

/** What one account has; for accounts and endpoints, how many there are in total. */
function sizesFor(quick: boolean): Record<'small' | 'large', Sizes> {
  const of = (many: number) => ({ payments: many, charges: many, deliveries: many, queued: 0 });
  const few = 10_000;
  const many = quick ? 50_000 : 2_000_000;
  const endpoints = quick ? 1_000 : 10_000;
  return {
    small: { ...of(few), maintenance: few, events: few, accounts: 10, endpoints: 100 },
    large: { ...of(many), maintenance: many / 10, events: many / 5, accounts: many / 5_000, endpoints },
  };
}

async function openFilled(
  postgres: BenchPostgres,
  name: string,
  sizes: Sizes,
  { say }: RunOptions,
): Promise<TenureDatabase> {
  const started = performance.now();
  // One connection, so that every statement finds the plan it had before.
  const database = await openDatabase(await postgres.createDatabase(name), 1);
  await makeManyRecords(database.client, sizes);
  await postgres.settle();
  say(`${sizes.payments} payments made in ${Math.round((performance.now() - started) / 1000)} s`);
  return database;
}

function byList(lists: ListTimes[]): Section {
  const paths = [...new Set(lists.map(({ path }) => path))];
  return {
    title: 'Lists',
    columns: ['list', 'combinations', 'p50 ms, small', 'p50 ms, large', 'grown, median', 'most'],
    rows: paths.map((path) => {
      const own = lists.filter((times) => times.path === path);
      const columns = [
        own.map(({ smallMs }) => smallMs),
        own.map(({ largeMs }) => largeMs),
        own.map(growthOf),
      ];
      const medians = columns.map((values) => short(spread(values).median));
      return [`\`${path}\``, String(own.length), ...medians, short(Math.max(...own.map(growthOf)))];
    }),
  };
}
