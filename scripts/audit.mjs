// `npm run audit`: asks the registry for advisories against every lockfile of the project. Exits with 0 if
// docs/security.md answers all of them, with 1 if it does not, and with 2 if the registry could not be asked, since
// then nothing is known.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './prepare/install.mjs';
import { root } from './prepare/paths.mjs';

const ANSWERS = 'docs/security.md';

const answers = readFileSync(join(root, ANSWERS), 'utf8').toLowerCase();
const reports = [];
for (const folder of folders()) reports.push({ folder, ...(await audit(folder)) });
for (const report of reports) console.log(`${join(report.folder, 'package-lock.json')}: ${sentence(report)}`);
if (reports.some(({ findings }) => findings?.some((finding) => !isAnswered(finding)))) process.exitCode = 1;
else if (reports.some(({ problem }) => problem)) process.exitCode = 2;

/** The folders that have a lockfile. */
function folders() {
  const integrations = readdirSync(join(root, 'integrations')).map((name) => join('integrations', name));
  return ['', 'bench', ...integrations].filter((each) => existsSync(join(root, each, 'package-lock.json')));
}

/** What npm found, or why it could not ask. */
async function audit(folder) {
  // This includes what is only needed for building and testing, whatever NODE_ENV or `omit` says.
  const included = ['dev', 'optional', 'peer'].map((kind) => `--include=${kind}`);
  const said = await npmSays(['audit', '--json', '--package-lock-only', ...included], join(root, folder));
  if (!said?.vulnerabilities) return { problem: said?.message || said?.error?.summary || 'no reason given' };
  const advisories = Object.values(said.vulnerabilities)
    .flatMap(({ via }) => via)
    // A plain name refers to another package, which has the advisory.
    .filter((each) => typeof each === 'object');
  const findings = new Map(advisories.map((each) => [`${idOf(each)} ${each.name}`, each]));
  return { findings: [...findings.values()] };
}

async function npmSays(args, cwd) {
  const [program, ...first] = npm();
  const { NODE_ENV, ...env } = process.env;
  const child = spawn(program, [...first, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  child.stdout.on('data', (data) => (said += data));
  const outcome = await new Promise((resolve) => child.on('close', resolve).on('error', resolve));
  if (outcome instanceof Error) return { message: outcome.message };
  try {
    return JSON.parse(said);
  } catch {
    return null;
  }
}

/** An id in GitHub's database, from which npm takes its advisories. */
function idOf({ url, source }) {
  return /GHSA(-[0-9a-z]{4}){3}/i.exec(url ?? '')?.[0] ?? url ?? `advisory ${source}`;
}

function isAnswered(finding) {
  return answers.includes(idOf(finding).toLowerCase());
}

function sentence({ findings, problem }) {
  if (problem) return `not audited, because the registry gave no advisories (${problem}).`;
  if (findings.length === 0) return 'nothing found.';
  return findings
    .map((each) => {
      const state = isAnswered(each) ? `answered in ${ANSWERS}` : `NOT answered in ${ANSWERS}`;
      return `\n  ${each.name} ${each.range}: ${each.title} (${each.severity}, ${idOf(each)}), ${state}`;
    })
    .join('');
}
