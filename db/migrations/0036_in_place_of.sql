-- Money that names a charge of the schedule which was made anew since, and late fees that a person took back of such a
-- rent, count for the one in its place now. The leases where that is so are worked out again.
insert into ledger_changes (account_id, lease_id, mark, from_day)
select distinct on (c.account_id, c.lease_id) c.account_id, c.lease_id, c.id, l.ledger_from
from (
  select account_id, charge_id from payments where charge_id is not null
  union all
  select account_id, charge_id from credits where charge_id is not null
  union all
  select account_id, late_fee_for from charges where voided_by_hand and late_fee_for is not null) named
join charges c on c.account_id = named.account_id and c.id = named.charge_id
join leases l on l.account_id = c.account_id and l.id = c.lease_id
where c.source = 'schedule' and c.voided_on is not null and not c.voided_by_hand;
