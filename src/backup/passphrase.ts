import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Config } from '../config.ts';

export interface PassphraseOptions {
  /**
   * A file with the passphrase in its first line. As an argument, every user of the machine could see it in the list of
   * processes.
   */
  passphraseFile?: string;
}

/** The passphrase to encrypt a backup with, or null to leave it unencrypted. */
export async function passphraseToEncrypt(
  config: Config,
  { encrypt, ...options }: PassphraseOptions & { encrypt?: boolean },
): Promise<string | null> {
  const given = givenPassphrase(config, options);
  if (given !== null) return longEnough(given);
  if (!encrypt) return null;
  const passphrase = longEnough(await ask('Passphrase for the backup: '));
  if ((await ask('The same again: ')) !== passphrase) throw new Error('The two passphrases differ.');
  return passphrase;
}

export const passphraseToDecrypt = async (config: Config, options: PassphraseOptions): Promise<string> =>
  givenPassphrase(config, options) ?? (await ask('Passphrase of the backup: '));

function givenPassphrase(config: Config, { passphraseFile }: PassphraseOptions): string | null {
  if (passphraseFile === undefined) return config.BACKUP_PASSPHRASE || null;
  const [line = ''] = readFileSync(passphraseFile, 'utf8').split(/\r?\n/, 1);
  if (line === '')
    throw new Error(`The first line of ${passphraseFile} is empty: it must be the passphrase.`);
  return line;
}

function longEnough(passphrase: string): string {
  if (passphrase.length < 12) throw new Error('The passphrase must have at least 12 characters.');
  return passphrase;
}

interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

/** Asks on the terminal without showing what is typed. Standard output is left for the result. */
export async function ask(
  question: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<string> {
  if (!input.isTTY) {
    throw new Error(
      'There is no terminal to ask for the passphrase: set BACKUP_PASSPHRASE, or name a file with --passphrase-file.',
    );
  }
  output.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true });
  try {
    return await new Promise((resolve, reject) => {
      lines.once('line', resolve);
      // Ctrl-C, or the end of the input.
      lines.once('close', () => reject(new Error('No passphrase was given.')));
    });
  } finally {
    lines.close();
    output.write('\n');
  }
}
