-- Files that are imported by the worker, one of an account at a time, and what became of them
-- (src/imports/queue/). They are forgotten after a while, like kept answers.
create table imports (
  account_id    uuid        not null,
  id            uuid        not null,
  kind          text        not null,
  file          text        not null,
  size_bytes    integer     not null,
  dry_run       boolean     not null,
  skip_errors   boolean     not null,
  -- What else was asked for: mapping, date_format, events.
  options       json        not null,
  state         text        not null default 'queued'
                check (state in ('queued', 'running', 'applied', 'valid', 'failed')),
  rows_done     integer     not null default 0,
  -- What became of the file, and how its columns were understood; null until it is known.
  report        json,
  -- Rows to mend, as a file of their own; and how many they are.
  rejected      text,
  rejected_rows integer     not null default 0,
  -- Why nothing became of it, if that is not the file's fault: type and message.
  error         json,
  actor_type    text        not null check (actor_type in ('person', 'key', 'import', 'clock', 'operator')),
  actor_id      uuid,
  actor_name    text        not null,
  ip_address    text,
  -- The worker that has it, which says again and again that it is alive; before that time nobody else takes it.
  claim         uuid,
  claimed_until timestamptz,
  attempts      smallint    not null default 0,
  created_at    timestamptz not null,
  started_at    timestamptz,
  finished_at   timestamptz,
  primary key (account_id, id)
);
create index imports_open on imports (account_id, id) where state in ('queued', 'running');

-- The file, in pieces. It goes when its import is over.
create table import_files (
  account_id uuid    not null,
  import_id  uuid    not null,
  piece      integer not null,
  content    bytea   not null,
  primary key (account_id, import_id, piece),
  constraint import_files_import_id_fk foreign key (account_id, import_id) references imports (account_id, id) on delete cascade
);
