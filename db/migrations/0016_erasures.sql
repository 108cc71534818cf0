-- Tenants whose personal data was erased, and how far that has come: their records are erased at once, events,
-- deliveries and kept answers a batch at a time (src/privacy/finish-erasures.ts). A row stays when all is done.
create table erasures (
  account_id uuid not null,
  tenant_id  uuid not null,
  erased_at  timestamptz not null,
  -- What is looked through, and how far; null: from its beginning.
  step       text not null check (step in ('events', 'deliveries', 'attempts', 'answers')),
  position   text,
  -- How often all of it was looked through.
  looks      smallint not null default 0,
  -- When to go on; null: done.
  next_at    timestamptz,
  primary key (account_id, tenant_id)
);
create index erasures_unfinished on erasures (account_id, next_at) where next_at is not null;
