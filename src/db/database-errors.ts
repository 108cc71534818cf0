import pg from 'pg';

/**
 * Codes of PostgreSQL, or the class they begin with: the database is away, failing over, or asks to try again. On a
 * cluster they may be those of a node.
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
 * What Citus says with the code of an internal error when a node is lost in the middle of a statement. The first are
 * the words of libpq, which has no codes; then those of a node whose rows are copied, which lose theirs; then its own.
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
 * The database is away, failing over or asks to try again. A write that failed so may still have been
 * committed: only reads, and writes with an idempotency record, may be repeated.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError)
    return hasCode(error, retryable) || isDiskFailure(error) || isNodeLost(error);
  return isConnectionError(error);
}

/** An error that Postgres itself returned, or one that is not about the database: the connection is still good. */
export function isConnectionKept(error: unknown, isDistributed: boolean): boolean {
  if (!(error instanceof Error)) return false;
  if (!(error instanceof pg.DatabaseError)) return !isConnectionError(error);
  if (error.severity === 'PANIC') return false;
  // Another node's connection. The coordinator would call the end of its own fatal.
  if (isDistributed && error.severity === 'ERROR' && !isReadOnly(error)) return true;
  return !hasCode(error, connectionLost);
}

export const isReadOnly = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '25006';

/** The database's disk is full: nothing was written, and nothing will be until somebody makes room. */
export const isStorageFull = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '53100';

/** Somebody else has held a row for longer than we wait. */
export const isLocked = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '55P03';

/** Took longer than a statement may. */
export const isTooLate = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '57014';

/** Of two transactions that wait for each other Postgres ends one. Nothing of it was written, so it may be repeated. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001');

const hasCode = ({ code = '' }: pg.DatabaseError, codes: string[]): boolean =>
  codes.some((beginning) => code.startsWith(beginning));

const isNodeLost = ({ code, message }: pg.DatabaseError): boolean =>
  code === 'XX000' && nodeLost.some((words) => message.includes(words));

/** How a failing disk shows (besides class 58): Postgres ends altogether, or a file is "not permitted". */
const isDiskFailure = ({ severity, code, message }: pg.DatabaseError): boolean =>
  severity === 'PANIC' || (code === '42501' && /read-only file system/i.test(message));

function isConnectionError(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return brokenSocket.test(code) || brokenConnection.test(error.message);
}
