-- The test account of another one. One that was emptied is closed and gets erased, and another takes its place. Its
-- clock may be ahead of ours; next_turn_at stays in real time. Only one advance moves it at a time: it says until when
-- it will have said so again, and one that died no longer does.
alter table accounts
  add column test_of uuid references accounts (id),
  add column test_used_at timestamptz;
create unique index accounts_test_of on accounts (test_of) where test_of is not null and closed_at is null;

alter table account_clocks
  add column ahead_ms bigint not null default 0,
  add column advance_id uuid,
  add column advancing_until timestamptz;
