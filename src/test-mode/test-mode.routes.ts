import { refuseOverQuota } from '../accounts/test-quota.ts';
import { todayIn } from '../clock.ts';
import { route, single } from '../http/routes/route.ts';
import { singleOf } from '../shapes.ts';
import { analyzeGrown } from '../system/analyze-grown.ts';
import { advanceClock } from './advance.ts';
import { resetTestAccount } from './reset.ts';
import { AdvancedClock, ClockAdvance, ResetAccount, TestClock, TestReset } from './test-mode.schema.ts';

const tag = 'Test mode';

/** For test keys, and for people in test mode. For everybody else these paths do not exist. */
export const testModeRoutes = [
  route({
    method: 'GET',
    path: '/test/clock',
    permission: 'read',
    mode: 'test',
    tag,
    summary: 'Get the test clock',
    description: 'Only with a test key: with any other, this path does not exist.',
    success: 200,
    response: singleOf(TestClock),
    handle: async ({ now, caller }) => single(JSON.stringify(shown(now, caller.timeZone))),
  }),
  route({
    method: 'POST',
    path: '/test/clock/advance',
    permission: 'write',
    mode: 'test',
    remembers: true,
    tag,
    summary: 'Move the test clock',
    description:
      'Every day on the way happens as in live mode: charges are posted, late fees charged, events sent. Answers when all of it is done. If it is interrupted, the clock is at the beginning of a day; advance again to continue. Only with a test key.',
    body: ClockAdvance,
    success: 200,
    response: singleOf(AdvancedClock),
    conflicts: 'The clock is already being moved, or test mode has reached its limit of records.',
    async handle({ app, db, caller, body, remember }) {
      const { accountId, timeZone } = caller;
      const { TEST_RECORDS_PER_ACCOUNT: most } = app.config;
      let answer = single('');
      await advanceClock(db, accountId, new Date(body.to), {
        now: app.now,
        signal: app.stopping.signal,
        async onDays() {
          app.workers.wake();
          await refuseOverQuota(db, accountId, most);
        },
        async onArrival(tx, at, counts) {
          answer = single(JSON.stringify({ ...shown(at, timeZone), ...counts }));
          await remember(tx, answer.body);
        },
      });
      return answer;
    },
  }),
  route({
    method: 'POST',
    path: '/test/reset',
    permission: 'write',
    mode: 'test',
    remembers: true,
    tag,
    summary: 'Empty test mode',
    description:
      'All records, events and webhooks are deleted, and the clock shows real time again. Keys stay. Only with a test key.',
    body: TestReset,
    success: 200,
    response: singleOf(ResetAccount),
    conflicts: 'The test clock is being moved.',
    async handle({ app, db, caller, body, remember }) {
      const now = app.now();
      let answer = single('');
      await resetTestAccount(db, caller, {
        now,
        demo: body.demo,
        async onDone(tx, { account: { accountId, timeZone }, counts }) {
          answer = single(JSON.stringify({ ...shown(now, timeZone), made: counts ?? {} }));
          await remember(tx, answer.body, accountId);
        },
      });
      // Its keys now belong to the account that took its place.
      app.keys.lookAgain(caller.accountId);
      if (body.demo) await analyzeGrown(db);
      return answer;
    },
  }),
];

const shown = (now: Date, timeZone: string) => ({ now: now.toISOString(), today: todayIn(timeZone, now) });
