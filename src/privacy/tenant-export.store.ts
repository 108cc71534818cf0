import type { Db } from '../db/connect.ts';
import { actorJson } from '../db/records/actor.ts';
import {
  type Field,
  id,
  json,
  objectJson,
  present,
  text,
  time,
  timestamp,
  word,
} from '../db/records/json.ts';
import { noJoins, type RecordShape, recordJson } from '../db/records/shape.ts';
import { literal, raw, type Sql, sql } from '../db/sql.ts';
import { type AboutTenant, concerns, recordsOf } from './about-tenant.store.ts';

/** A row that was examined, and its JSON if it is about the tenant. */
interface Row {
  id: string;
  json: string | null;
}

/** One kind of data, newest first. */
export interface Kind {
  name: string;
  /** The fields of its records. */
  fields: string[];
  /** The next rows before an id; none if there are no more. */
  read(db: Db, before: string): Promise<Row[]>;
}

/** A page of the largest records has about a megabyte. */
const pageSize = 100;
/**
 * Most of these rows are about somebody else. How many are examined in one statement, and how many of them are read at
 * most:
 */
const lookedAt = 1_000;
const foundAtOnce = 50;

/** Records of a noun that meet a condition. */
export function recordsWhere(accountId: string, name: string, shape: RecordShape, condition: Sql): Kind {
  const alias = raw(shape.alias);
  return {
    name,
    fields: namesOf(shape.fields),
    read: (db, before) =>
      db.query<Row>(sql`
        select ${alias}.id, ${recordJson(shape)} as json from ${raw(shape.table)} ${alias} ${shape.joins}
        where ${alias}.account_id = ${accountId} and ${condition} and ${alias}.id < ${before}
        order by ${alias}.id desc limit ${literal(pageSize)}`),
  };
}

const namesOf = (fields: readonly Field[]): string[] => fields.map(({ name }) => name);

const historyShape: RecordShape = {
  table: 'history',
  alias: 'h',
  joins: noJoins,
  fields: [
    present(id('hst', 'h.id')),
    // Without the prefix of the public id, because it may be of any noun.
    present(word(raw("encode(uuid_send(h.record_id), 'hex')"), 'record_id')),
    present(word('h.action')),
    actorJson('h'),
    json('h.changes'),
    text('h.note'),
    present(time('h.created_at')),
  ],
};

/**
 * Leaves out leases that have other tenants, because their history is about those too, and notes may be about anybody.
 */
export const historyOf = (about: AboutTenant): Kind =>
  recordsWhere(
    about.accountId,
    'history',
    historyShape,
    sql`h.record_id in (${recordsOf(about, about.ownLeaseIds)})`,
  );

/** Whether a row is about the tenant, and how many are up to this one. */
const meant = (about: AboutTenant, rowId: string): Sql => sql`
  ${concerns(about)} as meant, count(*) filter (where ${concerns(about)}) over (order by ${raw(rowId)} desc) as found`;

/** Events as they were sent. */
export const eventsOf = (about: AboutTenant): Kind => ({
  name: 'events',
  fields: ['id', 'event', 'created_at', 'data', 'actor', 'api_version'],
  read: (db, before) =>
    db.query<Row>(sql`
      select e.id, case when e.meant then e.body end as json from (
        select e.id, e.body, ${meant(about, 'e.id')} from (
          select id, event, body from events where account_id = ${about.accountId} and id < ${before}
          order by id desc limit ${literal(lookedAt)}) e) e
      where e.found <= ${literal(foundAtOnce)} order by e.id desc`),
});

/** The answers to the events that were sent. */
export function deliveriesOf(about: AboutTenant): Kind {
  const { accountId } = about;
  const fields = [
    present(id('dlv', 'd.id')),
    id('we', 'd.endpoint_id', 'webhook_id'),
    id('evt', 'd.event_id'),
    word('d.event'),
    word('d.status'),
    time('d.created_at'),
    time('d.finished_at'),
    json(attemptsOf(accountId), 'attempts'),
  ];
  return {
    name: 'deliveries',
    fields: namesOf(fields),
    read: (db, before) =>
      db.query<Row>(sql`
        select d.id, case when d.meant then ${objectJson(fields)} end as json from (
          select d.*, ${meant(about, 'd.id')} from (
            select * from deliveries where account_id = ${accountId} and id < ${before}
            order by id desc limit ${literal(lookedAt)}) d
          left join events e on e.account_id = ${accountId} and e.id = d.event_id) d
        where d.found <= ${literal(foundAtOnce)} order by d.id desc`),
  };
}

/** The attempt that ended a delivery is in the delivery's row; earlier ones are in a table of their own. */
const attemptsOf = (accountId: string): Sql => sql`
  select coalesce(json_agg(row_to_json(shown) order by shown.attempt), '[]') from (
    select a.attempt, ${timestamp('a.started_at')} as started_at, a.outcome, a.response_status,
      a.response_headers, a.response_body, a.error
    from (
      select b.attempt, b.started_at, b.outcome, b.response_status, b.response_headers, b.response_body, b.error
      from delivery_attempts b where b.account_id = ${accountId} and b.delivery_id = d.id
      union all
      select d.attempts, d.last_attempt_at, d.outcome, d.last_status, d.response_headers, d.response_body,
        d.last_error where d.outcome is not null) a) shown`;
