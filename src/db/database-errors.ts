import pg from 'pg';

/**
 * Codes of PostgreSQL, or the beginnings of classes of codes: the database is away, is failing over, or asks to try
 * again. On a cluster they may come from a node.
 */
const retryable = [
  '08', // the connection was lost, or that to a node
  '25006', // a read-only server: the primary was replaced
  '25P03', // the transaction was idle for too long
  '40001', // it conflicted with another, which came first
  '40P01', // it and another waited for each other
  '53200', // out of memory
  '53300', // too many connections
  '53400', // a limit of the configuration
  '55P03', // a row is locked
  '57014', // the statement took too long
  '57P01', // the server is stopping
  '57P02', // the server crashed
  '57P03', // the server starts
  '58', // its disk is failing
  'CIINF', // Citus: rows passed between steps were lost
];

/**
 * What Citus reports under the code of an internal error when a node is lost in the middle of a statement. First come
 * the messages of libpq, which has no codes; then those of a node whose rows are being copied, which lose theirs; then
 * its own.
 */
const nodeLost = [
  'server closed the connection unexpectedly',
  'SSL SYSCALL error',
  'SSL connection has been closed unexpectedly',
  'could not receive data from server',
  'could not send data to server',
  'no connection to the server',
  'connection not open',

  'terminating connection due to',
  'canceling statement due to',
  'the database system is',

  'failure on connection marked as essential',
  'failed to prepare transaction',
  'failed to COPY to shard',
  'could not connect to any active placements',
  'cannot connect to',
  'failed to read result',
  'execution cannot recover from multiple connection failures',
  'postmaster was shut down',
];

/** After these errors a connection is useless. A read-only server will not accept writes again. */
const connectionLost = ['08', '25006', '25P03', '57P01', '57P02', '57P03'];

/** The codes of pg and Node. */
const brokenConnection =
  /Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout|timeout expired|not queryable/;
const brokenSocket = /^(ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND)/;

/**
 * The database is away, is failing over or asks to try again. A write that fails like this may still have been
 * committed, so only reads, and writes with an idempotency record, may be repeated.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError)
    return hasCode(error, retryable) || isDiskFailure(error) || isNodeLost(error);
  return isConnectionError(error);
}

/** Whether the connection is still good: Postgres itself returned the error, or it is not about the database. */
export function isConnectionKept(error: unknown, isDistributed: boolean): boolean {
  if (!(error instanceof Error)) return false;
  if (!(error instanceof pg.DatabaseError)) return !isConnectionError(error);
  if (error.severity === 'PANIC') return false;
  // It was a connection to another node. If its own ended, the coordinator would call that fatal.
  if (isDistributed && error.severity === 'ERROR' && !isReadOnly(error)) return true;
  return !hasCode(error, connectionLost);
}

export const isReadOnly = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '25006';

/** The database's disk is full. Nothing was written, and nothing will be until somebody makes room. */
export const isStorageFull = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '53100';

/** Somebody else held a row for longer than we wait. */
export const isLocked = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '55P03';

/** It took longer than a statement may. */
export const isTooLate = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '57014';

/** If two transactions wait for each other, Postgres ends one. Nothing of it was written, so it may be repeated. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001');

const hasCode = ({ code = '' }: pg.DatabaseError, codes: string[]): boolean =>
  codes.some((beginning) => code.startsWith(beginning));

const isNodeLost = ({ code, message }: pg.DatabaseError): boolean =>
  code === 'XX000' && nodeLost.some((words) => message.includes(words));

/** Signs of a failing disk besides class 58: Postgres ends altogether, or a file is "not permitted". */
const isDiskFailure = ({ severity, code, message }: pg.DatabaseError): boolean =>
  severity === 'PANIC' || (code === '42501' && /read-only file system/i.test(message));

function isConnectionError(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return brokenSocket.test(code) || brokenConnection.test(error.message);
}
