import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from '../lib/machine.ts';
import { drawLines, shortNumber } from '../lib/plot.ts';
import { table, wrapped } from '../lib/report.ts';
import { short, spread } from '../lib/stats.ts';
import { root } from '../lib/tenure.ts';
import { limits, prices, requestsPerMonth, workload } from './assumptions.ts';
import type { Check, Run } from './check.ts';
import { type Cost, type Costs, kindNames, kinds, totalOf } from './costs.ts';
import { bytesOf, limitsOf, loadOf, type Machines, midnightOf, planOf, useOf } from './model.ts';
import type { Nodes, Piece } from './nodes.ts';
import { type Predicted, simulate } from './queue.ts';

export const files = {
  costs: 'bench/results/scale/costs.json',
  cluster: 'bench/results/scale/cluster.json',
  nodes: 'bench/results/scale/nodes.json',
  check: 'bench/results/scale/check.json',
  template: 'bench/scale/scale.md',
  page: 'docs/scale.md',
  picture: 'docs/images/scale-cores.svg',
};

interface Measured {
  costs: Costs;
  /** The same on a coordinator and its nodes. */
  cluster: Costs;
  nodes: Nodes;
  check: Check;
}

export function readMeasured(): Measured {
  const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const costs = read(files.costs) as Costs;
  return {
    costs,
    // A coordinator does not know how much its nodes store. A row takes as much there.
    cluster: { ...(read(files.cluster) as Costs), rows: costs.rows },
    nodes: read(files.nodes),
    check: read(files.check),
  };
}

/** What is compared in the tables: one machine with everything on it, one PostgreSQL, and clusters. */
const machines = {
  small: { cores: 2, nodes: 0, coresOfNode: 0, isShared: true },
  single: [4, 8, 16, 32, 64].map((cores) => ({ cores, nodes: 0, coresOfNode: 0 })),
  clusters: [2, 4, 8, 16].map((nodes) => ({ cores: 64, nodes, coresOfNode: 16 })),
} satisfies Record<string, Machines | Machines[]>;

