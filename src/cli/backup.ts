import { auditEveryAccount } from '../audit/audit.ts';
import { backUp } from '../backup/backup.ts';
import { type PassphraseOptions, passphraseToDecrypt, passphraseToEncrypt } from '../backup/passphrase.ts';
import { type KeyOfBackup, restore } from '../backup/restore.ts';
import { type Config, loadConfig } from '../config.ts';
import { keyFileFor, keysInFile, writeKeyFile } from '../secret-keys/key-file.ts';
import { WrongSecretKey } from '../secret-keys/secret-keys.ts';
import { createSecretBox, fingerprintOf } from '../secrets/secret-box.ts';
import { print, withDatabase } from './command.ts';
import { giveUpKey, remediesFor } from './secrets.ts';

interface BackupCommand extends PassphraseOptions {
  encrypt?: boolean;
  withSecrets?: boolean;
  json?: boolean;
}

export async function backupCommand(file: string, options: BackupCommand): Promise<void> {
  const { withSecrets = false, json } = options;
  const config = loadConfig();
  const passphrase = await passphraseToEncrypt(config, options);
  const keyFile = (inUse: readonly string[]) => (config.SECRET_KEY ? null : keyFileFor(config, inUse));
  const { rows, tables, holdsKey } = await withDatabase(
    (db) => backUp(db, file, { now: new Date(), passphrase, ...(withSecrets ? { secrets: keyFile } : {}) }),
    // The schema is backed up as it is, for instance right before an upgrade.
    { config, migrated: false },
  );
  const encrypted = passphrase !== null;
  print(json, { file, rows, tables, encrypted, with_secrets: withSecrets, holds_key: holdsKey }, [
    `Wrote ${rows} rows of ${tables} tables to ${file}.`,
    encrypted
      ? 'It is encrypted. Without the passphrase nobody can open it, not even you.'
      : 'It is not encrypted: --encrypt or BACKUP_PASSPHRASE does that.',
    holdsKey
      ? 'It contains the secret key too: whoever can open it can sign in as anybody.'
      : 'It does not contain the secret key, without which webhook secrets cannot be read: keep a copy of the key elsewhere.',
  ]);
}

interface RestoreCommand extends PassphraseOptions {
  lostKey?: boolean;
  json?: boolean;
}

export async function restoreCommand(file: string, options: RestoreCommand): Promise<void> {
  const { lostKey = false, json } = options;
  const config = loadConfig();
  const key = keyFor(config, lostKey);
  const { rows, createdAt, losses } = await withDatabase(
    async (db) => {
      const restored = await restore(db, file, key, () => passphraseToDecrypt(config, options));
      const losses = key.isLost() ? await giveUpKey(db, config) : null;
      // This tells owners why everything done since then is gone.
      await auditEveryAccount(db, 'account.restored', restored.createdAt);
      return { ...restored, losses };
    },
    { config, alone: 'tenure restore', migrated: false },
  );
  print(json, { rows, created_at: createdAt, ...losses }, [
    `Restored ${rows} rows as they were at ${createdAt}.`,
    'Deliveries that were waiting then are sent at the next start; some may already have arrived.',
    ...(losses === null ? [] : remediesFor(losses)),
  ]);
}

/**
 * The key must be the one that encrypts the backup's secrets. It is set, in DATA_DIR, or in the backup itself; or it is
 * lost, and with it whatever it encrypted.
 */
function keyFor(config: Config, mayBeLost: boolean): KeyOfBackup & { isLost(): boolean } {
  const ours = config.SECRET_KEY
    ? createSecretBox(config.SECRET_KEY, config.SECRET_KEYS_ACCEPTED).fingerprints
    : keysInFile(config).map(fingerprintOf);
  let lost = false;
  return {
    check({ fingerprints, key_file }) {
      if (key_file !== null && !config.SECRET_KEY) return;
      lost = !fingerprints.every((fingerprint) => ours.includes(fingerprint));
      if (!lost || mayBeLost) return;
      throw new WrongSecretKey(
        config.SECRET_KEY
          ? 'SECRET_KEY is not the key that the backup was made with. Set it to that key (if none was set then, it is the first line of secret.key); or, if it is lost, add --lost-key.'
          : 'The backup does not contain the secret key that it was made with. Set SECRET_KEY to that key, or put the secret.key that it was made with into DATA_DIR; or, if it is lost, add --lost-key.',
      );
    },
    keep({ key_file }) {
      if (key_file !== null && !config.SECRET_KEY) writeKeyFile(config, key_file);
    },
    isLost: () => lost,
  };
}
