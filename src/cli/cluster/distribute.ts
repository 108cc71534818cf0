import { distribute } from '../../db/distributed/distribute.ts';
import { print, withDatabase } from '../command.ts';
import { visibleLines } from '../visible.ts';

export async function distributeCommand({ json }: { json?: boolean }): Promise<void> {
  const tell = (step: string) => json || process.stdout.write(`${visibleLines(step)}\n`);
  const steps = await withDatabase((db) => distribute(db, tell));
  const line =
    steps > 0 ? 'The database is distributed by account.' : 'The database was already distributed.';
  print(json, { steps }, [line]);
}