/** The same measurements and assumptions give the same page. */
export function renderScale(measured: Measured): string {
  const parts = partsOf(measured);
  const template = readFileSync(join(root, files.template), 'utf8');
  const filled = template.trim().replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`${files.template} asks for {{${name}}}.`);
    return String(part);
  });
  const paragraphs = filled.split('\n\n').map((text) => (/^[#|!<]/.test(text) ? text : wrapped(text)));
  return `${paragraphs.join('\n\n')}\n`;
}

function partsOf({ costs, cluster, nodes, check }: Measured): Record<string, string | number> {
  const night = midnightOf(1e6, costs);
  const checked = check.runs.map((run) => ({ ...run, predicted: predict(run, costs) }));
  return {
    costs: costTable(costs, cluster),
    measured: circumstances(costs),
    measuredOnCluster: circumstances(cluster),
    accounts: costs.sizes.accounts,
    units: costs.sizes.leases,
    accountsOnCluster: cluster.sizes.accounts,
    rows: Object.entries(costs.rows)
      .map(([name, bytes]) => `\`${name}\` ${about(bytes)}`)
      .join(', '),
    perCore: perCore(costs, cluster),
    ...assumed(),
    perThousand: about(totalOf(loadOf(1_000).requests)),
    gigabytesPerThousand: about(bytesOf(1_000, costs) / 1e9),
    carries: carried([machines.small, ...machines.single], costs),
    midnightWorkers: about(night.worker / 60),
    midnightPostgres: about(night.postgres / 60),
    clusters: carried(machines.clusters, cluster),
    mostOnOne: mostOf(machines.single, costs),
    mostOnCluster: mostOf(machines.clusters, cluster),
    ...clusterCheck(cluster, nodes),
    checked: `${circumstances(check)}, ${check.seconds} s at each rate`,
    check: checkTable(checked),
    error: errorOf(checked),
  };
}

/** The limit with the largest of these machines. */
const mostOf = (all: Machines[], by: Costs): string =>
  about(Math.max(...all.map((each) => limitsOf(each, by)[0]?.units ?? 0)));

/** The mixture of the busiest hour is not tried on a cluster here: only a payment and its delivery are checked. */
function clusterCheck(cluster: Costs, nodes: Nodes): Record<string, string> {
  const { create } = cluster.requests;
  const { single } = cluster.deliveries;
  const found = nodes.done['payments of 200 accounts, delivered']?.['coordinator and two nodes'];
  const pair = (coordinator: number, behind: number) => `${about(coordinator)} and ${about(behind)}`;
  return {
    predictedOnCluster: pair(create.postgres + single.postgres, create.nodes + single.nodes),
    foundOnCluster: found ? pair(found.postgres, found.nodes) : '–',
    nodesMeasured: circumstances(nodes) + (nodes.since ? `; since then, ${nodes.since}` : ''),
  };
}

const circumstances = (of: { measuredAt: string; machine: Machine; postgres: string }): string => {
  const { processor, cores, loadBefore } = of.machine;
  return `${of.measuredAt.slice(0, 10)}, PostgreSQL ${of.postgres}, ${processor}, ${cores} cores, load before ${loadBefore}`;
};

const percent = (part: number): string => `${Math.round(part * 100)} %`;

/** Two significant digits; the estimate is no better than that. */
const about = (value: number): string => Number(value.toPrecision(2)).toLocaleString('en-US');

function costTable(costs: Costs, cluster: Costs): string {
  const shown = (value: number) => (value < 1 ? '–' : about(value));
  const row = (name: string, costOf: (costs: Costs) => Cost) => {
    const { api, worker, postgres, wal } = costOf(costs);
    const there = costOf(cluster);
    return [name, ...[api, worker, postgres, wal, there.postgres, there.nodes].map(shown)];
  };
  return table(
    ['', 'API', 'worker', 'PostgreSQL', 'log', 'coordinator instead', 'and nodes'],
    [
      ...kindNames.map((kind) => row(kinds[kind], ({ requests }) => requests[kind])),
      row('a delivery by itself', ({ deliveries }) => deliveries.single),
      row('a delivery out of a long queue', ({ deliveries }) => deliveries.queued),
      row('a charge posted by the clock', ({ days }) => days.charge),
      row("an account's day without news", ({ days }) => days.empty),
      row('a second without work', ({ idle }) => idle),
    ],
  );
}

const assumed = () => ({
  ...workload,
  ...prices,
  requestsOfUnit: kindNames.map((kind) => `${requestsPerMonth[kind]} × ${kinds[kind]}`).join(', '),
  busiestDay: percent(workload.busiestDay),
  busiestHour: percent(workload.busiestHour),
  busiestDayOfPayments: percent(workload.busiestDayOfPayments),
  busy: percent(limits.busy),
  hot: percent(limits.hot),
  memoryPerCore: limits.memoryPerCore / 2 ** 30,
  twiceTheCores: short(2 * limits.doubling),
});

/** What a core does in a second at its highest reasonable load. */
function perCore(costs: Costs, cluster: Costs): string {
  const rate = (microseconds: number) => (microseconds < 1 ? '–' : about((limits.busy * 1e6) / microseconds));
  const row = (name: string, by: Costs, part: keyof Cost) => {
    const { read, list, create } = by.requests;
    const { single, queued } = by.deliveries;
    const use = useOf(loadOf(1), by)[part];
    const pieces = [read, list, create, single, queued, by.days.charge];
    return [name, ...pieces.map((cost) => rate(cost[part])), use > 0 ? about(limits.busy / use) : '–'];
  };
  return table(
    [
      ...['a core of', 'records', 'pages of 100', 'new payments', 'deliveries', '… of a queue', 'charges'],
      'units, all in all',
    ],
    [
      row('an API process', costs, 'api'),
      row('a worker', costs, 'worker'),
      row('PostgreSQL', costs, 'postgres'),
      row('a coordinator', cluster, 'postgres'),
      row('the nodes behind it', cluster, 'nodes'),
    ],
  );
}

const carried = (all: Machines[], by: Costs): string =>
  table(
    [
      ...['machines', 'units', 'writes/s', 'deliveries/s', 'API processes', 'workers', 'connections', 'GB'],
      ...['euros a month', 'runs out first', 'then'],
    ],
    all.map((each) => carriedBy(each, by)),
  );

/** At the load at which the first thing runs out. */
function carriedBy(machine: Machines, costs: Costs): string[] {
  const [first, second] = limitsOf(machine, costs);
  const units = first?.units ?? 0;
  const plan = planOf(units, machine, costs);
  const { cores, nodes, coresOfNode, isShared } = machine;
  const name = isShared
    ? `\`npm start\` on ${cores} cores`
    : nodes > 0
      ? `coordinator of ${cores}, ${nodes} nodes of ${coresOfNode}`
      : `PostgreSQL on ${cores} cores`;
  const { writes, deliveries, apis, workers, connections, gigabytes, euros } = plan;
  return [
    name,
    ...[units, writes, deliveries].map(about),
    ...[apis, workers, connections].map(String),
    ...[gigabytes, euros].map(about),
    first?.what ?? '',
    second?.what ?? '',
  ];
}

/** The part of docs/benchmarks.md about a cluster. */
export function nodesNote({ nodes } = readMeasured()): string {
  const text = `As many as 32 clients get answered, in turn (${circumstances(nodes)}, rounds: ${nodes.rounds}), with
    microseconds of PostgreSQL, or of the coordinator + the nodes, for each. All of it shares two cores, so two nodes cannot
    be faster than one here. On machines of their own the nodes divide their part; the coordinator's stays.`;
  return `## On a cluster (Citus)\n${wrapped(text)}\n\n${nodesTable(nodes)}`;
}

/** For each cell: how many a second, and microseconds of PostgreSQL, or of the coordinator and the nodes. */
function nodesTable({ done }: Nodes): string {
  const names = Object.keys(Object.values(done)[0] ?? {});
  const cell = ({ perSecond, postgres, nodes }: Piece) =>
    `${about(perSecond)}/s, ${about(postgres)}${nodes > 0 ? ` + ${about(nodes)}` : ''} µs`;
  return table(
    ['', ...names],
    Object.entries(done).map(([what, by]) => [what, ...Object.values(by).map(cell)]),
  );
}

const predict = ({ setup, rates, atOnce }: Run, costs: Costs): Predicted =>
  simulate(costs, setup, { rates, seconds: 30, ...(atOnce && { atOnce }) });

const compared: [name: string, key: keyof Predicted][] = [
  ['answers/s', 'perSecond'],
  ['API, cores', 'api'],
  ['worker, cores', 'worker'],
  ['PostgreSQL, cores', 'postgres'],
  ['p50 ms', 'p50Ms'],
  ['p99 ms', 'p99Ms'],
];

type Checked = Run & { predicted: Predicted };

function checkTable(runs: Checked[]): string {
  const rows = runs.map(({ predicted, ...run }) => {
    const asked = run.atOnce ? `${run.atOnce} clients` : `${short(totalOf(run.rates))}/s`;
    return [
      `${run.setup.apis}, ${asked}`,
      ...compared.map(([, key]) => `${short(predicted[key])} / ${short(run.measured[key])}`),
    ];
  });
  return table(['API processes, load', ...compared.map(([name]) => name)], rows);
}

/** How far the prediction was off, in the median run and the worst: rates, cores and waiting separately. */
function errorOf(runs: Checked[]): string {
  const offBy = (keys: (keyof Predicted)[]) => {
    const off = runs.flatMap(({ predicted, measured }) =>
      keys.map((key) => Math.abs(predicted[key] / measured[key] - 1)),
    );
    const { median, max } = spread(off);
    return `${percent(median)} in the middle, ${percent(max)} at worst`;
  };
  return (
    `answers a second: ${offBy(['perSecond'])}; cores in use: ${offBy(['api', 'worker', 'postgres'])}; ` +
    `p50: ${offBy(['p50Ms'])}; p99: ${offBy(['p99Ms'])}`
  );
}

/** The picture of docs/scale.md. */
export function drawNeeds({ costs, cluster }: Measured): string {
  const sizes = Array.from({ length: 31 }, (_, n) => 10 ** (4 + n / 10));
  const line = (label: string, cores: (units: number) => number) => ({
    label,
    points: sizes.map((units): [number, number] => [units, cores(units)]),
  });
  const busy = (part: 'api' | 'worker' | 'postgres', by: Costs) => (units: number) =>
    useOf(loadOf(units), by)[part] / limits.busy;
  return drawLines({
    title: 'Cores for so many units, in their busiest hour',
    x: { from: 1e4, to: 1e7, ticks: [1e4, 1e5, 1e6, 1e7], show: inThousands },
    y: { from: 0.1, to: 1_000, ticks: [0.1, 1, 10, 100, 1_000], show: shortNumber },
    lines: [
      line('API', busy('api', costs)),
      line('PostgreSQL, for requests', busy('postgres', costs)),
      line('workers', busy('worker', costs)),
      line(
        'PostgreSQL, for their memory',
        (units) => (bytesOf(units, costs) * limits.hot) / limits.memoryPerCore,
      ),
      line('a coordinator', busy('postgres', cluster)),
    ],
  });
}

const inThousands = (value: number): string => (value >= 1e6 ? `${value / 1e6} M` : `${value / 1e3} k`);
