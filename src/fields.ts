import { z } from 'zod';
import { type IdPrefix, parseId } from './ids.ts';
import { isCurrency, maxCents } from './money.ts';

/*
 * The kinds of field that records are made of: what is accepted, what it becomes, and how it is
 * documented. Everything from outside passes through one of these.
 */

/** Postgres stores neither NUL nor half a surrogate pair; refuse them instead of changing the text. */
export const isStorable = (value: string) => !value.includes('\0') && value.isWellFormed();
export const notStorable = 'Must not contain NUL characters or broken Unicode.';

/** Text that is required: trimmed and not empty. */
export const requiredText = (max: number) =>
  z
    .string('Must be text.')
    .trim()
    .min(1, 'Must not be empty.')
    .max(max, `Must have at most ${max} characters.`)
    .refine(isStorable, notStorable);

/** Text that may be missing. Empty text is stored as null. */
export const optionalText = (max: number) =>
  z
    .string('Must be text.')
    .trim()
    .max(max, `Must have at most ${max} characters.`)
    .refine(isStorable, notStorable)
    .transform((value) => (value === '' ? null : value))
    .nullable()
    .optional();

/** The id of a record in the caller's other system, as it is sent and as it is shown. */
export const externalId = optionalText(200).meta({
  description: 'Its id in another system of yours, unique among records of this kind.',
});
export const shownExternalId = z
  .string()
  .nullable()
  .meta({ description: 'Its id in another system of yours.' });

/**
 * A value written as text (a date, a country) that may be missing. Empty text clears it, as in optionalText: forms and
 * automation platforms send that for a cleared field.
 */
export const optionally = <Kind extends z.ZodType>(kind: Kind) =>
  z
    .preprocess((given) => (typeof given === 'string' && given.trim() === '' ? null : given), kind.nullable())
    .optional();

/** Text to search for. It is not stored. */
export const searchText = requiredText(200);
/** How a list is searched if its records are found by names of other records. */
export const searchedWords =
  'Each must occur; one or two letters or digits must begin a word. A key finds names only with the scope to read them.';

/** Filters that find the one record that another system knows. */
export const exactEmail = requiredText(320)
  .optional()
  .meta({ description: 'Exactly this e-mail address, in any letter case.', examples: ['ada@example.com'] });
export const exactPhone = requiredText(50)
  .transform((value, context) => {
    const digits = value.replace(/\D/g, '');
    if (digits !== '') return digits;
    context.addIssue({ code: 'custom', message: 'Must have digits.' });
    return z.NEVER;
  })
  .optional()
  .meta({
    description: 'Exactly this phone number: its digits are compared.',
    examples: ['+1 503 555 0142'],
  });
export const exactExternalId = requiredText(200)
  .optional()
  .meta({ description: 'Exactly this id in another system of yours.', examples: ['T-1042'] });

/** For the documentation. */
export const exampleId = (prefix: IdPrefix) => `${prefix}_019a8b2c4d5e7f608192a3b4c5d6e7f8`;

/** The id of another record of the account, parsed to its uuid. */
export const idOf = (prefix: IdPrefix) =>
  z
    .string(`Must be an id such as ${prefix}_ and 32 hexadecimal digits.`)
    .transform((value, context) => {
      const uuid = parseId(prefix, value);
      if (uuid !== null) return uuid;
      context.addIssue({
        code: 'custom',
        message: `Must be an id such as ${prefix}_ and 32 hexadecimal digits.`,
      });
      return z.NEVER;
    })
    .meta({ idPrefix: prefix, pattern: `^${prefix}_[0-9a-f]{32}$`, examples: [exampleId(prefix)] });

