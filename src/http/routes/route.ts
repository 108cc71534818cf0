import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { App } from '../../app.ts';
import type { Caller, Mode, Permission } from '../../caller.ts';
import type { Db } from '../../db/connect.ts';
import type { Page } from '../../db/lists/list.ts';
import type { IdPrefix } from '../../ids.ts';
import type { SignedIn, Visitor } from '../../sessions/visitor.ts';
import type { Form } from '../server/form.ts';

export type { FormPart } from '../server/form.ts';

export interface Context<Query, Body, Prepared = unknown> {
  app: App;
  /** The database, or the transaction that also records the answer for the Idempotency-Key. */
  db: Db;
  caller: Caller;
  /** The uuid of the :id in the path. A malformed one was already answered with 404. */
  id: string;
  /** Other parameters of the path, such as the :token of an invitation. */
  params: Record<string, string>;
  query: Query;
  body: Body;
  /** What the route's prepare() returned. */
  prepared: Prepared;
  userAgent: string;
  visitor: Visitor;
  /** The body as a form with files. */
  readForm: () => Promise<Form>;
  /** The form of a route that also takes JSON; null if the body is JSON. */
  form: Form | null;
  /** The body of a route with `upload`, to be read as it arrives. */
  upload: () => Upload;
  /** Calls back if the caller hangs up, unless the returned function is called first. */
  onHangUp: (then: () => void) => () => void;
  /** The account's time, which is its own in test mode. Whatever needs real time takes it from `app`. */
  now: Date;
  /** Today in the account's time zone. */
  today: string;
  /** The request's id, shown in errors. */
  requestId: string;
  /** Whether unknown fields are refused. */
  strict: boolean;
  /** Counts this many further requests; throws a 429 if that exceeds the caller's rate limit. */
  spend: (requests: number) => void;
  /** For routes that work in steps: whether finished steps are recorded under an Idempotency-Key. */
  keyed: boolean;
  /** For routes that work in steps: does one step in a transaction of its own. */
  step: Step;
  /** For routes with `remembers`: records the answer under the request's Idempotency-Key, if it has one. */
  remember: Remember;
}

/** `accountId` is the account that the key belongs to from now on, if that has changed. */
export type Remember = (tx: Db, body: string, accountId?: string) => Promise<void>;

/** Answers with JSON text. A refusal is thrown or, with an Idempotency-Key, returned and recorded. */
export type Step = (work: (tx: Db) => Promise<string>) => Promise<StepAnswer>;

interface StepAnswer {
  status: number;
  body: string;
}

/** For routes that need no account. */
interface VisitorContext<Query, Body> extends Omit<Context<Query, Body>, 'caller' | 'prepared' | 'today'> {
  signedIn: SignedIn | null;
}

interface PersonContext<Query, Body> extends VisitorContext<Query, Body> {
  signedIn: SignedIn;
}

export interface UploadedFile<Kept> {
  kept: Kept;
  /** The file's name in the form. */
  name: string | null;
  /** The other fields of the form. */
  fields: Record<string, string>;
}

/** A body that the route reads itself: a file, or a form with one. */
export interface Upload {
  /** Null if the length was not sent. */
  announcedBytes: number | null;
  /** Hands the file to `keep` as it arrives. */
  readFile: <Kept>(keep: (file: Readable) => Promise<Kept>) => Promise<UploadedFile<Kept>>;
  /** Sets what identifies the request for its Idempotency-Key, instead of the body. */
  setFingerprint: (bytes: Buffer) => void;
  /** Calls back when the answer has been sent or aborted. */
  whenOver: (then: () => void) => void;
}

/** A file as an answer. */
export interface SentFile {
  content: Buffer | { size: number; read: (from: number, until: number) => AsyncIterable<Buffer> };
  type: string;
  /** The value of its ETag. */
  tag: string;
  name: string;
  /** Whether the file is shown in the browser instead of saved. Only for content that no browser could run. */
  inline: boolean;
}

export interface Reply {
  /** Complete JSON text, mostly made by Postgres. */
  body: string;
  /** The position of the last record shown, if there are more. It becomes the Link header. */
  nextAfter?: string | null;
  /** How many records match on all pages. It becomes the X-Total-Count header. */
  total?: number | null;
  /** Overrides the route's `success`. */
  status?: number;
  /** Set-Cookie values. */
  cookies?: string[];
  /** Sent instead of the JSON, by a route with `sendsFile`. */
  file?: SentFile;
}

/** Makes the document that is sent instead of JSON, from that JSON or from scratch. */
type MakeDocument = (body: string, context: AnyContext) => Promise<Document>;

interface Document {
  content: string | Buffer | Readable;
  /** The page's content security policy. */
  policy?: string;
}

