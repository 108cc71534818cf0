import { backUp } from '../backup/backup.ts';
import { type KeyOfBackup, restore } from '../backup/restore.ts';
import type { Config } from '../config.ts';
import { keyFileFor, writeKeyFile } from '../secret-keys/key-file.ts';
import { WrongSecretKey } from '../secret-keys/secret-keys.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import { print, withDatabase } from './command.ts';

export async function backupCommand(file: string, { json }: { json?: boolean }): Promise<void> {
  const { rows, tables, holdsKey } = await withDatabase(
    (db, config) =>
      backUp(db, file, {
        keyFile: (inUse) => (config.SECRET_KEY ? null : keyFileFor(config, inUse)),
        now: new Date(),
      }),
    // As it is, also one that an upgrade is about to change.
    { migrated: false },
  );
  print(json, { file, rows, tables, holds_key: holdsKey }, [
    `Wrote ${rows} rows of ${tables} tables to ${file}.`,
    holdsKey
      ? 'It holds the secret key too: keep it as safe as the data.'
      : 'It does not hold SECRET_KEY, without which webhook secrets cannot be read: keep that one elsewhere.',
  ]);
}

export async function restoreCommand(file: string, { json }: { json?: boolean }): Promise<void> {
  const result = await withDatabase((db, config) => restore(db, file, keyFor(config)), {
    alone: 'tenure restore',
    migrated: false,
  });
  print(json, { rows: result.rows, created_at: result.createdAt }, [
    `Restored ${result.rows} rows as they were at ${result.createdAt}.`,
    'Deliveries that were waiting then are sent at the next start: some may have arrived since.',
  ]);
}

/** The key must be the one that the backup's secrets are encrypted with; on the embedded database it comes along. */
function keyFor(config: Config): KeyOfBackup {
  if (!config.SECRET_KEY) {
    return {
      check({ key_file }) {
        if (key_file === null)
          throw new WrongSecretKey(
            'The backup was made with SECRET_KEY set, and does not hold it: set SECRET_KEY to the same key.',
          );
      },
      keep: ({ key_file }) => writeKeyFile(config, key_file ?? []),
    };
  }
  const ours = createSecretBox(config.SECRET_KEY, config.SECRET_KEYS_ACCEPTED).fingerprints;
  return {
    check({ fingerprints }) {
      if (!fingerprints.every((fingerprint) => ours.includes(fingerprint)))
        throw new WrongSecretKey(
          'SECRET_KEY is not the key that the backup was made with: set it to that one (where none was set, the first line of secret.key).',
        );
    },
    keep: () => undefined,
  };
}
