import type { Database, Db } from '../db/connect.ts';
import { literal, sql } from '../db/sql.ts';

interface WorkerIdentity {
  id: string;
  host: string;
  pid: number;
  version: string;
}

/** Says that this worker is alive. */
export async function beat(db: Database, worker: WorkerIdentity): Promise<void> {
  await db.query(sql`
    insert into workers (id, host, pid, version, started_at, beat_at)
    values (${worker.id}, ${worker.host}, ${worker.pid}, ${worker.version}, now(), now())
    on conflict (id) do update set beat_at = now()`);
}

/** A worker beats every two seconds. A database that is busy or fails over delays some beats. */
const aliveForSeconds = 15;

/** The workers of all processes, the one that beat last first. */
export function workersAtWork(db: Db): Promise<Pick<WorkerIdentity, 'host' | 'pid'>[]> {
  return db.query(sql`
    select host, pid from workers where beat_at > now() - ${literal(aliveForSeconds)} * interval '1 second'
    order by beat_at desc`);
}

export async function signOff(db: Database, id: string): Promise<void> {
  await db.query(sql`delete from workers where id = ${id}`);
}

/** A worker that was killed cannot sign off. If the clock was set back, its last beat is in the future. */
export async function forgetDeadWorkers(db: Database): Promise<void> {
  await db.query(
    sql`delete from workers where beat_at < now() - interval '1 minute' or beat_at > now() + interval '1 minute'`,
  );
}
