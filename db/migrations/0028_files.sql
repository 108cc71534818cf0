-- Photos and documents on records (docs/decisions/0031-files-in-postgres.md). The bytes come first, in chunks, while a
-- file arrives; its row in files makes it visible, in one statement with its event. What never became a file is deleted
-- after an hour.
create table file_contents (
  account_id uuid not null constraint file_contents_account_id_fk references accounts,
  id         uuid not null,
  -- Until all has arrived: as much as was announced. The account's quota counts it from the beginning.
  bytes      bigint not null check (bytes >= 0),
  sha256     bytea,
  -- A small WebP, of an image.
  thumbnail  bytea,
  -- Whether it became a file.
  kept       boolean not null default false,
  created_at timestamptz not null,
  primary key (account_id, id)
);
create index file_contents_bytes on file_contents (account_id) include (bytes);
create index file_contents_not_kept on file_contents (account_id, created_at) where not kept;

-- All chunks of a file but the last have the same size, so that the one with a given byte is known.
create table file_chunks (
  account_id uuid not null,
  content_id uuid not null,
  number     integer not null,
  data       bytea not null,
  primary key (account_id, content_id, number),
  constraint file_chunks_content_id_fk foreign key (account_id, content_id) references file_contents on delete cascade
);
-- Images and PDFs are compressed already.
alter table file_chunks alter column data set storage external;
alter table file_contents alter column thumbnail set storage external;

create table files (
  account_id   uuid not null,
  id           uuid not null,
  record_type  text not null
    check (record_type in ('property', 'unit', 'tenant', 'lease', 'payment', 'maintenance_request')),
  record_id    uuid not null,
  name         text not null,
  content_type text not null,
  size         bigint not null check (size > 0),
  width        integer,
  height       integer,
  position     integer not null,
  source       text not null check (source in ('api', 'dashboard')),
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  written_in   bigint not null default pg_current_xact_id()::text::bigint,
  -- The record once more, as what the foreign keys need: one of these is set.
  property_id            uuid generated always as (case when record_type = 'property' then record_id end) stored,
  unit_id                uuid generated always as (case when record_type = 'unit' then record_id end) stored,
  tenant_id              uuid generated always as (case when record_type = 'tenant' then record_id end) stored,
  lease_id               uuid generated always as (case when record_type = 'lease' then record_id end) stored,
  payment_id             uuid generated always as (case when record_type = 'payment' then record_id end) stored,
  maintenance_request_id uuid generated always as (case when record_type = 'maintenance_request' then record_id end) stored,
  primary key (account_id, id),
  constraint files_content_fk foreign key (account_id, id) references file_contents,
  constraint files_property_id_fk foreign key (account_id, property_id) references properties,
  constraint files_unit_id_fk foreign key (account_id, unit_id) references units,
  constraint files_tenant_id_fk foreign key (account_id, tenant_id) references tenants,
  constraint files_lease_id_fk foreign key (account_id, lease_id) references leases,
  constraint files_payment_id_fk foreign key (account_id, payment_id) references payments,
  constraint files_maintenance_request_id_fk foreign key (account_id, maintenance_request_id)
    references maintenance_requests
);
create index files_of_record on files (account_id, record_id, id);
create index files_in_order on files (account_id, written_in, updated_at, id);
create index files_changed on files (account_id, updated_at) include (written_in) where updated_at > created_at;
