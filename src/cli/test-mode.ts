import { findAccount } from '../accounts/accounts.ts';
import { refuseOverQuota } from '../accounts/test-quota.ts';
import { operator } from '../caller.ts';
import { todayIn } from '../clock.ts';
import { later } from '../ledger/account-clocks.ts';
import { analyzeGrown } from '../system/analyze-grown.ts';
import { advanceClock } from '../test-mode/advance.ts';
import { resetTestAccount } from '../test-mode/reset.ts';
import { enterTestAccount, testAccountOf } from '../test-mode/test-accounts.ts';
import { ClockAdvance } from '../test-mode/test-mode.schema.ts';
import { print, withDatabase } from './command.ts';

interface OfAccount {
  account: string;
  json?: boolean;
}

export async function testAdvance({ account, to: given, json }: OfAccount & { to: string }): Promise<void> {
  const { data, error } = ClockAdvance.safeParse({ to: given });
  if (data === undefined) throw new Error(`--to: ${error.issues[0]?.message}`);
  await withDatabase(async (db, { TEST_RECORDS_PER_ACCOUNT: most }) => {
    const { id } = await findAccount(db, account);
    const { accountId, timeZone } = await testAccountOf(db, id, new Date());
    const now = () => new Date();
    const onDays = () => refuseOverQuota(db, accountId, most);
    const counts = await advanceClock(db, accountId, new Date(data.to), { now, onDays });
    const at = later(now(), (await enterTestAccount(db, accountId, now())) ?? 0);
    const sum = (all: Record<string, number>) => Object.values(all).reduce((one, other) => one + other, 0);
    print(json, { now: at.toISOString(), today: todayIn(timeZone, at), ...counts }, [
      `The test clock is at ${at.toISOString()}. ${counts.days} days began on the way.`,
      `${sum(counts.posted)} charges were posted, and ${sum(counts.told)} events recorded.`,
    ]);
  });
}

export async function testReset({ account, demo, json }: OfAccount & { demo?: boolean }): Promise<void> {
  await withDatabase(async (db) => {
    const { id } = await findAccount(db, account);
    const now = new Date();
    const trial = await testAccountOf(db, id, now);
    const caller = { ...trial, permission: 'write', source: 'api', actor: operator } as const;
    const { counts } = await resetTestAccount(db, caller, { now, demo: demo === true });
    if (demo) await analyzeGrown(db);
    print(json, { reset: true, made: counts ?? {} }, [
      counts === null
        ? 'Test mode is empty, and its clock shows real time.'
        : `Test mode has ${counts.units} units and ${counts.leases} leases, and its clock shows real time.`,
    ]);
  });
}
