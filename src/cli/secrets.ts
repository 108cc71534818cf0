import { days } from '../clock.ts';
import { type Config, loadConfig } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { formatId } from '../ids.ts';
import { forgetRotatedKeys, rotateKeyFile } from '../secret-keys/key-file.ts';
import {
  checkSecretKeys,
  countUnreadable,
  type Rotation,
  registeredKeys,
  rotateSecretKey,
  secretKeysFor,
} from '../secret-keys/secret-keys.ts';
import { createSecretBox, type SecretBox } from '../secrets/secret-box.ts';
import { print, withDatabase } from './command.ts';

interface RotateOptions {
  now?: boolean;
  lost?: boolean;
  json?: boolean;
}

/** How long an unused session lives. The old key is accepted for this long, so that nobody is signed out. */
const acceptedMs = days(30);

export async function secretsRotate({ now: atOnce, lost = false, json }: RotateOptions): Promise<void> {
  const config = loadConfig();
  if (config.SECRET_KEY && atOnce) {
    throw new Error(
      '--now is for the key kept in DATA_DIR. With SECRET_KEY set, remove the old key from SECRET_KEYS_ACCEPTED.',
    );
  }
  // A running server read the key file when it started, and would keep writing with the old key.
  const alone = config.SECRET_KEY ? undefined : 'tenure secrets rotate';
  const rotation = await withDatabase((db) => rotate(db, config, lost, atOnce ?? false), { config, alone });
  report(rotation, lost, config, json);
}

async function rotate(db: Db, config: Config, lost: boolean, atOnce: boolean): Promise<Rotation> {
  const now = new Date();
  if (!config.SECRET_KEY && !lost) {
    await checkSecretKeys(db, await boxOf(db, config, now), now);
    rotateKeyFile(config, new Date(now.getTime() + acceptedMs), now, await registeredKeys(db));
  }
  const rotation = await rotateSecretKey(db, await boxOf(db, config, now, lost), { lost, now });
  if (!config.SECRET_KEY && (atOnce || lost) && isDone(rotation, lost)) forgetRotatedKeys(config);
  return rotation;
}

/** Goes on with the present key, or a new one. Returns what can no longer be read. */
export const giveUpKey = async (db: Db, config: Config): Promise<Losses> =>
  lossesOf(await rotate(db, config, true, false));

interface Losses {
  unreadable_webhooks: string[];
  unreadable_authenticator_apps: number;
}

const lossesOf = ({ unreadableEndpoints, unreadableApps }: Rotation): Losses => ({
  unreadable_webhooks: unreadableEndpoints.map((id) => formatId('we', id)),
  unreadable_authenticator_apps: unreadableApps,
});

/** What to do about it. */
export const remediesFor = ({
  unreadable_webhooks: webhooks,
  unreadable_authenticator_apps: apps,
}: Losses): string[] => [
  ...(webhooks.length > 0
    ? [
        `Give each of these webhooks a new secret (POST /webhooks/:id/rotate-secret): ${webhooks.join(', ')}. Until then nothing is sent to it.`,
      ]
    : []),
  ...(apps > 0
    ? [
        `${apps} people cannot use their authenticator app any more. Their recovery codes and passkeys work; ` +
          'for people who have neither, run `tenure users reset-second-factor`.',
      ]
    : []),
];

async function boxOf(db: Db, config: Config, now: Date, lost = false): Promise<SecretBox> {
  const { current, accepted } = await secretKeysFor(db, config, now, { lost });
  return createSecretBox(current, accepted);
}

const isDone = (rotation: Rotation, lost: boolean): boolean =>
  !rotation.disturbed && (lost || countUnreadable(rotation) === 0);

function report(rotation: Rotation, lost: boolean, config: Config, json: boolean | undefined): void {
  const done = isDone(rotation, lost);
  const losses = lossesOf(rotation);
  const endpoints = losses.unreadable_webhooks;
  const result = {
    ok: done,
    renewed: rotation.renewed,
    unreadable_answers: rotation.unreadableAnswers,
    ...losses,
  };
  print(json, result, [
    `Encrypted ${rotation.renewed} secrets with the current key.`,
    ...(endpoints.length > 0 && !lost ? [`Unreadable with the present keys: ${endpoints.join(', ')}.`] : []),
    ...(lost ? remediesFor(losses) : []),
    nextStep(rotation, done, config),
  ]);
  if (!done) process.exitCode = 1;
}

function nextStep({ disturbed }: Rotation, done: boolean, config: Config): string {
  if (disturbed)
    return 'Another process still encrypts with another key: restart all processes with the new settings, then run this again.';
  if (!done) {
    const remedy = config.SECRET_KEY ? 'add it to SECRET_KEYS_ACCEPTED' : 'put secret.key back from a backup';
    return `The old key is still needed: ${remedy} and run this again, or give up with --lost.`;
  }
  return config.SECRET_KEY
    ? 'Nothing in the database needs another key any more: you may empty SECRET_KEYS_ACCEPTED. That ends sessions and links signed with the old key.'
    : 'Nothing in the database needs the old key any more.';
}
