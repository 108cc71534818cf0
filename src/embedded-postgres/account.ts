import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { EmbeddedProblem } from './problem.ts';

/** The user Postgres runs as when we are root, which Postgres refuses to be. */
export interface Account {
  uid: number;
  gid: number;
}

/** Existing data stays with its owner. New data belongs to `postgres`, or to `nobody` if there is no such user. */
export function accountFor(cluster: string): Account {
  const owner = ownerOf(cluster);
  if (owner && owner.uid !== 0) return owner;
  const account = lookUp('postgres') ?? lookUp('nobody');
  if (!account) {
    throw new EmbeddedProblem(
      'Postgres cannot run as root, and there is no user "postgres" or "nobody" to run it. Start Tenure as an ordinary user, or set DATABASE_URL to a Postgres of your own.',
    );
  }
  // The cluster belongs to root, for example because root copied it.
  if (owner) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, cluster]);
  return account;
}

function ownerOf(path: string): Account | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && { uid: stat.uid, gid: stat.gid };
}

// A uid without a name makes initdb fail, so the user must really exist.
function lookUp(name: string): Account | undefined {
  const id = (flag: string) => spawnSync('id', [flag, name], { encoding: 'utf8' });
  const [uid, gid] = [id('-u'), id('-g')];
  if (uid.status !== 0 || gid.status !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}
