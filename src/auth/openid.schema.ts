import { z } from 'zod';
import { browsersTimeZone } from '../accounts/accounts.schema.ts';

const text = z.string('Must be text.');

/** A page of ours. Browsers ignore tabs and line breaks in addresses, so either could hide a second slash. */
const ownPage = text
  .max(2000)
  .regex(/^\/(?![/\\])[^\t\n\r]*$/, 'Must be the path of a page.')
  .catch('/');

export const OpenIdBegin = z.object({
  /** The page to go to afterwards. */
  next: ownPage,
  /** The token of an invitation link. */
  invitation: text.max(200).optional(),
  time_zone: browsersTimeZone,
});

/** Where the browser has to go. */
export const OpenIdBegun = z.object({ url: z.string() });

/** What the issuer sent the browser back with. */
export const OpenIdFinish = z.object({
  code: text.max(10_000).optional(),
  state: text.max(1000).optional(),
  iss: text.max(2000).optional(),
  error: text.max(1000).optional(),
});

/** The page to go to. */
export const OpenIdFinished = z.object({ next: z.string() });
