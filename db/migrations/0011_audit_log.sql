-- What people and keys did to the account itself: sign-ins, keys, roles, exports, settings. Kept for AUDIT_RETENTION_DAYS.
create table audit_log (
  account_id uuid not null,
  id         uuid not null,
  action     text not null,
  actor_type text not null check (actor_type in ('person', 'key', 'import', 'clock', 'operator')),
  actor_id   uuid,
  actor_name text not null,
  ip_address text,
  subject    text,
  changes    text,
  created_at timestamptz not null,
  primary key (account_id, id)
);
create index audit_log_by_action on audit_log (account_id, action, id);
