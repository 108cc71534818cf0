/** What a person may do in an account: everything; records, keys and webhooks; look. */
export const roles = ['owner', 'manager', 'viewer'] as const;
export type Role = (typeof roles)[number];

export type Permission = 'read' | 'write';

/** Who is asking, however they proved it: an API key, or a session of the dashboard. */
export interface Caller {
  accountId: string;
  /** The account's currency, for amounts that name none. */
  currency: string;
  /** The account's time zone, which says which day today is. */
  timeZone: string;
  permission: Permission;
  /** What a record made by this caller says it came from. */
  source: 'api' | 'dashboard';
  /** The key or the user, for the log. */
  actor: string;
  /** In the dashboard: the person, and what they are in the account. */
  userId?: string;
  role?: Role;
}
