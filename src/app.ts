import { Attempts, SignUps } from './auth/attempts.ts';
import type { Config } from './config.ts';
import type { Database } from './db/connect.ts';
import type { Log } from './log.ts';
import { createSecretBox, type SecretBox } from './secrets/secret-box.ts';
import { createAuth } from './sessions/better-auth.ts';
import { Sessions } from './sessions/sessions.ts';

/** What every part of a running process shares. */
export interface App {
  config: Config;
  db: Database;
  log: Log;
  /** Encrypts webhook secrets at rest and signs cursors, with keys derived from SECRET_KEY. */
  secrets: SecretBox;
  now: () => Date;
  /** Sign-in to the dashboard. */
  auth: SignIn;
  /** Tells delivery workers, here and in other processes, that something may be due. */
  wakeWorkers: () => void;
  /** The delivery worker of this process: `none` where it runs elsewhere. */
  workerState: () => 'ok' | 'stuck' | 'none';
  /** It was told to stop: it serves who is still here, and lets go of each connection with its answer. */
  isStopping: boolean;
}

export interface SignIn {
  sessions: Sessions;
  attempts: Attempts;
  signUps: SignUps;
}

export function createApp(
  config: Config,
  db: Database,
  log: Log,
  secretKey: string,
  acceptedKeys: readonly string[] = [],
): App {
  const secrets = createSecretBox(secretKey, acceptedKeys);
  let auth: SignIn | undefined;
  return {
    config,
    db,
    log,
    secrets,
    now: () => new Date(),
    // Made when first needed: workers and commands never sign anybody in.
    get auth() {
      auth ??= {
        sessions: new Sessions(createAuth(config, db, secrets, log), db),
        attempts: new Attempts(),
        signUps: new SignUps(),
      };
      return auth;
    },
    wakeWorkers: () => undefined,
    workerState: () => 'none',
    isStopping: false,
  };
}
