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
    // The schema is backed up as it is, even right before an upgrade.
    { migrated: false },
  );
  print(json, { file, rows, tables, holds_key: holdsKey }, [
    `Wrote ${rows} rows of ${tables} tables to ${file}.`,
    holdsKey
      ? 'It contains the secret key too: keep it as safe as the data.'
      : 'It does not contain SECRET_KEY, without which webhook secrets cannot be read: keep the key elsewhere.',
  ]);
}

export async function restoreCommand(file: string, { json }: { json?: boolean }): Promise<void> {
  const result = await withDatabase((db, config) => restore(db, file, keyFor(config)), {
    alone: 'tenure restore',
    migrated: false,
  });
  print(json, { rows: result.rows, created_at: result.createdAt }, [
    `Restored ${result.rows} rows as they were at ${result.createdAt}.`,
    'Deliveries that were waiting then are sent at the next start; some may already have arrived.',
  ]);
}

/** The key must be the one that encrypts the backup's secrets. A backup of the embedded database contains it. */
function keyFor(config: Config): KeyOfBackup {
  if (!config.SECRET_KEY) {
    return {
      check({ key_file }) {
        if (key_file === null)
          throw new WrongSecretKey(
            'The backup was made with SECRET_KEY set and does not contain the key: set SECRET_KEY to the same key.',
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
          'SECRET_KEY is not the key that the backup was made with. Set it to that key (if none was set then, it is the first line of secret.key).',
        );
    },
    keep: () => undefined,
  };
}
