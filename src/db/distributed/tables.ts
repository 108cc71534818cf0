/**
 * Tables for all accounts. They are small, are on the coordinator or on every node, and refer to no account's records.
 * Every other table has accounts' records (docs/decisions/0004-one-schema-from-laptop-to-cluster.md) and is
 * distributed; test/schema-rules.test.ts checks that it can be.
 */
export const globalTables = [
  'account_clocks',
  'accounts',
  'api_keys',
  'credentials',
  'delivery_queue',
  'invitations',
  'members',
  'passkeys',
  'payment_checks',
  'schema_migrations',
  'secret_keys',
  'sessions',
  'two_factors',
  'users',
  'verifications',
  'workers',
];
