-- When an account was closed, and whether its data is being erased: from then on it cannot be opened again. A process of
-- the previous release goes on to serve a closed account until it ends.
alter table accounts
  add column closed_at timestamptz,
  add column erasing boolean not null default false;
create index accounts_closed on accounts (closed_at) where closed_at is not null;
