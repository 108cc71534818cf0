-- Who changed a record, when, and what from what to what (docs/decisions/0021-history-in-the-statement-of-the-change.md). An
-- entry has the id of the change's first event, which is deleted earlier. changes is JSON as text, and null where nothing
-- of the record itself changed, such as when it was made. A process of the previous release writes no entries.
create table history (
  account_id uuid not null,
  record_id  uuid not null,
  id         uuid not null,
  action     text not null check (action in ('created', 'updated', 'deleted', 'erased', 'started', 'expiring', 'noted')),
  changes    text,
  note       text,
  actor_type text not null check (actor_type in ('person', 'key', 'import', 'clock', 'operator')),
  actor_id   uuid,
  actor_name text not null,
  created_at timestamptz not null,
  primary key (account_id, record_id, id)
);
-- What is too old to be kept. A row takes no place of its own there: writing costs nothing, and entries are in order of time.
create index history_by_age on history using brin (account_id, created_at);
