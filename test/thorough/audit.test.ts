import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

/*
 * Runs `npm run audit` with the real npm, on a copy of our lockfiles and with a registry that answers as a test wants.
 */

const root = join(import.meta.dirname, '../..');
const lockfiles = ['', 'bench/', 'integrations/zapier/'].map((folder) => `${folder}package-lock.json`);
const advisory = 'GHSA-2222-3333-4444';

let registry: Server;
let address: string;
let folder: string;
/** The status with which the registry answers, what it knows about packages, and what it was asked. */
let status: number;
let advisories: Record<string, object[]>;
let asked: Record<string, string[]>[];
beforeAll(async () => {
  registry = createServer(async (request, response) => {
    const body = await read(request);
    response.setHeader('content-type', 'application/json');
    if (request.method !== 'POST') return response.end(JSON.stringify(packument(request.url ?? '')));
    expect(request.url).toBe('/-/npm/v1/security/advisories/bulk');
    asked.push(JSON.parse(body));
    return response.writeHead(status).end(JSON.stringify(status === 200 ? advisories : {}));
  });
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
  address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
});
afterAll(() => registry.close());
beforeEach(() => {
  [status, advisories, asked] = [200, {}, []];
  folder = mkdtempSync(join(tmpdir(), 'tenure-audit-'));
  const manifests = lockfiles.map((each) => each.replace('-lock', ''));
  for (const each of [...lockfiles, ...manifests, 'scripts', 'docs/security.md'])
    cpSync(join(root, each), join(folder, each), { recursive: true });
  return () => rmSync(folder, { recursive: true });
});

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

/** npm asks about a package with an advisory once more, to find versions without it. */
function packument(path: string): object {
  const name = decodeURIComponent(path.slice(1));
  const version = '1.0.0';
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { name, version } } };
}

async function audit(): Promise<{ code: number; said: string }> {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    npm_config_registry: address,
    npm_config_cache: join(folder, '.npm'),
  };
  const child = spawn(process.execPath, ['scripts/audit.mjs'], { cwd: folder, env });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk;
    });
  const [code] = await once(child, 'close');
  return { code, said };
}

/** Makes the registry report an advisory for the version in the root's lockfile. */
function find(name: string): void {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { version } = packages[`node_modules/${name}`];
  const url = `https://github.com/advisories/${advisory}`;
  const cvss = { score: 9, vectorString: null };
  advisories = {
    [name]: [
      {
        id: 1,
        url,
        title: 'Lets strangers in',
        severity: 'high',
        vulnerable_versions: version,
        cwe: [],
        cvss,
      },
    ],
  };
}

interface Lockfile {
  packages: Record<string, { name?: string }>;
}

test('without a finding it succeeds, having asked for every package of every lockfile', async () => {
  const { code, said } = await audit();
  expect(said).toBe(lockfiles.map((each) => `${each}: nothing found.\n`).join(''));
  expect(code).toBe(0);
  expect(asked.length).toBe(lockfiles.length);
  lockfiles.forEach((each, at) => {
    const { packages }: Lockfile = JSON.parse(readFileSync(join(root, each), 'utf8'));
    const installed = Object.entries(packages).filter(([path]) => path !== '');
    // A package in another one's place names itself.
    const wanted = new Set(installed.map(([path, { name }]) => name ?? path.replace(/.*node_modules\//, '')));
    expect(new Set(Object.keys(asked[at] ?? {})), each).toEqual(wanted);
  });
});

test('a finding fails with its name, until the document answers it', async () => {
  for (const each of lockfiles.slice(1)) rmSync(join(folder, each));
  find('fastify');
  const failed = await audit();
  expect(failed.said).toMatch(
    new RegExp(
      `^package-lock.json: \n {2}fastify .*Lets strangers in .*${advisory}.*NOT answered in docs/security.md`,
    ),
  );
  expect(failed.code).toBe(1);

  appendFileSync(
    join(folder, 'docs/security.md'),
    `\n${advisory}: we never call it; looked at on 2026-11-16.\n`,
  );
  const answered = await audit();
  expect(answered.said).toMatch(new RegExp(`fastify .*${advisory}\\), answered in docs/security.md`));
  expect(answered.code).toBe(0);
});

test('a registry without advisories is not a success', async () => {
  status = 405;
  const { code, said } = await audit();
  const [first = '', ...more] = said.trimEnd().split('\n');
  expect(first).toMatch(/^package-lock.json: not audited, because the registry gave no advisories \(405 /);
  expect(more.length).toBe(lockfiles.length - 1);
  expect(code).toBe(2);
});
