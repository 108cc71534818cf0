import { writing } from '../../events/writer.ts';
import { route, single } from '../../http/routes/route.ts';
import { checkRange } from '../../paging.ts';
import { singleOf } from '../../shapes.ts';
import { Ledger, LedgerQuery, Statement, StatementQuery } from './ledger.schema.ts';
import { readLedger, readStatement } from './ledger.ts';
import { statementPdfs } from './pdf-queue.ts';
import { statementPage } from './statement-html.ts';

const tag = 'Balances';

export const statementRoutes = [
  route({
    method: 'GET',
    path: '/leases/:id/ledger',
    permission: 'read',
    tag,
    summary: 'Get the ledger of a lease',
    description:
      'Every charge, payment, return and credit by day, the balance after each, and who paid what. ' +
      'The balance of a day is what was owed less what was paid: charges that are not due yet are listed separately, as are pending payments.',
    id: 'lease',
    query: LedgerQuery,
    success: 200,
    response: singleOf(Ledger),
    rows: 'entries',
    async handle({ db, caller, id, query, now }) {
      checkRange(query.from, query.to);
      return single(JSON.stringify(await readLedger(db, writing(caller, now), id, query)));
    },
  }),
  route({
    method: 'GET',
    path: '/leases/:id/statement',
    permission: 'read',
    tag,
    summary: 'Get the statement of a lease for its tenants',
    description:
      'Also as a page to print and as a PDF. PDFs are made one after the other, and accounts take turns: ' +
      'an account with 25 of them waiting gets a 503, with `Retry-After`.',
    id: 'lease',
    query: StatementQuery,
    success: 200,
    response: singleOf(Statement),
    documents: {
      html: statementPage,
      pdf: async (body, { caller }) => ({ content: await statementPdfs.make(body, caller?.accountId ?? '') }),
    },
    async handle({ db, caller, id, query, now }) {
      checkRange(query.from, query.to);
      return single(JSON.stringify(await readStatement(db, writing(caller, now), id, query)));
    },
  }),
];
