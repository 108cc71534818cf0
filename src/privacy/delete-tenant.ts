import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { deleteRecord } from '../deletion/delete-record.ts';
import { forgetWhatFilesSaid } from '../imports/queue/queue.ts';
import { deletableTenant } from '../tenants/tenants.ts';
import { forgetViewsAbout } from '../views/views.ts';
import { findAboutDeleted } from './about-tenant.store.ts';
import { eraseHistory } from './erase-tenant.ts';
import { forgetSearches, noteErasure } from './erasure.store.ts';
import { mentionsOf } from './mentions.ts';

/**
 * Deletes a tenant that nothing refers to. Nobody can ask for the erasure of a tenant who is gone, so deleting includes
 * it: history is erased at once, and events, deliveries and kept answers are erased by a worker.
 */
export const deleteTenant = (db: Db, caller: Caller, id: string, now: Date): Promise<string> =>
  deleteRecord(db, caller, id, now, {
    ...deletableTenant,
    async takeAlong(tx, { accountId }) {
      await noteErasure(tx, accountId, id, now);
      const mentions = await mentionsOf(tx, accountId, id);
      await forgetWhatFilesSaid(tx, accountId, mentions);
      await forgetSearches(tx, accountId);
      await forgetViewsAbout(tx, accountId, mentions);
      await eraseHistory(tx, await findAboutDeleted(tx, accountId, id));
      return undefined;
    },
  });
