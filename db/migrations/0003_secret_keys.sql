-- The SECRET_KEYs that something in this database is encrypted with, by a fingerprint that tells nothing of
-- the key. A process that does not have them all is told at its start, not by the first failing delivery.
create table secret_keys (
  fingerprint   text primary key,
  first_used_at timestamptz not null
);
