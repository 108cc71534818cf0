import { z } from 'zod';
import { eventNames } from '../events/catalogue.ts';
import { publicId, timestamp } from '../fields.ts';
import { maintenancePriorities } from '../maintenance/maintenance.schema.ts';

const rent = {
  /** What falls due in the month, as in the report of rent collected. */
  expected_cents: z.int(),
  /** What has been paid of it as of today. */
  collected_cents: z.int(),
  /** The rest. */
  owed_cents: z.int(),
};

const overdue = {
  currency: z.string(),
  /** What was due before today and is still open. */
  total_cents: z.int(),
  /** How many leases owe it: those of `/balances?overdue=true` in this currency. */
  leases: z.int(),
};

/** What an activity is about: the page to open. */
const recordTypes = [
  'property',
  'unit',
  'tenant',
  'lease',
  'payment',
  'charge',
  'maintenance_request',
  'webhook',
] as const;

export const Activity = z.object({
  id: publicId('evt'),
  event: z.enum(eventNames),
  created_at: timestamp,
  /** In words: "Payment recorded", "12 charges due". */
  title: z.string(),
  /** Whom or what it is about: "Ada Okafor · Maple Court, 2B". */
  detail: z.string().nullable(),
  /** How many events it stands for: charges that fall due together are shown as one. `id` is the latest. */
  count: z.int(),
  /** For charges, credits and payments: the total amount, which the reader's locale formats after the title. */
  amount_cents: z.int().nullable(),
  currency: z.string().nullable(),
  /** Without an id, the link leads to the list. */
  link: z.object({ type: z.enum(recordTypes), id: z.string().nullable() }),
});

/** Each figure counts what its list shows. Only the occupancy leaves out archived properties, as its list does. */
export const Home = z.object({
  currency: z.string(),
  /** This month, in the account's currency. */
  month: z.object({ month: z.string(), ...rent }),
  /** Twelve months, oldest first, this one last. */
  months: z.array(z.object({ month: z.string(), ...rent })),
  /** This month in every other currency in which there is rent. */
  other_currencies: z.array(z.object({ currency: z.string(), ...rent })),
  overdue: z.object({ ...overdue, other_currencies: z.array(z.object(overdue)) }),
  occupancy: z.object({ units: z.int(), occupied: z.int(), vacant: z.int(), offline: z.int() }),
  open_repairs: z.object({
    total: z.int(),
    by_priority: z.object(
      Object.fromEntries(maintenancePriorities.map((priority) => [priority, z.int()])) as {
        [Priority in (typeof maintenancePriorities)[number]]: z.ZodInt;
      },
    ),
  }),
  leases_ending: z.object({
    /** Within 60 days. */
    total: z.int(),
    /** The first 20, the nearest end first. */
    leases: z.array(
      z.object({
        id: publicId('lease'),
        /** The agreed last day, or the actual end if that is set. */
        ends_on: z.iso.date(),
        days_left: z.int(),
        rent_cents: z.int(),
        currency: z.string(),
        notice_given_on: z.iso.date().nullable(),
        tenants: z.array(z.object({ id: publicId('ten'), name: z.string() })),
        unit: z.object({ id: publicId('unit'), name: z.string() }),
        property: z.object({ id: publicId('prop'), name: z.string() }),
      }),
    ),
  }),
  /** The last 15 that happened. */
  activity: z.array(Activity),
  /** Which of a newcomer's first steps are done. */
  setup: z.object({
    property: z.boolean(),
    unit: z.boolean(),
    tenant: z.boolean(),
    lease: z.boolean(),
    payment: z.boolean(),
    complete: z.boolean(),
  }),
});

export type Home = z.output<typeof Home>;
export type Activity = z.output<typeof Activity>;
