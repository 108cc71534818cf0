import { KeyRing } from './api-keys/key-ring.ts';
import { Attempts, SignUps } from './auth/attempts.ts';
import type { Config } from './config.ts';
import type { Database } from './db/connect.ts';
import type { Log } from './log.ts';
import { createSecretBox, type SecretBox } from './secrets/secret-box.ts';
import { type Auth, createAuth } from './sessions/better-auth.ts';
import { createOpenId, type OpenId } from './sessions/openid.ts';
import { Sessions } from './sessions/sessions.ts';

/** What all parts of a running process share. No field is assigned after the object is made. */
export interface App {
  readonly config: Config;
  readonly db: Database;
  readonly log: Log;
  /** Encrypts webhook secrets at rest and signs cursors, with keys derived from SECRET_KEY. */
  readonly secrets: SecretBox;
  readonly now: () => Date;
  /** Sign-in to the dashboard. */
  readonly auth: SignIn;
  /** The API keys in use. */
  readonly keys: KeyRing;
  readonly workers: Workers;
  /** Aborted when the process is told to stop. From then on each connection is closed after its answer. */
  readonly stopping: AbortController;
}

interface SignIn {
  sessions: Sessions;
  attempts: Attempts;
  signUps: SignUps;
  /** Each sign-in with a passkey that is begun leaves a row behind for some minutes. */
  passkeySignIns: SignUps;
  /** Authenticator apps and passkeys. */
  factors: Auth;
  /** Null if no issuer is set. */
  openid: OpenId | null;
}

/** A delivery worker of this process. */
interface WorkerHere {
  wake(): void;
  isStuck(): boolean;
}

/** The delivery workers, here and in other processes, as this process knows them. */
export class Workers {
  readonly #here = new Set<WorkerHere>();
  readonly #listeners = new Set<() => void>();
  readonly #wakeElsewhere: () => void;

  constructor(wakeElsewhere: () => void) {
    this.#wakeElsewhere = wakeElsewhere;
  }

  join(worker: WorkerHere): void {
    this.#here.add(worker);
  }

  /** Tells all workers that something may be due. */
  wake(): void {
    for (const worker of this.#here) worker.wake();
    for (const listener of this.#listeners) listener();
    this.#wakeElsewhere();
  }

  /** Calls the listener at each change that this process makes, until the returned function is called. */
  onWake(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The state of this process's workers: `none` if they run elsewhere. */
  get state(): 'ok' | 'stuck' | 'none' {
    const all = [...this.#here];
    if (all.length === 0) return 'none';
    return all.some((worker) => worker.isStuck()) ? 'stuck' : 'ok';
  }
}

const signIn = (factors: Auth, openid: OpenId | null, db: Database): SignIn => ({
  sessions: new Sessions(factors, db),
  attempts: new Attempts(),
  signUps: new SignUps(),
  passkeySignIns: new SignUps(),
  factors,
  openid,
});

interface AppOptions {
  config: Config;
  db: Database;
  log: Log;
  secretKey: string;
  acceptedKeys?: readonly string[];
  wakeElsewhere?: () => void;
}

export function createApp(options: AppOptions): App {
  const { config, db, log, secretKey, acceptedKeys = [], wakeElsewhere = () => undefined } = options;
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
      auth ??= signIn(
        createAuth(config, db, secrets, log),
        config.OIDC_ISSUER === '' ? null : createOpenId(config, db, secrets, log),
        db,
      );
      return auth;
    },
    keys: new KeyRing(db),
    workers: new Workers(wakeElsewhere),
    stopping: new AbortController(),
  };
}
