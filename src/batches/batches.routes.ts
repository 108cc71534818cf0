import { refuseOverQuota } from '../accounts/test-quota.ts';
import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { isStorageFull, isUnavailable } from '../db/database-errors.ts';
import { AppError, badRequest, errorBody, storageFull, unavailable } from '../errors.ts';
import type { AnyContext, Reply, Route } from '../http/routes/route.ts';
import { mapInSlices } from '../system/time-slices.ts';
import { parseBody } from '../validation.ts';
import { type BatchNoun, batchNouns } from './batch-nouns.ts';
import { batchOf, batchResultOf, mostItems, UncheckedBatch } from './batches.schema.ts';
import { admit, type Item, inTurn, makeRecords, type Outcome } from './batches.ts';

/**
 * Items that are written and committed together: few enough to lock nothing for long, and below the 64 savepoints of
 * attempt().
 */
const itemsInStep = 50;
/** An item takes about as much work as a tenth of a request. */
const itemsOfRequest = 10;
/** Five thousand bytes for each item. Parsing 8 MiB took up to 90 ms, during which nobody else is served. */
const maxBodyBytes = 5 * 1024 * 1024;
const maxValues = 50 * mostItems;
/** How many mistakes of an atomic batch are reported. */
const mostTold = 100;

/** The same route for every noun. */
export const batchRoutes: Route[] = batchNouns.map((noun) => ({
  method: 'POST',
  path: `${noun.path}/batch`,
  permission: 'write',
  tag: noun.tag,
  summary: `Create up to ${mostItems} ${noun.many}`,
  description:
    'Each item is checked and created as if by its own POST, in order, with its own event and its own result. ' +
    `An item that fails does not keep the others from being created, unless the batch is \`atomic\`. With an \`Idempotency-Key\`, a repeat creates only what is missing. Ten items count as one request.`,
  body: batchOf(noun.create),
  reads: UncheckedBatch,
  maxBodyBytes,
  maxValues,
  stepwise: true,
  tool: false,
  success: 200,
  response: batchResultOf(noun.record),
  unprocessable: 'With `atomic`, some items failed, and nothing was created; `details` says which.',
  prepare: (context) => checkItems(noun, context),
  handle: (context) => answer(noun, context),
}));

/** Checks each item by itself, and lets other requests through in between. */
async function checkItems({ create }: BatchNoun, { body, spend, strict }: AnyContext): Promise<Item[]> {
  const { items } = body as UncheckedBatch;
  spend(Math.floor((items.length - 1) / itemsOfRequest));
  return mapInSlices(items, (item) => {
    try {
      if (typeof item !== 'object' || item === null || Array.isArray(item)) return notAnObject();
      return parseBody(create, item, { flaw: null, strict });
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  });
}

const notAnObject = () =>
  badRequest('validation_failed', { formErrors: ['The item is not a JSON object.'], fieldErrors: {} });

async function answer(noun: BatchNoun, context: AnyContext): Promise<Reply> {
  const { caller, body, prepared } = context;
  if (caller === null) throw new Error('A batch has no caller.');
  const create = (body as UncheckedBatch).atomic ? createAll : createEach;
  return admit(caller.accountId, () => create(noun, { ...context, caller }, prepared as Item[]));
}

type Asked = AnyContext & { caller: Caller };

const refuseOverTestQuota = (tx: Db, { app, caller }: Asked, items: number): Promise<void> =>
  refuseOverQuota(tx, caller.accountId, app.config.TEST_RECORDS_PER_ACCOUNT, items);

/** Creates all items in one transaction, which is rolled back if one fails. */
async function createAll(noun: BatchNoun, context: Asked, items: Item[]): Promise<Reply> {
  const { caller, now, requestId, step } = context;
  return inTurn(caller.accountId, () =>
    step(async (tx) => {
      await refuseOverTestQuota(tx, context, items.length);
      const outcomes = await makeRecords(tx, { noun, caller, now, mostFailed: mostTold }, items);
      const failed = outcomes.filter((outcome) => outcome instanceof AppError).length;
      if (failed > 0) throw refused(outcomes, failed, requestId);
      return resultBody(outcomes.length, 0, textOf(outcomes, 0, requestId));
    }),
  );
}

function refused(outcomes: Outcome[], failed: number, requestId: string): AppError {
  const all = outcomes.flatMap((outcome, index) =>
    outcome instanceof AppError ? [JSON.parse(resultText(outcome, index, requestId))] : [],
  );
  const many = failed < mostTold ? `${failed}` : `At least ${mostTold}`;
  return new AppError(
    'batch_failed',
    `${many} of ${outcomes.length} items failed, so nothing was created; \`details\` says which and why.`,
    {},
    { results: all.slice(0, mostTold) },
  );
}

/** Creates the items in steps that are committed one by one. */
async function createEach(noun: BatchNoun, context: Asked, items: Item[]): Promise<Reply> {
  const { caller, now, requestId, step, keyed } = context;
  const texts: string[] = [];
  let created = 0;
  for (let at = 0; at < items.length; at += itemsInStep) {
    const some = items.slice(at, at + itemsInStep);
    try {
      const { body } = await inTurn(caller.accountId, () =>
        step(async (tx) => {
          await refuseOverTestQuota(tx, context, some.length);
          return stepText(await makeRecords(tx, { noun, caller, now }, some), at, requestId);
        }),
      );
      const comma = body.indexOf(',');
      created += Number(body.slice(1, comma));
      texts.push(body.slice(comma + 1, -1));
    } catch (error) {
      const outage = outageOf(error);
      // With a key, a repeat continues from here. Without one, nobody could tell what was already done.
      if (at === 0 || keyed || outage === null) throw error;
      texts.push(textOf(Array(items.length - at).fill(outage), at, requestId));
      break;
    }
  }
  return { body: resultBody(created, items.length - created, texts.join()) };
}

function outageOf(error: unknown): AppError | null {
  if (isStorageFull(error)) return storageFull();
  if (isUnavailable(error)) return unavailable();
  return error instanceof AppError ? error : null;
}

/** A step's answer, which is also what is kept of it: a list of the number created and the results. */
const stepText = (outcomes: Outcome[], from: number, requestId: string): string =>
  `[${outcomes.filter((outcome) => typeof outcome === 'string').length},${textOf(outcomes, from, requestId)}]`;

const textOf = (outcomes: Outcome[], from: number, requestId: string): string =>
  outcomes.map((outcome, at) => resultText(outcome, from + at, requestId)).join();

const resultText = (outcome: Outcome, index: number, requestId: string): string =>
  outcome instanceof AppError
    ? `{"index":${index},"status":${outcome.status},${errorBody(outcome, requestId).slice(1)}`
    : `{"index":${index},"status":201,"data":${outcome}}`;

const resultBody = (created: number, failed: number, results: string): string =>
  `{"data":{"created":${created},"failed":${failed},"results":[${results}]}}`;
