-- The number of the transaction that wrote a record last (docs/decisions/0024-a-feed-in-commit-order.md). By it,
-- updated_since shows changes in the order of commits. A process of the release before gives it to what it creates; what
-- it changes keeps the number it had, and is found by its updated_at. Records from before have 0, and among them their
-- updated_at counts. The first index is the order; the second finds where a time begins in it, of what was changed since
-- it was created: ids tell it of the others, so that creating a record writes one index only.
alter table properties add column written_in bigint not null default 0;
alter table properties alter column written_in set default pg_current_xact_id()::text::bigint;
create index properties_in_order on properties (account_id, written_in, updated_at, id);
create index properties_changed on properties (account_id, updated_at) include (written_in) where updated_at > created_at;

alter table units add column written_in bigint not null default 0;
alter table units alter column written_in set default pg_current_xact_id()::text::bigint;
create index units_in_order on units (account_id, written_in, updated_at, id);
create index units_changed on units (account_id, updated_at) include (written_in) where updated_at > created_at;

alter table tenants add column written_in bigint not null default 0;
alter table tenants alter column written_in set default pg_current_xact_id()::text::bigint;
create index tenants_in_order on tenants (account_id, written_in, updated_at, id);
create index tenants_changed on tenants (account_id, updated_at) include (written_in) where updated_at > created_at;

alter table leases add column written_in bigint not null default 0;
alter table leases alter column written_in set default pg_current_xact_id()::text::bigint;
create index leases_in_order on leases (account_id, written_in, updated_at, id);
create index leases_changed on leases (account_id, updated_at) include (written_in) where updated_at > created_at;

alter table payments add column written_in bigint not null default 0;
alter table payments alter column written_in set default pg_current_xact_id()::text::bigint;
create index payments_in_order on payments (account_id, written_in, updated_at, id);
create index payments_changed on payments (account_id, updated_at) include (written_in) where updated_at > created_at;

alter table maintenance_requests add column written_in bigint not null default 0;
alter table maintenance_requests alter column written_in set default pg_current_xact_id()::text::bigint;
create index maintenance_requests_in_order on maintenance_requests (account_id, written_in, updated_at, id);
create index maintenance_requests_changed on maintenance_requests (account_id, updated_at) include (written_in) where updated_at > created_at;

alter table charges add column written_in bigint not null default 0;
alter table charges alter column written_in set default pg_current_xact_id()::text::bigint;
create index charges_in_order on charges (account_id, written_in, updated_at, id);
create index charges_changed on charges (account_id, updated_at) include (written_in) where updated_at > created_at;

alter table credits add column written_in bigint not null default 0;
alter table credits alter column written_in set default pg_current_xact_id()::text::bigint;
create index credits_in_order on credits (account_id, written_in, updated_at, id);
create index credits_changed on credits (account_id, updated_at) include (written_in) where updated_at > created_at;

alter table recurring_charges add column written_in bigint not null default 0;
alter table recurring_charges alter column written_in set default pg_current_xact_id()::text::bigint;
create index recurring_charges_in_order on recurring_charges (account_id, written_in, updated_at, id);
create index recurring_charges_changed on recurring_charges (account_id, updated_at) include (written_in) where updated_at > created_at;

-- All of an account's endpoints are listed at once, so these need no order; they are changed by the same statement.
alter table webhook_endpoints add column written_in bigint not null default 0;
alter table webhook_endpoints alter column written_in set default pg_current_xact_id()::text::bigint;
