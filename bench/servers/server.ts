import type { StoredKey } from '../../src/api-keys/api-keys.ts';
import { KeyRing } from '../../src/api-keys/key-ring.ts';
import { connect } from '../../src/db/connect.ts';
import { serve } from '../lib/child.ts';

/*
 * What the servers share, so that only what is compared differs: the way keys are looked up and remembered is
 * Tenure's own, on a connection beside the contender's pool.
 */

export interface Start {
  connection: { host: string; port: number; user: string; database: string };
  /** The default of Tenure's, for all. */
  max: number;
}

/** Who an Authorization header stands for; null: nobody. */
export type FindKey = (header: string | undefined) => Promise<StoredKey | null>;

/** Runs a server when the suite asks for it; its answer is the port it listens on. */
export function serveContender(
  start: (pool: Start['connection'] & { max: number }, findKey: FindKey) => Promise<number>,
) {
  serve({
    start: ({ connection, max }: Start) => {
      const db = connect({ connection, poolSize: 1, onError: () => undefined });
      const keys = new KeyRing(db);
      return start({ ...connection, max }, async (header) =>
        header?.startsWith('Bearer ') ? keys.find(header.slice(7), new Date()) : null,
      );
    },
  });
}
