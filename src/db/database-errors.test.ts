import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { toAppError } from '../http/server/errors.ts';
import { isConnectionKept, isUnavailable } from './database-errors.ts';

const answered = (severity: string, code: string, message: string) =>
  Object.assign(new pg.DatabaseError(message, message.length, 'error'), { severity, code });

const node = 'connection to the remote node tenure@10.0.0.7:5432 failed with the following error';

describe('a missing node of a cluster is a 503, and the connection to the coordinator is kept', () => {
  test.each([
    // The message of Citus 13.2 on PostgreSQL 15 when nodes were killed and started under load.
    ['08006', `${node}: Connection refused\n\tIs the server running on that host?`],
    ['08006', `${node}: server closed the connection unexpectedly`],
    ['08006', `${node}: connection not open`],
    ['08006', `${node}: FATAL:  the database system is starting up`],
    ['08006', `${node}: FATAL:  the database system is not yet accepting connections`],
    ['XX000', 'SSL SYSCALL error: EOF detected'],
    ['XX000', 'failure on connection marked as essential: 10.0.0.7:5432'],
    ['CIINF', 'Query could not find the intermediate result file "560_1", it was mostly likely deleted'],
    // Messages that its source and that of libpq have for other moments.
    ['08006', 'could not establish any connections to the node 10.0.0.7:5432 after 30000 ms'],
    ['XX000', 'SSL SYSCALL error: Connection reset by peer'],
    ['XX000', 'SSL connection has been closed unexpectedly'],
    ['XX000', 'server closed the connection unexpectedly'],
    ['XX000', 'could not receive data from server: Connection reset by peer'],
    ['XX000', 'could not send data to server: Broken pipe'],
    ['XX000', 'no connection to the server'],
    ['XX000', 'connection not open'],
    ['XX000', "failed to prepare transaction 'citus_0_1_2_3' on host 10.0.0.7:5432"],
    ['58030', 'failed to COPY to shard 102013 on 10.0.0.7:5432'],
    ['XX000', 'could not connect to any active placements'],
    ['XX000', 'cannot connect to 10.0.0.7:5432 to fetch intermediate results'],
    ['XX000', 'failed to read result "1_2" from node 10.0.0.7:5432'],
    ['XX000', 'execution cannot recover from multiple connection failures. Last node failed 10.0.0.7:5432'],
    ['57P01', 'terminating connection due to administrator command'],
    ['XX000', 'terminating connection due to administrator command'],
    ['XX000', 'canceling statement due to lock timeout'],
    ['40P01', 'canceling the transaction since it was involved in a distributed deadlock'],
    ['40001', 'could not serialize access due to concurrent update'],
  ])('%s %s', (code, message) => {
    const error = answered('ERROR', code, message);
    expect(toAppError(error)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(isConnectionKept(error, true)).toBe(true);
  });
});

describe('a missing server is a 503, and the connection is thrown away', () => {
  test.each([
    ['FATAL', '57P01', 'terminating connection due to administrator command'],
    ['FATAL', '57P02', 'terminating connection because of crash of another server process'],
    ['FATAL', '57P03', 'the database system is starting up'],
    ['FATAL', '08P01', 'server conn crashed?'],
    ['FATAL', '25P03', 'terminating connection due to idle-in-transaction timeout'],
    ['PANIC', '53100', 'could not write to file "pg_wal/xlogtemp.1": No space left on device'],
    ['ERROR', '25006', 'cannot execute INSERT in a read-only transaction'],
  ])('%s %s %s', (severity, code, message) => {
    const error = answered(severity, code, message);
    for (const isDistributed of [true, false]) expect(isConnectionKept(error, isDistributed)).toBe(false);
    expect(toAppError(error)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  });

  test.each([
    Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
    Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' }),
    new Error('Connection terminated unexpectedly'),
    new Error('Connection terminated due to connection timeout'),
    new Error('timeout exceeded when trying to connect'),
    new Error('Query read timeout'),
    new Error('Client has encountered a connection error and is not queryable'),
  ])('%s', (error) => {
    expect([isUnavailable(error), isConnectionKept(error, true)]).toEqual([true, false]);
  });
});

test('without a cluster, a connection whose server reports a lost connection is thrown away', () => {
  expect(isConnectionKept(answered('ERROR', '08006', 'could not receive data'), false)).toBe(false);
});

describe('our own faults are not outages', () => {
  test.each([
    ['XX000', 'cache lookup failed for relation 17305'],
    ['XX000', 'could not create distributed plan'],
    [
      '0A000',
      'cannot perform a lateral outer join when a distributed subquery references complex subqueries',
    ],
    ['25P02', 'current transaction is aborted, commands ignored until end of transaction block'],
    ['42P01', 'relation "tenants_102013" does not exist'],
    ['42601', 'syntax error at or near "selec"'],
  ])('%s %s', (code, message) => {
    const error = answered('ERROR', code, message);
    expect(toAppError(error)).toBe(null);
    expect(isConnectionKept(error, true)).toBe(true);
  });
});
