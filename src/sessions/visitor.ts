import type { Role } from '../caller.ts';

/** The sender of a request to the dashboard's routes, before we know who it is. */
export interface Visitor {
  /** The Cookie header as it came. */
  cookie: string;
  userAgent: string;
  /** Their address; for IPv6 the network, see http/limits/rate-limit-address.ts. */
  ip: string;
  /** The same in full. */
  address: string;
  /** The address at which they reach us, such as https://rent.example.com, for links. */
  origin: string;
}

export interface Membership {
  /** uuid */
  accountId: string;
  name: string;
  currency: string;
  timeZone: string;
  role: Role;
  /** When its test mode was last used; null if nothing is in it. */
  testUsedAt: string | null;
}

/** Somebody who is signed in, with the accounts they belong to. */
export interface SignedIn {
  sessionId: string;
  userId: string;
  name: string;
  email: string;
  /** The account they look at; null if they belong to none (any more). */
  active: Membership | null;
  memberships: Membership[];
}
