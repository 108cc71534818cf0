import { LRUCache } from 'lru-cache';
import type { App } from '../../app.ts';
import { audit } from '../../audit/audit.ts';
import type { Caller } from '../../caller.ts';
import { minutes } from '../../clock.ts';

/** If a program asks for the same file every second, it is noted only once in a while. */
const noted = new LRUCache<string, true>({ max: 10_000, ttl: minutes(10) });

/** Notes who downloaded which list as a file. If that cannot be written, people may still read. */
export async function noteExport(app: App, caller: Caller | null, url: string): Promise<void> {
  if (caller === null) return;
  const path = listOf(url);
  const name = `${caller.accountId} ${caller.actor.id} ${path}`;
  if (caller.actor.type === 'key' && noted.has(name)) return;
  noted.set(name, true);
  try {
    await audit(app.db, caller, 'export.downloaded', { subject: path });
  } catch (error) {
    app.log.warn({ err: error }, 'an export could not be noted');
  }
}

/** The list with its filters, without parameters that only say how it is read. */
function listOf(url: string): string {
  const [path = '', text = ''] = url.split('?', 2);
  const filters = new URLSearchParams(text);
  for (const name of ['format', 'account', 'mode', 'cursor']) filters.delete(name);
  const list = path.replace(/^\/(api|internal)\/v1/, '');
  return (filters.size === 0 ? list : `${list}?${filters}`).slice(0, 500);
}
