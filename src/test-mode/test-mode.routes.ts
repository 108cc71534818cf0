import { route, single } from '../http/routes/route.ts';
import { singleOf } from '../shapes.ts';
import { TestClock } from './test-mode.schema.ts';

const tag = 'Test mode';

export const testModeRoutes = [
  route({
    method: 'GET',
    path: '/test/clock',
    permission: 'read',
    mode: 'test',
    tag,
    summary: 'Get the test clock',
    description: 'Only with a test key: with any other, these paths do not exist.',
    success: 200,
    response: singleOf(TestClock),
    handle: async ({ now, today }) => single(JSON.stringify({ now: now.toISOString(), today })),
  }),
];
