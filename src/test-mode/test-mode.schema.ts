import { z } from 'zod';
import { calendarDate, moment, timestamp } from '../fields.ts';

const clock = {
  now: timestamp.meta({ description: 'The time in test mode. It keeps running, like any clock.' }),
  today: calendarDate.meta({ description: "The day it is then in the account's time zone." }),
};

export const TestClock = z
  .object(clock)
  .meta({ id: 'TestClock', description: 'The time in test mode: real time until it is first moved.' });

const counts = (description: string, examples: Record<string, number>[]) =>
  z.record(z.string(), z.int()).meta({ description, examples });

export const AdvancedClock = z
  .object({
    ...clock,
    days: z.int().meta({ description: 'How many days began on the way.', examples: [31] }),
    posted: counts('How many charges were posted, by kind.', [{ rent: 12, late_fee: 1 }]),
    told: counts('How many events happened by themselves, by name.', [{ 'charge.created': 13 }]),
  })
  .meta({ id: 'AdvancedClock', description: 'The test clock after it was moved, and what that brought.' });

export const ClockAdvance = z
  .object({
    to: moment.meta({
      description: 'The new time: later than that of the clock, and at most two years later.',
      examples: ['2027-01-31T12:00:00.000Z'],
    }),
  })
  .meta({ id: 'ClockAdvance' });

export const TestReset = z
  .object({
    demo: z
      .boolean('Must be true or false.')
      .default(false)
      .meta({ description: 'Whether to fill it with make-believe records of a small landlord.' }),
  })
  .meta({ id: 'TestReset' });

export const ResetAccount = z
  .object({
    ...clock,
    made: counts('How many records there are now, by kind.', [{ properties: 0 }]),
  })
  .meta({ id: 'ResetAccount', description: 'The test clock of the emptied test mode, and what is in it.' });
