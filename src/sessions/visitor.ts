import type { Role } from '../caller.ts';

/** The sender of a request to the dashboard's routes, before we know who it is. */
export interface Visitor {
  /** The Cookie header as it came. */
  cookie: string;
  userAgent: string;
  /** The visitor's address; for IPv6 the network, as in http/limits/rate-limit-address.ts. */
  ip: string;
  /** The address in full. */
  address: string;
  /** The address under which they reach us, such as https://rent.example.com, for links. */
  origin: string;
}

export interface Membership {
  /** uuid */
  accountId: string;
  name: string;
  currency: string;
  timeZone: string;
  role: Role;
  /** When the account's test mode was last used; null if there is nothing in it. */
  testUsedAt: string | null;
}

/** Somebody who is signed in, with the accounts they belong to. */
export interface SignedIn {
  sessionId: string;
  userId: string;
  name: string;
  email: string;
  /** The account they are looking at; null if they belong to none (any more). */
  active: Membership | null;
  memberships: Membership[];
}
