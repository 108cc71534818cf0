import { asked, measureAsking } from '../ledger/asking.ts';
import { beside, measureBesideYear } from '../ledger/beside-year.ts';
import { measurePosting, posted } from '../ledger/posting.ts';
import { measureYear } from '../ledger/year.ts';
import { openPostgres } from '../lib/postgres.ts';
import { ratio } from '../lib/stats.ts';
import { bar, ratioBar, type Samples, type Suite, section, valuesOf } from '../lib/suite.ts';

const months = 60;
const year = 'a year of the demo account';

export const suite: Suite = {
  title: 'Ledger',
  rounds: 3,
  async run(options) {
    const size = options.quick
      ? { many: 500, posted: 2_000, days: 40 }
      : { many: 10_000, posted: 100_000, days: 365 };
    await using postgres = await openPostgres('ledger');
    const times = await measureAsking(postgres, { leases: size.many, months }, options);
    const { rates, neighbours } = await measurePosting(postgres, size.posted, options);
    const years = await measureYear(postgres, { name: year, days: size.days }, options);
    const others = await measureBesideYear(postgres, size.days, options);
    const yearToDay = ratio(valuesOf(years, year, 'yearMs'), valuesOf(years, year, 'dayMs'));
    const { ledger, payments } = asked;
    return {
      intro,
      settings: { leases: `100 and ${size.many}`, months, 'leases posted': size.posted, days: size.days },
      versions: { postgres: postgres.version },
      bars: [
        ratioBar('`/balances?owing=true`, first page', times, 'ms', [asked.many, asked.few], ['≤', 2]),
        ratioBar('The same as of a past day', times, 'ms', [asked.past, asked.fewPast], ['≤', 3]),
        ratioBar("A lease's ledger, beside its payments", times, 'ms', [ledger, payments], ['≤', 1.5]),
        ratioBar('Rent posted', rates, 'perSecond', [posted.posted, posted.inserted], ['≥', 0.5]),
        ratioBar('Meanwhile, another account', neighbours, 'ms', [posted.all, posted.quiet], ['≤', 1.5]),
        ratioBar('Memory, all posted to a tenth', neighbours, 'mb', [posted.all, posted.tenth], ['≤', 1.2]),
        bar('A year to a day with rent', '≤', 20, '×', yearToDay),
        ratioBar('p95 of another, beside a year', others, 'p95Ms', [beside.year, beside.quiet], ['≤', 3]),
      ],
      sections: [
        section('Asking and posting', table(times, rates, neighbours), {
          ms: 'p50 ms',
          perSecond: 'charges/s',
          mb: 'resident MB, most',
        }),
      ],
    };
  },
};

/** All in one table, without what was not measured. */
function table(...all: Samples<string>[]): Samples<'ms' | 'perSecond' | 'mb'> {
  const none = { ms: 0, perSecond: 0, mb: 0 };
  const rows = all.flatMap((samples) => [...samples]);
  return new Map(rows.map(([name, rounds]) => [name, rounds.map((each) => ({ ...none, ...each }))]));
}

const intro = `Accounts with five years of rent; one lease in twenty owes two months. A month's rent is posted in one transaction,
beside plain inserts of as many rows, while another account asks for its payments. In the demo's year nobody pays.`;
