import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

/* Who may import what (ARCHITECTURE.md). These tests read the real imports of all files except tests. */

interface Import {
  from: string;
  /** A path of ours, relative to the root, or a package's name. */
  to: string;
  typeOnly: boolean;
}

const sources = (folder: string) =>
  globSync(`${folder}/**/*.{ts,tsx}`).filter((path) => !/\.test\.tsx?$|\.d\.ts$/.test(path));

/** The file that a thread is started with counts as an import. */
const statement =
  /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|(?:\bimport\(|new Worker\(new URL\()\s*'([^']+)'/gm;

function importsOf(path: string): Import[] {
  return [...readFileSync(path, 'utf8').matchAll(statement)].map(([, typeOnly, named, dynamic]) => {
    const [target = ''] = (named ?? dynamic ?? '').split('?');
    const to = target.startsWith('.') ? relative('.', join(dirname(path), target)) : target;
    return { from: path, to, typeOnly: typeOnly !== undefined };
  });
}

const server = sources('src').flatMap(importsOf);
const dashboard = existsSync('dashboard/src') ? sources('dashboard/src').flatMap(importsOf) : [];
const ours = (imports: Import[]) => imports.filter(({ to }) => to.startsWith('src/'));

const folderOf = (path: string) => dirname(path).split('/')[1] ?? '';
/** A folder with its own store or routes is a feature: a noun, or a view over several nouns. */
const features = new Set(
  sources('src')
    .filter((path) => /\.(store|routes)\.ts$/.test(path))
    .map(folderOf),
);
features.delete('http');

/** Here the parts are built and joined (app.ts says what they share), so these files may know everything. */
const isComposition = (path: string) => /^src\/(start|cli|app)\.ts$|^src\/cli\//.test(path);
const isRootHelper = (path: string) => dirname(path) === 'src' && !isComposition(path);

const isRoutes = (path: string) => path.endsWith('.routes.ts');

/** What imports what, by the name that `nameOf` gives to files of ours. */
function edgesBetween(imports: Import[], nameOf: (path: string) => string): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    if (!existsSync(to) || nameOf(from) === nameOf(to)) continue;
    edges.set(nameOf(from), (edges.get(nameOf(from)) ?? new Set()).add(nameOf(to)));
  }
  return edges;
}

/** One line for each circle that is found, such as `a → b → a`. */
function circles(edges: Map<string, Set<string>>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (name: string, path: string[]) => {
    if (path.includes(name)) found.push([...path.slice(path.indexOf(name)), name].join(' → '));
    if (path.includes(name) || done.has(name)) return;
    for (const next of edges.get(name) ?? []) walk(next, [...path, name]);
    done.add(name);
  };
  for (const name of edges.keys()) walk(name, []);
  return found;
}

/** Lines `from → to` for the imports that break a rule. Empty if none does. */
const lines = (imports: Import[]) => imports.map(({ from, to }) => `${from} → ${to}`);

test('the imports are read', () => {
  expect(server.length).toBeGreaterThan(300);
  expect([...features]).toEqual(
    expect.arrayContaining(['payments', 'properties', 'webhooks', 'deliveries', 'events']),
  );
  expect(lines(server)).toContain('src/payments/payments.ts → src/payments/payments.store.ts');
  expect(lines(server)).toContain('src/http/server/server.ts → fastify');
  for (const { from, to } of ours(server)) expect(existsSync(to), `${from} imports ${to}`).toBe(true);
});

