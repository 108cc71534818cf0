import { invalidField } from '../../errors.ts';
import { writing } from '../../events/writer.ts';
import { route } from '../../http/routes/route.ts';
import { listOf } from '../../shapes.ts';
import { freshen } from '../freshen.ts';
import { addDays, addMonths, later } from '../rules/calendar.ts';
import { previewLateFees } from './late-fee-preview.ts';
import { LateFeePreview, LateFeePreviewQuery } from './previews.schema.ts';

export const previewRoutes = [
  route({
    method: 'GET',
    path: '/late-fees/preview',
    permission: 'read',
    tag: 'Charges',
    summary: 'See what late fees would be charged',
    description:
      'What the next run would charge, if nothing more were paid. On a later day, rent that is posted ahead may be late too. Nothing is written.',
    query: LateFeePreviewQuery,
    success: 200,
    response: listOf(LateFeePreview),
    async handle({ db, caller, query, today, now }) {
      const asOf = query.as_of ?? addDays(today, 1);
      if (asOf > addMonths(today, 12)) throw invalidField('as_of', 'Must be at most a year ahead.');
      await freshen(db, writing(caller, now), later(today, asOf));
      const fees = await previewLateFees(db, caller.accountId, today, asOf);
      return { body: JSON.stringify({ data: fees, count: fees.length }) };
    },
  }),
];
