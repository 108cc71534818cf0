import { z } from 'zod';
import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { findByExternalId } from '../db/records/external-ids.ts';
import { findRows } from '../db/records/rows.ts';
import { JustTaken } from '../db/violations.ts';
import { AppError, conflict, invalidField } from '../errors.ts';
import { requiredText } from '../fields.ts';
import type { UpsertNoun } from './upsert-nouns.ts';

type Values = Record<string, unknown>;

/**
 * The body of a PUT. It is that of POST without defaults, because fields left out of an existing record stay as they
 * are. The external_id is in the path; a record may also be sent as it was read, with its external_id.
 */
export function putOf(create: z.ZodObject, without: readonly string[] = []): z.ZodObject {
  const fields = Object.entries(create.shape).filter(([name]) => !without.includes(name));
  const { external_id: _, ...others } = Object.fromEntries(
    fields.map(([name, field]) => [name, withoutDefault(field)]),
  );
  return z.object({ ...others, external_id: sameExternalId });
}

const sameExternalId = requiredText(200)
  .optional()
  .meta({ description: 'The one in the path, or left out.', examples: ['crm-1042'] });

/** A body that contradicts the path must not seem to have been accepted. */
export function refuseOtherExternalId(inPath: string, given: unknown): void {
  if (given !== undefined && given !== inPath)
    throw invalidField('external_id', 'Must be the one in the path, or be left out.');
}

function withoutDefault(field: z.core.$ZodType): z.ZodType {
  if (!(field instanceof z.ZodDefault)) return field as z.ZodType;
  const inner = (field.unwrap() as z.ZodType).optional();
  return inner.meta({ ...(field.unwrap() as z.ZodType).meta(), ...field.meta() });
}

/** The values that POST uses for fields that are left out. */
const defaultsOf = (create: z.ZodObject): Values =>
  Object.fromEntries(
    Object.entries(create.shape).flatMap(([name, field]) =>
      field instanceof z.ZodDefault ? [[name, field.def.defaultValue]] : [],
    ),
  );

interface Put {
  json: string;
  created: boolean;
}

/**
 * Creates the record with this external_id, or changes it if it differs. If two callers do so at once, one creates it.
 * The index refuses the other, which starts again (retryDeadlock) and finds the record.
 */
export async function putRecord(
  db: Db,
  noun: UpsertNoun,
  caller: Caller,
  externalId: string,
  given: Values,
  now: Date,
): Promise<Put> {
  const { accountId } = caller;
  const id = await findByExternalId(db, noun.table, accountId, externalId);
  const [current] = id === null ? [] : await findRows(db, noun.table, accountId, [id], false);
  if (current !== undefined && !isReplaced(noun, current, given)) {
    const patch = patchFor(noun, current, given);
    return { json: await noun.change(db, caller, current.id, patch, now), created: false };
  }
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  const input = { ...defaultsOf(noun.create), ...Object.fromEntries(said), external_id: externalId };
  return { json: await noun.add(db, caller, input, now).catch(beginAnew), created: true };
}

/** The record did not exist a moment ago. */
function beginAnew(error: unknown): never {
  throw error instanceof AppError && error.type === 'external_id_taken' ? new JustTaken() : error;
}

const differing = (current: Values, given: Values): string[] =>
  Object.keys(given).filter((name) => given[name] !== undefined && given[name] !== current[name]);

/** A charge that was voided because it was wrong is created again if it is sent with other values. */
const isReplaced = ({ patch }: UpsertNoun, current: Values, given: Values): boolean =>
  patch === null && current.voided_on !== null && differing(current, given).length > 0;

/**
 * Refuses what cannot change. PATCH ignores these fields; here they were sent, and must not seem to have been accepted.
 */
function patchFor(noun: UpsertNoun, current: Values, given: Values): Values {
  const changeable = Object.keys(noun.patch?.shape ?? {});
  const [fixed] = differing(current, given).filter((name) => !changeable.includes(name));
  if (fixed !== undefined)
    throw conflict('field_fixed', `\`${fixed}\` of ${noun.one} cannot change. ${noun.instead}`);
  const patch = Object.fromEntries(changeable.map((name) => [name, given[name]]));
  return noun.adjust?.(current, patch) ?? patch;
}
