-- What is owed. Charges, credits and refunds of deposits are facts: their amount and date never change, and a mistake is
-- voided and made anew. Who paid what is worked out from them (docs/decisions/0018-who-paid-what-is-derived.md).

alter table accounts
  add column time_zone text not null default 'UTC',
  add column post_days_before_due smallint not null default 5 check (post_days_before_due between 0 and 60),
  add column late_fees jsonb,
  add column lease_expiring_days smallint[] not null default '{90,60,30}';

alter table properties add column late_fees jsonb not null default '"inherit"';

-- Leases that are there begin their ledger this month, with nothing owed from before. So do those that a process of the
-- previous release makes meanwhile.
alter table leases
  add column rent_changes jsonb not null default '[]',
  add column proration text not null default 'actual_days' check (proration in ('actual_days', 'thirty_days', 'none')),
  add column ledger_from date not null default date_trunc('month', now() at time zone 'UTC')::date,
  add column opening_balance_cents bigint not null default 0,
  add column late_fees jsonb not null default '"inherit"';
create index leases_by_start on leases (account_id, start_date);
create index leases_by_end on leases (account_id, until) where until is not null;
create index leases_by_notice on leases (account_id, notice_given_on) where notice_given_on is not null;

-- No scheduled charge of the lease that is due before next_charge_on is missing; null where none will come. The clock
-- moves it for every lease in every month: in leases, that would write all of their indexes anew (40 % of a posting).
create table lease_schedules (
  account_id     uuid not null,
  lease_id       uuid not null,
  next_charge_on date,
  primary key (account_id, lease_id)
) with (fillfactor = 80);
create index lease_schedules_by_next_charge on lease_schedules (account_id, next_charge_on) where next_charge_on is not null;
insert into lease_schedules (account_id, lease_id, next_charge_on) select account_id, id, ledger_from from leases;

create table recurring_charges (
  account_id     uuid not null,
  id             uuid not null,
  lease_id       uuid not null,
  unit_id        uuid not null,
  property_id    uuid not null,
  kind           text not null check (kind in ('deposit', 'late_fee', 'returned_payment', 'utility', 'parking', 'pet', 'repair', 'fee', 'other')),
  amount_cents   bigint not null check (amount_cents > 0),
  currency       text not null check (currency ~ '^[A-Z]{3}$'),
  every          text not null check (every in ('week', 'two_weeks', 'month', 'quarter', 'year')),
  starts_on      date not null,
  ends_on        date,
  amount_changes jsonb not null default '[]',
  memo           text,
  source         text not null check (source in ('api', 'dashboard', 'import')),
  next_charge_on date,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  primary key (account_id, id),
  constraint recurring_charges_lease_id_fk foreign key (account_id, lease_id, unit_id, property_id)
    references leases (account_id, id, unit_id, property_id)
);
create index recurring_charges_by_lease on recurring_charges (account_id, lease_id, id);
create index recurring_charges_by_property on recurring_charges (account_id, property_id, id);
create index recurring_charges_by_next_charge on recurring_charges (account_id, next_charge_on) where next_charge_on is not null;

-- overdue_from: the day on which it is told that the charge is overdue, should it still be open then.
create table charges (
  account_id          uuid not null,
  id                  uuid not null,
  lease_id            uuid not null,
  unit_id             uuid not null,
  property_id         uuid not null,
  kind                text not null check (kind in ('rent', 'deposit', 'late_fee', 'returned_payment', 'utility', 'parking', 'pet', 'repair', 'fee', 'other')),
  amount_cents        bigint not null check (amount_cents > 0),
  currency            text not null check (currency ~ '^[A-Z]{3}$'),
  due_on              date not null,
  period              text check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  memo                text,
  external_id         text,
  source              text not null check (source in ('api', 'dashboard', 'import', 'schedule', 'late_fee')),
  recurring_charge_id uuid,
  late_fee_for        uuid,
  overdue_from        date not null,
  voided_on           date,
  void_reason         text,
  voided_by_hand      boolean not null default false,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  primary key (account_id, id),
  constraint charges_lease_id_fk foreign key (account_id, lease_id, unit_id, property_id)
    references leases (account_id, id, unit_id, property_id),
  constraint charges_recurring_charge_id_fk foreign key (account_id, recurring_charge_id)
    references recurring_charges (account_id, id),
  constraint charges_voided check ((voided_on is null) = (void_reason is null))
);
-- Never twice, whoever posts: two processes, a restart, a clock that steps back.
create unique index charges_rent_unique on charges (account_id, lease_id, period)
  where kind = 'rent' and voided_on is null and period is not null;
create unique index charges_deposit_unique on charges (account_id, lease_id)
  where kind = 'deposit' and source = 'schedule' and recurring_charge_id is null and voided_on is null;
create unique index charges_recurring_unique on charges (account_id, recurring_charge_id, due_on)
  where recurring_charge_id is not null and voided_on is null;
create unique index charges_late_fee_unique on charges (account_id, late_fee_for, due_on)
  where late_fee_for is not null and voided_on is null;
create index charges_by_lease on charges (account_id, lease_id, due_on);
create index charges_by_property on charges (account_id, property_id, id);
create index charges_by_kind on charges (account_id, kind, id);
create index charges_by_due_day on charges (account_id, due_on, id);
create index charges_by_overdue_day on charges (account_id, overdue_from, id) where voided_on is null;
-- Of a lease's many charges, which are deposits.
create index charges_of_deposits on charges (account_id, lease_id) where kind = 'deposit' and voided_on is null;
create index charges_taken_back on charges (account_id, lease_id) where voided_by_hand;
create index charges_voided_ones on charges (account_id, id) where voided_on is not null;
create index charges_by_external_id on charges (account_id, external_id) where external_id is not null;