test('every import is one that these tests can read', () => {
  // A file may ask where a package's files are. Nothing of ours is loaded by a name that is computed. An address of the
  // dashboard is one that was imported.
  const odd =
    /\bimport\(\s*(?!')|\brequire\((?!import)|new Worker\((?!new URL\(\s*'|\w+Address\b)|import\.meta\.resolve/;
  const hidden = [...sources('src'), ...sources('dashboard/src')].filter((path) =>
    odd.test(readFileSync(path, 'utf8')),
  );
  expect(hidden).toEqual([]);
});

test('root helpers, db/, embedded-postgres/, safe-url/, secrets/ and system/ import no feature', () => {
  const wrong = ours(server).filter(
    ({ from, to }) =>
      (isRootHelper(from) ||
        ['db', 'embedded-postgres', 'safe-url', 'secrets', 'system'].includes(folderOf(from))) &&
      (features.has(folderOf(to)) || folderOf(to) === 'http'),
  );
  expect(lines(wrong)).toEqual([]);
});

test('a store is imported only by its own noun', () => {
  const wrong = ours(server).filter(
    ({ from, to }) => to.endsWith('.store.ts') && folderOf(from) !== folderOf(to),
  );
  expect(lines(wrong)).toEqual([]);
});

test('verbs, stores and schemas know no Fastify', () => {
  const wrong = server.filter(
    ({ from, to }) => features.has(folderOf(from)) && !from.endsWith('.routes.ts') && /^@?fastify/.test(to),
  );
  expect(lines(wrong)).toEqual([]);
});

test('routes are imported by the table of routes alone', () => {
  const wrong = ours(server).filter(
    ({ from, to }) => to.endsWith('.routes.ts') && from !== 'src/http/routes/routes.ts',
  );
  expect(lines(wrong)).toEqual([]);
});

test('imports point one way: http/ knows the nouns, and of a noun only its routes know http/, by route.ts', () => {
  const wrong = ours(server).filter(
    ({ from, to }) =>
      folderOf(to) === 'http' && folderOf(from) !== 'http' && !isComposition(from) && !isRoutes(from),
  );
  expect(lines(wrong)).toEqual([]);
  const beyondRoute = ours(server).filter(
    ({ from, to }) => isRoutes(from) && folderOf(to) === 'http' && to !== 'src/http/routes/route.ts',
  );
  expect(lines(beyondRoute)).toEqual([]);
});

test('no files import each other in a circle, not even for types', () => {
  expect(circles(edgesBetween([...server, ...dashboard], (path) => path))).toEqual([]);
});

test('a folder fits on a screen', () => {
  const sizes = Map.groupBy([...sources('src'), ...sources('dashboard/src')], dirname);
  const crowded = [...sizes].filter(([, files]) => files.length > 16).map(([folder]) => folder);
  expect(crowded).toEqual([]);
});

test('no nouns import each other in a circle', () => {
  const between = server.filter(({ from, to }) => features.has(folderOf(from)) && features.has(folderOf(to)));
  expect(circles(edgesBetween(between, folderOf))).toEqual([]);
});

test('features never import deliveries/: they record events', () => {
  const wrong = ours(server).filter(
    ({ from, to }) =>
      features.has(folderOf(from)) && folderOf(from) !== 'deliveries' && folderOf(to) === 'deliveries',
  );
  expect(lines(wrong)).toEqual([]);
});

test('only deliveries/ makes outbound requests: send.ts, with dial.ts and connections.ts below it', () => {
  const mayDial = [
    // outcome.ts distinguishes the client's errors and sends nothing.
    ...['send', 'dial', 'connections', 'outcome'].map((name) => `src/deliveries/sending/${name}.ts`),
    // The operator's own issuer. better-auth asks it when people sign in with it, and this file has the limits.
    'src/sessions/openid.ts',
  ];
  const clients = server.filter(
    ({ from, to }) =>
      /^(undici|node:https|node:tls|node:http2|axios|got)$/.test(to) && !mayDial.includes(from),
  );
  expect(lines(clients.filter(({ typeOnly }) => !typeOnly))).toEqual([]);
  const calls = sources('src').filter(
    (path) =>
      !mayDial.includes(path) &&
      /(?<![\w.])fetch\(|\bhttps?\.(request|get)\(|\b(net|tls)\.connect\(/.test(readFileSync(path, 'utf8')),
  );
  expect(calls).toEqual([]);
});

test('only config.ts reads the environment of the service', () => {
  // A library's setting that must be set before the first import, and the PATH of a program that is started.
  const known = ['src/cli.ts', 'src/config.ts', 'src/embedded-postgres/run.ts'];
  const readers = sources('src').filter((path) => readFileSync(path, 'utf8').includes('process.env'));
  expect(readers.filter((path) => !known.includes(path))).toEqual([]);
});

test('the dashboard imports types only from the service, and only from schemas', () => {
  const wrong = dashboard.filter(
    ({ to, typeOnly }) => to.startsWith('src/') && (!typeOnly || !to.endsWith('.schema.ts')),
  );
  expect(lines(wrong)).toEqual([]);
});

test('folder names say what is in them', () => {
  const roles = /^[a-z-]+(\.(routes|schema|store|columns))?\.ts$/;
  const odd = sources('src').filter((path) => features.has(folderOf(path)) && !roles.test(basename(path)));
  expect(odd).toEqual([]);
});
