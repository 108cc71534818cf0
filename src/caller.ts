import { formatId, isTestAccount } from './ids.ts';

/** What a person may do in an account: everything; change records, keys and webhooks; or look. */
export const roles = ['owner', 'manager', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** Who makes changes: a person in the dashboard, an API key, an import, the clock, or the operator. */
export const actorTypes = ['person', 'key', 'import', 'clock', 'operator'] as const;

/** Who made a change. The name is kept with the change, because keys are revoked and people leave. */
export interface Actor {
  /**
   * The history shows an import by a key as an import. Without a type of its own, nobody could tell what its id is of.
   */
  type: (typeof actorTypes)[number] | 'import_by_key';
  /** The uuid of the key or the person. For an import, of whoever imports. */
  id: string | null;
  name: string;
}

/** What happens by itself: charges that are posted, late fees, leases that begin. */
export const clock: Actor = { type: 'clock', id: null, name: 'Clock' };

/** The command line. */
export const operator: Actor = { type: 'operator', id: null, name: 'Command line' };

/** The actor of changes made through an import. */
export const importBy = (actor: Actor): Actor => ({
  ...actor,
  type: actor.type === 'key' ? 'import_by_key' : 'import',
});

/** The actor as the API shows it, with the public id. In SQL: actorJson(). */
export const shownActor = ({ type, id, name }: Actor) => ({
  type: type === 'import_by_key' ? 'import' : type,
  id: id === null ? null : formatId(type === 'key' || type === 'import_by_key' ? 'key' : 'usr', id),
  name,
});

/** Which records the caller reaches: the real ones, or those of the test account. */
export const modes = ['live', 'test'] as const;
export type Mode = (typeof modes)[number];

export const modeOf = (accountId: string): Mode => (isTestAccount(accountId) ? 'test' : 'live');

export type Permission = 'read' | 'write';

/** Who is asking, however they proved it: an API key, or a session of the dashboard. */
export interface Caller {
  accountId: string;
  /** The account's currency, for amounts without one. */
  currency: string;
  /** The account's time zone, which decides what day today is. */
  timeZone: string;
  permission: Permission;
  /** The `source` of records that this caller makes. */
  source: 'api' | 'dashboard';
  actor: Actor;
  /** Where the request comes from. */
  address?: string;
  /** How far the clock of a test account is ahead of ours. */
  aheadMs?: number;
  /** The parts of the API that a limited key is for. */
  scopes?: readonly string[];
  /** When the key expires; null: never. */
  expiresAt?: string | null;
  /** In the dashboard: the person, and their role in the account. */
  userId?: string;
  role?: Role;
}