create table credits (
  account_id     uuid not null,
  id             uuid not null,
  lease_id       uuid not null,
  unit_id        uuid not null,
  property_id    uuid not null,
  amount_cents   bigint not null check (amount_cents > 0),
  currency       text not null check (currency ~ '^[A-Z]{3}$'),
  credited_on    date not null,
  reason         text not null check (reason in ('concession', 'write_off', 'adjustment', 'deposit')),
  charge_id      uuid,
  memo           text,
  external_id    text,
  source         text not null check (source in ('api', 'dashboard', 'import')),
  voided_on      date,
  void_reason    text,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  primary key (account_id, id),
  constraint credits_lease_id_fk foreign key (account_id, lease_id, unit_id, property_id)
    references leases (account_id, id, unit_id, property_id),
  constraint credits_charge_id_fk foreign key (account_id, charge_id) references charges (account_id, id),
  constraint credits_voided check ((voided_on is null) = (void_reason is null))
);
create index credits_by_lease on credits (account_id, lease_id, credited_on);
create index credits_by_property on credits (account_id, property_id, id);
create index credits_by_day on credits (account_id, credited_on, id);
create index credits_by_external_id on credits (account_id, external_id) where external_id is not null;

create table deposit_refunds (
  account_id   uuid not null,
  id           uuid not null,
  lease_id     uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  currency     text not null check (currency ~ '^[A-Z]{3}$'),
  refunded_on  date not null,
  memo         text,
  source       text not null check (source in ('api', 'dashboard', 'import')),
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  primary key (account_id, id),
  constraint deposit_refunds_lease_id_fk foreign key (account_id, lease_id) references leases (account_id, id)
);
create index deposit_refunds_by_lease on deposit_refunds (account_id, lease_id, refunded_on);

-- lease_given: the lease was named by whoever recorded the payment. reversed_on: from this day on it no longer counts.
alter table payments
  add column charge_id uuid,
  add column lease_given boolean not null default false,
  add column reversed_on date,
  add constraint payments_charge_id_fk foreign key (account_id, charge_id) references charges (account_id, id);
update payments set reversed_on = greatest(paid_on, (updated_at at time zone 'UTC')::date)
  where status in ('returned', 'refunded');
create index payments_pending on payments (account_id, lease_id) where status = 'pending';
-- A process of the previous release gives no day when it reverses a payment: the clock does it then (src/days/adopt.ts).
alter table payments add constraint payments_reversed
  check (reversed_on is null or (status in ('returned', 'refunded') and reversed_on >= paid_on));
create index payments_without_day on payments (account_id, id) where status in ('returned', 'refunded') and reversed_on is null;

-- Tenants whose leases changed, and when their payments are to be looked at again. A payment that was written meanwhile
-- does not see the change, and the change does not see the payment (global: workers look for what is due).
create table payment_checks (
  account_id uuid not null,
  id         uuid not null,
  tenant_ids uuid[] not null,
  looks      smallint not null default 0,
  next_at    timestamptz not null,
  primary key (account_id, id)
);
create index payment_checks_by_next_look on payment_checks (next_at);

-- Every value that the late fees of the account, a property or a lease ever had: a policy holds for charges that fall due
-- after it was set.
create table late_fee_policies (
  account_id  uuid not null constraint late_fee_policies_account_id_fk references accounts,
  id          uuid not null,
  property_id uuid,
  lease_id    uuid,
  policy      jsonb not null,
  set_on      date not null,
  primary key (account_id, id),
  constraint late_fee_policies_property_id_fk foreign key (account_id, property_id) references properties (account_id, id),
  constraint late_fee_policies_lease_id_fk foreign key (account_id, lease_id) references leases (account_id, id)
);
create index late_fee_policies_by_record on late_fee_policies (account_id, lease_id, property_id);

-- Worked out from the entries, and made anew when they change: from which day to which (null: for good) which amount of a
-- charge was open, or which credit of a lease was unapplied. item_id is the charge, or the lease.
create table open_spans (
  account_id   uuid not null,
  lease_id     uuid not null,
  kind         text not null check (kind in ('charge', 'opening', 'credit')),
  item_id      uuid not null,
  due_on       date not null,
  amount_cents bigint not null check (amount_cents > 0),
  from_day     date not null,
  to_day       date check (to_day > from_day),
  primary key (account_id, lease_id, kind, item_id, from_day)
);
create index open_spans_by_day on open_spans using gist (account_id, daterange(from_day, to_day));

-- Leases whose spans are to be worked out again, for what counts from from_day on. Rows are only added and deleted: one
-- that is there already may be just about to be taken, so a second change needs a row of its own.
create table ledger_changes (
  account_id uuid not null,
  lease_id   uuid not null,
  mark       uuid not null,
  from_day   date not null,
  primary key (account_id, lease_id, mark)
);

-- Through which day an account is done, and when its next day begins (global: workers look for accounts whose day has
-- come). Until adopts_until, processes of the previous release may write to the account, which know of no ledger.
create table account_clocks (
  account_id   uuid primary key,
  through_day  date not null,
  next_turn_at timestamptz not null,
  adopts_until timestamptz
);
create index account_clocks_by_next_turn on account_clocks (next_turn_at);
create index account_clocks_adopting on account_clocks (adopts_until) where adopts_until is not null;
insert into account_clocks (account_id, through_day, next_turn_at, adopts_until)
  select id, (now() at time zone 'UTC')::date - 1, now(), now() + interval '1 day' from accounts;
insert into ledger_changes (account_id, lease_id, mark, from_day) select account_id, id, id, ledger_from from leases;

alter table import_keys drop constraint import_keys_kind_check,
  add constraint import_keys_kind_check check (kind in ('property', 'unit', 'tenant', 'lease', 'payment', 'charge', 'credit'));
