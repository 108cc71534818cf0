import { spawnSync } from 'node:child_process';
import { ensureDebian } from './debian.mjs';

/** The languages of the signature samples in docs/verify, besides JavaScript. */
const LANGUAGES = [
  { name: 'Python', program: ['python3', '--version'], package: 'python3' },
  { name: 'PHP', program: ['php', '--version'], package: 'php-cli' },
  { name: 'Ruby', program: ['ruby', '--version'], package: 'ruby' },
  { name: 'Go', program: ['go', 'version'], package: 'golang-go' },
];

/** Installs missing languages of the samples from Debian. If that is impossible, it says what is left out. */
export async function ensureLanguages() {
  const wanted = missing();
  if (wanted.length === 0) return;
  process.stderr.write(`Getting ${namesOf(wanted)} for the signature samples…\n`);
  await ensureDebian(wanted.map((each) => each.package)).catch((error) =>
    process.stderr.write(`${error.message}\n`),
  );
  const left = missing();
  if (left.length > 0) process.stderr.write(`The signature samples in ${namesOf(left)} are not tested.\n`);
}

const missing = () =>
  LANGUAGES.filter(({ program: [program, ...args] }) => spawnSync(program, args).status !== 0);

const namesOf = (languages) => languages.map(({ name }) => name).join(', ');
