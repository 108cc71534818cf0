import { spawnSync } from 'node:child_process';
import { ensureDebian } from './debian.mjs';

/** What the signature samples of docs/verify are written in beside JavaScript. */
const LANGUAGES = [
  { name: 'Python', program: ['python3', '--version'], package: 'python3' },
  { name: 'PHP', program: ['php', '--version'], package: 'php-cli' },
  { name: 'Ruby', program: ['ruby', '--version'], package: 'ruby' },
  { name: 'Go', program: ['go', 'version'], package: 'golang-go' },
];

/** The languages of the samples, each from Debian where it is missing. Where that cannot be done, it says what is left out. */
export async function ensureLanguages() {
  const wanted = missing();
  if (wanted.length === 0) return;
  process.stderr.write(`Getting ${namesOf(wanted)} for the signature samples…\n`);
  await ensureDebian(wanted.map((each) => each.package)).catch((error) =>
    process.stderr.write(`${error.message}\n`),
  );
  const left = missing();
  if (left.length > 0) process.stderr.write(`The signature samples in ${namesOf(left)} are not tried.\n`);
}

const missing = () =>
  LANGUAGES.filter(({ program: [program, ...args] }) => spawnSync(program, args).status !== 0);

const namesOf = (languages) => languages.map(({ name }) => name).join(', ');
