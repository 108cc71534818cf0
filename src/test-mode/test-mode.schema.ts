import { z } from 'zod';
import { calendarDate, timestamp } from '../fields.ts';

export const TestClock = z
  .object({
    now: timestamp.meta({ description: 'The time in test mode. It runs on by itself, like any clock.' }),
    today: calendarDate.meta({ description: "The day it is then in the account's time zone." }),
  })
  .meta({ id: 'TestClock', description: 'The time in test mode: real time until it is first moved.' });