/** One route of the API: what it takes, what it returns, and who may call it. Mounted by http/routes/mount.ts. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  permission: Permission;
  /**
   * Who may call it in the dashboard: anyone, any person who is signed in, an owner of the account, or every member,
   * whatever their role. By default, every member with the permission. A key needs only the permission and the scope.
   */
  access?: 'anyone' | 'person' | 'owner' | 'member';
  /**
   * `test`: it exists in test mode only, and is a 404 otherwise. `live`: it is about the account itself, above all its
   * people, in whichever mode the dashboard is.
   */
  mode?: Mode;
  /** The answer contains a secret that is shown only this once. */
  secret?: true;
  /** Fields of the answer that change without anybody changing the record. Its ETag ignores them. */
  unsettled?: readonly string[];
  /** If false, Idempotency-Key is ignored, because the answer must not be stored. */
  replayable?: boolean;
  tag: string;
  summary: string;
  description?: string;
  /** The kind of record that :id names. */
  id?: IdPrefix;
  /** The other parts of the path. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** What is checked of the body beforehand, if the route looks at the rest itself. */
  reads?: z.ZodObject;
  /** The size limit of the body in bytes, if not the usual one: for uploads, and lists of records. */
  maxBodyBytes?: number;
  /** Whether the body's fields may come as a form, with `file` as a file. It may be larger than other bodies. */
  form?: true;
  /** How many values a JSON body may have, if more than usual. */
  maxValues?: number;
  /**
   * Whether it works in several transactions, through context.step(). With an Idempotency-Key each of them is done
   * once, and a repeat continues where the previous request was interrupted.
   */
  stepwise?: true;
  /**
   * Whether it works in several transactions, and records its answer in the last of them, with context.remember(). A
   * repeat continues where the previous request was interrupted. Refusals are not recorded.
   */
  remembers?: true;
  /** Whether the route reads the body itself, unparsed, as it arrives. */
  upload?: true;
  /** Whether it answers with a file, which a link opens as well as a key. */
  sendsFile?: true;
  success: 200 | 201;
  /** Whether it answers 201 instead if the record did not exist. */
  creates?: true;
  /** If false, assistants have other tools for it. */
  tool?: false;
  response: z.ZodType;
  /** For a single record with rows, such as a ledger: the name of the field that has them. CSV shows those. */
  rows?: string;
  /** Pages and files that are available instead of its JSON. */
  documents?: Partial<Record<'csv' | 'html' | 'pdf' | 'zip', MakeDocument>>;
  /**
   * Derives from the body what a caller should know about a request that was accepted. It becomes the Warning header.
   */
  warn?(body: unknown): string | null;
  /** Errors beyond those every route has (400, 401, 403, 404, 429, 500, 503): 409, 410 and 422. */
  conflicts?: string;
  gone?: string;
  unprocessable?: string;
  /**
   * Checks outside the database, some of them slow, such as DNS. They run before the id in the path is looked up, and
   * before any transaction.
   */
  prepare?(context: AnyContext): Promise<unknown>;
  /** The caller is null on routes that need no account. */
  handle(context: AnyContext): Promise<Reply>;
}

/** Whether its answers are neither tagged nor compressed, so that nobody can guess their content from their length. */
export const hasSecrets = ({ secret, replayable }: Route): boolean => secret === true || replayable === false;

export interface AnyContext extends Omit<Context<unknown, unknown>, 'caller'> {
  caller: Caller | null;
  signedIn: SignedIn | null;
}

type Output<Schema extends z.ZodObject | undefined> = Schema extends z.ZodObject
  ? z.output<Schema>
  : undefined;

/** Gives a route's handler the types of its own schemas. */
export function route<
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodObject | undefined = undefined,
  Prepared = undefined,
>(
  definition: Omit<Route, 'query' | 'body' | 'prepare' | 'handle'> & {
    query?: Query;
    body?: Body;
    prepare?(context: Context<Output<Query>, Output<Body>>): Promise<Prepared>;
    handle(context: Context<Output<Query>, Output<Body>, Prepared>): Promise<Reply>;
  },
): Route {
  return definition as unknown as Route;
}

type Unbound<Query, Body, Given> = Omit<Route, 'query' | 'body' | 'prepare' | 'handle' | 'access'> & {
  query?: Query;
  body?: Body;
  handle(context: Given): Promise<Reply>;
};

/** A route of the dashboard for anyone, signed in or not. */
export function visitorRoute<
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodObject | undefined = undefined,
>(definition: Unbound<Query, Body, VisitorContext<Output<Query>, Output<Body>>>): Route {
  return { ...definition, access: 'anyone', replayable: false } as unknown as Route;
}

/** A dashboard route for everybody who is signed in, whichever account they are looking at. */
export function personRoute<
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodObject | undefined = undefined,
>(definition: Unbound<Query, Body, PersonContext<Output<Query>, Output<Body>>>): Route {
  return { ...definition, access: 'person', replayable: false } as unknown as Route;
}

/** `{"data": <record>}` around JSON text. */
export const single = (record: string): Reply => ({ body: `{"data":${record}}` });

/** `{"data": [<record>, …], "count": <integer>}` around a page. */
export const listReply = (page: Page): Reply => ({
  body: `{"data":${page.data},"count":${page.count}}`,
  nextAfter: page.nextAfter,
  total: page.total ?? null,
});