/** An id in a response. */
export const publicId = (prefix: IdPrefix) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9a-f]{32}$`))
    .meta({ examples: [exampleId(prefix)] });

const dateMessage = ({ input }: { input?: unknown }) =>
  typeof input === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(input)
    ? 'There is no such day.'
    : 'Must be a date written YYYY-MM-DD.';
export const calendarDate = z.iso
  .date({ error: dateMessage, abort: true })
  .refine(
    (value) => value >= '1900-01-01' && value < '3000-01-01',
    'Must be between 1900-01-01 and 2999-12-31.',
  );

/**
 * A moment with its offset (or a plain date, meaning its midnight in UTC), parsed to ISO 8601 UTC with milliseconds.
 */
const momentMessage = 'Must be a timestamp such as 2026-11-15T09:30:00.000Z.';
export const moment = z
  .union([z.iso.datetime({ offset: true, error: momentMessage }), z.iso.date()], { error: momentMessage })
  .transform((value, context) => {
    const time = new Date(value);
    if (time.getTime() >= Date.UTC(1900, 0) && time.getTime() < Date.UTC(3000, 0)) return time.toISOString();
    context.addIssue({ code: 'custom', message: 'Must be between the years 1900 and 2999.' });
    return z.NEVER;
  });

/** A timestamp in a response. */
export const timestamp = z.iso.datetime({ precision: 3 }).meta({ examples: ['2026-11-15T09:30:00.000Z'] });

/** An amount in a response, in minor units. */
export const shownCents = (description: string) => z.int().meta({ description, examples: [125000] });

/** The decimal beside it. */
export const shownDecimal = z
  .string()
  .meta({ description: 'The same amount as a decimal.', examples: ['1250.00'] });

export const cents = z
  .int('Must be a whole number of minor units, such as 125000 for 1250.00.')
  .min(1, 'Must be more than zero.')
  .max(maxCents, `Must be at most ${maxCents}.`);

export const currency = z
  .string('Must be an ISO 4217 code such as USD.')
  .trim()
  // Checked before it becomes upper case, where ß would become SS.
  .refine((code) => /^[a-z]{3}$/i.test(code), { error: 'Must be an ISO 4217 code such as USD.', abort: true })
  .toUpperCase()
  .refine(isCurrency, 'Must be an ISO 4217 code such as USD.')
  .meta({ examples: ['USD'] });

const zoneMessage = 'Must be an IANA time zone such as Europe/Berlin.';
/** Aliases such as Asia/Kolkata are kept as given. */
export const timeZone = z
  .string(zoneMessage)
  .trim()
  .max(100, zoneMessage)
  .transform((name, context) => {
    const known = knownZone(name);
    if (known !== null) return known.toLowerCase() === name.toLowerCase() ? known : name;
    context.addIssue({ code: 'custom', message: zoneMessage });
    return z.NEVER;
  })
  .meta({ examples: ['America/New_York'] });

/**
 * The zone's main name; null if there is no such zone. Intl also accepts offsets such as +05:30, but these are no
 * places.
 */
function knownZone(name: string): string | null {
  if (!/^[a-z]/i.test(name)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
/**
 * Regions that Node has a name for but ISO 3166 does not list: former countries, and regions that never were countries.
 */
const notCountries = new Set(
  'AC AN BU CP CQ CS DD DG DY EA EU EZ FX HV IC NH NQ NT PC PU PZ QO QU RH SU TA TP UK UN VD WK XA XB XK YD YU ZR ZZ'.split(
    ' ',
  ),
);
const isCountry = (code: string) => !notCountries.has(code) && regions.of(code) !== undefined;

export const country = z
  .string('Must be an ISO 3166 code such as US.')
  .trim()
  // Checked before it becomes upper case, as above: SS is South Sudan.
  .refine((code) => /^[a-z]{2}$/i.test(code), {
    error: 'Must be a two-letter ISO 3166 code such as US.',
    abort: true,
  })
  .toUpperCase()
  .refine(isCountry, 'Must be a two-letter ISO 3166 code such as US.')
  .meta({ examples: ['US'] });

export const wholeNumber = (least: number, most: number) =>
  z
    .int('Must be a whole number.')
    .min(least, `Must be at least ${least}.`)
    .max(most, `Must be at most ${most}.`);

export const choice = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, `Must be one of ${values.join(', ')}.`);

/** The month that an amount is for. */
export const month = z
  .string('Must be a month written YYYY-MM.')
  .regex(/^(19|2\d)\d\d-(0[1-9]|1[0-2])$/, 'Must be a month written YYYY-MM.')
  .meta({ examples: ['2026-11'] });

/** A query parameter that is on or off. */
export const flag = z
  .enum(['true', 'false'], 'Must be true or false.')
  .transform((value) => value === 'true');

/** A list filter: one value or several, separated by commas. */
export const choiceFilter = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((given, context): Values[number][] => {
      const wanted = [
        ...new Set(
          [given]
            .flat()
            .flatMap((part) => part.split(','))
            .map((part) => part.trim()),
        ),
      ];
      const unknown = wanted.filter((value) => !values.includes(value));
      if (unknown.length === 0) return wanted;
      context.addIssue({ code: 'custom', message: `Must be one or several of ${values.join(', ')}.` });
      return z.NEVER;
    })
    .optional()
    .meta({
      description: `One value or several, separated by commas: ${values.join(', ')}.`,
      choices: values,
    });
