-- The keys by which an import finds a record again where the record itself has no external_id to keep them
-- in: the ids of units, leases and payments in other systems, and the ids that an export of another account
-- carries. Written by imports alone, a row for each payment: a reference to accounts would double their cost.
create table import_keys (
  account_id uuid not null,
  kind       text not null check (kind in ('property', 'unit', 'tenant', 'lease', 'payment')),
  key        text not null,
  record_id  uuid not null,
  primary key (account_id, kind, key)
);
