import type { Db } from '../../db/connect.ts';
import { eachChunk } from '../../db/records/id-chunks.ts';
import type { SubscribableEvent } from '../../events/catalogue.ts';
import type { Writing } from '../../events/writer.ts';
import { findChangingOn, findOpenOn } from './due-charges.store.ts';
import { countAsChanged, tellCharges } from './write-charges.ts';

/** Records `charge.due` for charges that fall due today and are open. */
export const tellDue = (tx: Db, how: Writing): Promise<void> => tellOpen(tx, how, 'due_on', 'charge.due');

/** Records `charge.overdue` for charges that have been overdue since the day began. */
export const tellOverdue = (tx: Db, how: Writing): Promise<void> =>
  tellOpen(tx, how, 'overdue_from', 'charge.overdue');

const tellOpen = (
  tx: Db,
  how: Writing,
  column: 'due_on' | 'overdue_from',
  event: SubscribableEvent,
): Promise<void> =>
  eachChunk(
    (chunk) => findOpenOn(tx, how.accountId, column, how.today, chunk),
    (ids) => tellCharges(tx, how, ids, event),
  );

/** Marks charges as changed that look different because the day has begun. */
export const turnCharges = (tx: Db, how: Writing): Promise<void> =>
  eachChunk(
    (chunk) => findChangingOn(tx, how.accountId, how.today, chunk),
    (ids) => countAsChanged(tx, how, ids),
  );
