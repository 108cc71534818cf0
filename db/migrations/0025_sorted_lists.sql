-- Lists in the order of a field: the field, never null, between the account and the id. Payments, charges and credits
-- have such indexes already. Whatever has no end, or is due on no day, comes behind all that has.
create index properties_by_name on properties (account_id, lower(name), id);
create index units_by_name on units (account_id, lower(name), id);
create index tenants_by_name on tenants (account_id, lower(last_name || ' ' || first_name), id);
create index leases_by_start_day on leases (account_id, start_date, id);
create index leases_by_last_day on leases (account_id, coalesce(ended_on, end_date, 'infinity'::date), id);
create index leases_by_rent on leases (account_id, rent_cents, id);
create index maintenance_by_due_day on maintenance_requests (account_id, coalesce(due_on, 'infinity'::date), id);
create index maintenance_by_urgency on maintenance_requests
  (account_id, array_position(array['low', 'medium', 'high', 'emergency'], priority), id);
-- The one with the id begins alike.
drop index leases_by_start;
