-- The whole first schema. Rules that let it run unchanged on one Postgres and on one distributed
-- by account (docs/decisions/0004-one-schema-from-laptop-to-cluster.md):
--   * a table of an account's records leads every key and every reference with account_id;
--   * global tables (people, keys, the delivery queue) reference no account table;
--   * no triggers, no ON DELETE SET NULL, and ids, jitter and time come from the program.
-- Foreign keys are named <table>_<field>_fk: the API turns that name into the field it complains about.
-- Every id is a UUIDv7 and created_at is the time inside it, so "newest first" is the id's own order.

create extension if not exists btree_gist;

-- People and accounts (global) ---------------------------------------------------------------

create table accounts (
  id         uuid primary key,
  name       text not null,
  slug       text not null unique,
  logo       text,
  metadata   text,
  currency   text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table users (
  id             uuid primary key,
  name           text not null,
  email          text not null unique check (email = lower(email)),
  email_verified boolean not null default false,
  image          text,
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now()
);

create table credentials (
  id                       uuid primary key,
  user_id                  uuid not null constraint credentials_user_id_fk references users on delete cascade,
  provider_id              text not null,
  provider_account_id      text not null,
  password                 text,
  access_token             text,
  refresh_token            text,
  id_token                 text,
  access_token_expires_at  timestamptz,
  refresh_token_expires_at timestamptz,
  scope                    text,
  created_at               timestamptz not null default now(),
  updated_at               timestamptz not null default now(),
  unique (provider_id, provider_account_id)
);
create index credentials_by_user on credentials (user_id);

create table sessions (
  id                uuid primary key,
  user_id           uuid not null constraint sessions_user_id_fk references users on delete cascade,
  token             text not null unique,
  active_account_id uuid,
  ip_address        text,
  user_agent        text,
  expires_at        timestamptz not null,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now()
);
create index sessions_by_user on sessions (user_id);

create table verifications (
  id         uuid primary key,
  identifier text not null,
  value      text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_by_identifier on verifications (identifier);

create table members (
  id         uuid primary key,
  account_id uuid not null constraint members_account_id_fk references accounts on delete cascade,
  user_id    uuid not null constraint members_user_id_fk references users on delete cascade,
  role       text not null check (role in ('owner', 'manager', 'viewer')),
  created_at timestamptz not null default now(),
  unique (account_id, user_id)
);
create index members_by_user on members (user_id);

create table invitations (
  id         uuid primary key,
  account_id uuid not null constraint invitations_account_id_fk references accounts on delete cascade,
  email      text not null,
  role       text not null check (role in ('owner', 'manager', 'viewer')),
  status     text not null default 'pending' check (status in ('pending', 'accepted', 'rejected', 'canceled')),
  inviter_id uuid not null constraint invitations_inviter_id_fk references users on delete cascade,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index invitations_by_account on invitations (account_id);

-- Only the SHA-256 of a key is kept; prefix is its first characters, for display.
create table api_keys (
  id           uuid primary key,
  account_id   uuid not null constraint api_keys_account_id_fk references accounts on delete cascade,
  name         text not null,
  permission   text not null check (permission in ('read', 'write')),
  hash         bytea not null unique check (length(hash) = 32),
  prefix       text not null,
  expires_at   timestamptz,
  revoked_at   timestamptz,
  last_used_at timestamptz,
  created_at   timestamptz not null
);
create index api_keys_by_account on api_keys (account_id, id);

-- An account's records -------------------------------------------------------------------------

create table properties (
  account_id    uuid not null constraint properties_account_id_fk references accounts,
  id            uuid not null,
  name          text not null,
  type          text not null check (type in ('single_family', 'multi_family', 'condo', 'townhouse', 'commercial', 'other')),
  address       text,
  address_line2 text,
  city          text,
  state         text,
  postal_code   text,
  country       text check (country ~ '^[A-Z]{2}$'),
  year_built    integer,
  notes         text,
  external_id   text,
  status        text not null check (status in ('active', 'archived')),
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  primary key (account_id, id)
);
create index properties_by_external_id on properties (account_id, external_id) where external_id is not null;

create table units (
  account_id        uuid not null,
  id                uuid not null,
  property_id       uuid not null,
  name              text not null,
  bedrooms          integer check (bedrooms >= 0),
  bathrooms         numeric(4, 1) check (bathrooms >= 0),
  area_sqft         integer check (area_sqft > 0),
  market_rent_cents bigint check (market_rent_cents > 0),
  offline           boolean not null,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  primary key (account_id, id),
  constraint units_name_unique unique (account_id, property_id, name),
  constraint units_place_unique unique (account_id, id, property_id),
  constraint units_property_id_fk foreign key (account_id, property_id) references properties (account_id, id)
);
create index units_by_property on units (account_id, property_id, id);

create table tenants (
  account_id  uuid not null constraint tenants_account_id_fk references accounts,
  id          uuid not null,
  first_name  text not null,
  last_name   text not null,
  email       text,
  phone       text,
  notes       text,
  external_id text,
  created_at  timestamptz not null,
  updated_at  timestamptz not null,
  primary key (account_id, id)
);
create index tenants_by_external_id on tenants (account_id, external_id) where external_id is not null;

-- until is the first day that no longer belongs to the lease (null: month to month). ended_on wins over
-- end_date: a lease may end early, or late. Its status is derived from these dates, never stored.
create table leases (
  account_id      uuid not null,
  id              uuid not null,
  unit_id         uuid not null,
  property_id     uuid not null,
  start_date      date not null,
  end_date        date,
  notice_given_on date,
  ended_on        date,
  until           date generated always as (coalesce(ended_on, end_date + 1)) stored,
  rent_cents      bigint not null check (rent_cents > 0),
  deposit_cents   bigint check (deposit_cents > 0),
  currency        text not null check (currency ~ '^[A-Z]{3}$'),
  due_day         smallint not null check (due_day between 1 and 28),
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  primary key (account_id, id),
  constraint leases_place_unique unique (account_id, id, unit_id, property_id),
  constraint leases_end_after_start check (end_date >= start_date and ended_on >= start_date),
  constraint leases_unit_id_fk foreign key (account_id, unit_id, property_id) references units (account_id, id, property_id),
  -- unit_id as text, so that the planner never takes this slow index for "the leases of a unit":
  -- it preferred it to leases_by_unit, and 10,000 units took 9.5 s instead of 60 ms.
  constraint leases_no_overlap exclude using gist
    (account_id with =, (unit_id::text) with =, daterange(start_date, until) with &&)
);
create index leases_by_unit on leases (account_id, unit_id, start_date);
create index leases_by_property on leases (account_id, property_id, id);

create table lease_tenants (
  account_id uuid not null,
  lease_id   uuid not null,
  tenant_id  uuid not null,
  position   smallint not null,
  primary key (account_id, lease_id, tenant_id),
  constraint lease_tenants_lease_id_fk foreign key (account_id, lease_id) references leases (account_id, id) on delete cascade,
  constraint lease_tenants_tenant_ids_fk foreign key (account_id, tenant_id) references tenants (account_id, id)
);
create index lease_tenants_by_tenant on lease_tenants (account_id, tenant_id, lease_id);

-- paid_month (year * 12 + month) makes a range of dates a short list of equal values, so that a page of
-- a range is read in id order from an index instead of sorted (docs/decisions/0006-lists-that-stay-flat.md).
create table payments (
  account_id   uuid not null,
  id           uuid not null,
  tenant_id    uuid not null,
  lease_id     uuid,
  unit_id      uuid,
  property_id  uuid,
  amount_cents bigint not null check (amount_cents > 0),
  currency     text not null check (currency ~ '^[A-Z]{3}$'),
  paid_on      date not null,
  paid_month   integer generated always as (extract(year from paid_on)::integer * 12 + extract(month from paid_on)::integer) stored,
  method       text not null check (method in ('cash', 'check', 'bank_transfer', 'card', 'online', 'other')),
  status       text not null check (status in ('pending', 'paid', 'failed', 'returned', 'refunded', 'voided')),
  period       text check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  reference    text,
  memo         text,
  source       text not null check (source in ('api', 'dashboard', 'import')),
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  primary key (account_id, id),
  constraint payments_tenant_id_fk foreign key (account_id, tenant_id) references tenants (account_id, id),
  constraint payments_lease_id_fk foreign key (account_id, lease_id, unit_id, property_id)
    references leases (account_id, id, unit_id, property_id)
);
create index payments_by_status on payments (account_id, status, id);
create index payments_by_tenant on payments (account_id, tenant_id, id);
create index payments_by_property on payments (account_id, property_id, status, id);
create index payments_by_month on payments (account_id, paid_month, id) include (paid_on);
create index payments_by_status_and_month on payments (account_id, status, paid_month, id) include (paid_on);
create index payments_by_property_and_month on payments (account_id, property_id, status, paid_month, id) include (paid_on);
create index payments_by_lease on payments (account_id, lease_id) where lease_id is not null;

-- The last maintenance number given out; the row's lock puts creations of one account in a line.
create table account_counters (
  account_id         uuid not null primary key,
  maintenance_number integer not null
);

create table maintenance_requests (
  account_id    uuid not null,
  id            uuid not null,
  number        integer not null check (number > 0),
  property_id   uuid not null,
  unit_id       uuid,
  tenant_id     uuid,
  title         text not null,
  description   text,
  category      text not null check (category in ('plumbing', 'electrical', 'hvac', 'appliance', 'structural', 'pest', 'other')),
  priority      text not null check (priority in ('low', 'medium', 'high', 'emergency')),
  status        text not null check (status in ('open', 'scheduled', 'in_progress', 'on_hold', 'completed', 'cancelled')),
  assigned_to   text,
  scheduled_for timestamptz,
  due_on        date,
  cost_cents    bigint check (cost_cents > 0),
  resolution    text,
  completed_at  timestamptz,
  source        text not null check (source in ('api', 'dashboard', 'import')),
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  primary key (account_id, id),
  constraint maintenance_requests_number_unique unique (account_id, number),
  constraint maintenance_requests_completed check ((completed_at is not null) = (status = 'completed')),
  constraint maintenance_requests_property_id_fk foreign key (account_id, property_id) references properties (account_id, id),
  constraint maintenance_requests_unit_id_fk foreign key (account_id, unit_id, property_id) references units (account_id, id, property_id),
  constraint maintenance_requests_tenant_id_fk foreign key (account_id, tenant_id) references tenants (account_id, id)
);
create index maintenance_by_status on maintenance_requests (account_id, status, priority, id);
create index maintenance_by_priority on maintenance_requests (account_id, priority, id);
create index maintenance_by_property on maintenance_requests (account_id, property_id, status, priority, id);
create index maintenance_by_tenant on maintenance_requests (account_id, tenant_id, id) where tenant_id is not null;

-- Webhooks and events --------------------------------------------------------------------------

create table webhook_endpoints (
  account_id                 uuid not null constraint webhook_endpoints_account_id_fk references accounts,
  id                         uuid not null,
  url                        text not null,
  description                text,
  events                     text[] not null check (cardinality(events) > 0),
  status                     text not null check (status in ('active', 'failing', 'disabled')),
  disabled_reason            text check (disabled_reason in ('gone', 'owner', 'failures')),
  source                     text not null check (source in ('api', 'automation')),
  secret                     bytea not null,
  previous_secret            bytea,
  previous_secret_expires_at timestamptz,
  last_success_at            timestamptz,
  last_error_at              timestamptz,
  failure_count              integer not null default 0,
  failing_since              timestamptz,
  created_at                 timestamptz not null,
  updated_at                 timestamptz not null,
  primary key (account_id, id),
  constraint webhook_endpoints_disabled check ((disabled_reason is not null) = (status = 'disabled'))
) with (fillfactor = 50); -- room for the counters' HOT updates

-- body is the frozen envelope, as text: jsonb would reorder its keys and break signatures.
create table events (
  account_id uuid not null,
  id         uuid not null,
  event      text not null,
  body       text not null,
  created_at timestamptz not null,
  primary key (account_id, id)
);
create index events_by_name on events (account_id, event, id);

-- Unfinished deliveries only: small and hot. Global, because workers claim across accounts. ready says
-- that next_at has come; a claim touches no indexed column, so it is a HOT update, and half of each page is
-- left for it (all HOT at 45; at 60 a third was not, and claims took half as long again). lane is what waits
-- in one line: an endpoint's deliveries, but a test goes past them in a lane of its own.
create table delivery_queue (
  id              uuid primary key,
  account_id      uuid not null,
  endpoint_id     uuid not null,
  event_id        uuid not null,
  event           text not null,
  kind            text not null check (kind in ('event', 'redelivery', 'test')),
  attempts        smallint not null default 0,
  ready           boolean not null,
  next_at         timestamptz not null,
  lease_until     timestamptz,
  claim_id        uuid,
  last_attempt_at timestamptz,
  last_status     integer,
  last_error      text,
  created_at      timestamptz not null,
  lane            uuid not null generated always as (case kind when 'test' then id else endpoint_id end) stored
) with (fillfactor = 45, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
        autovacuum_analyze_scale_factor = 0.1, autovacuum_vacuum_cost_delay = 0);
create index delivery_queue_ready on delivery_queue (lane, next_at) where ready;
create index delivery_queue_waiting on delivery_queue (next_at) where not ready;
create index delivery_queue_by_endpoint on delivery_queue (endpoint_id, id);

-- Finished deliveries and every attempt made: append-only until retention takes them.
create table deliveries (
  account_id      uuid not null,
  id              uuid not null,
  endpoint_id     uuid not null,
  event_id        uuid not null,
  event           text not null,
  kind            text not null check (kind in ('event', 'redelivery', 'test')),
  status          text not null check (status in ('succeeded', 'failed', 'cancelled')),
  attempts        smallint not null,
  last_attempt_at timestamptz,
  last_status     integer,
  last_error      text,
  created_at      timestamptz not null,
  finished_at     timestamptz not null,
  primary key (account_id, id)
);
create index deliveries_by_endpoint on deliveries (account_id, endpoint_id, status, id);
create index deliveries_by_endpoint_and_event on deliveries (account_id, endpoint_id, event, status, id);

create table delivery_attempts (
  account_id       uuid not null,
  delivery_id      uuid not null,
  attempt          smallint not null,
  started_at       timestamptz not null,
  duration_ms      integer,
  outcome          text not null,
  signature        text,
  response_status  integer,
  response_headers text,
  response_body    text,
  error            text,
  primary key (account_id, delivery_id, attempt)
);

-- Idempotency and workers ------------------------------------------------------------------------

-- body is encrypted: the answer to POST /webhooks carries a signing secret.
create table idempotency_keys (
  account_id   uuid not null,
  key          text not null,
  request_hash bytea not null,
  status       smallint not null,
  body         bytea not null,
  created_at   timestamptz not null,
  primary key (account_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (account_id, created_at);

-- One row per live delivery worker (global): /readyz and `tenure doctor` read its beat.
create table workers (
  id         uuid primary key,
  host       text not null,
  pid        integer not null,
  version    text not null,
  started_at timestamptz not null,
  beat_at    timestamptz not null
);
