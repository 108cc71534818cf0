-- The id of a record in another system, on every noun and unique (docs/decisions/0025-external-ids-are-unique.md).
alter table units add column external_id text;
alter table leases add column external_id text;
alter table payments add column external_id text;
alter table maintenance_requests add column external_id text;
alter table recurring_charges add column external_id text;

-- Until now several records could have the same one. The oldest keeps it; the others get their own id behind it, and
-- their history tells. Nobody writes meanwhile: a second one would make the index below fail.
lock table properties, tenants, charges, credits in share row exclusive mode;
create temporary table repeated_external_ids on commit drop as
  select noun, account_id, id, external_id, left(external_id, 150) || ' (' || prefix || replace(id::text, '-', '') || ')' as becomes
  from (
    select 'properties' as noun, 'prop_' as prefix, account_id, id, external_id,
      row_number() over (partition by account_id, external_id order by id) as place
    from properties where external_id is not null
    union all
    select 'tenants', 'ten_', account_id, id, external_id, row_number() over (partition by account_id, external_id order by id)
    from tenants where external_id is not null
    union all
    select 'charges', 'chg_', account_id, id, external_id, row_number() over (partition by account_id, external_id order by id)
    from charges where external_id is not null and voided_on is null
    union all
    select 'credits', 'crd_', account_id, id, external_id, row_number() over (partition by account_id, external_id order by id)
    from credits where external_id is not null and voided_on is null) placed
  where place > 1;
update properties r set external_id = n.becomes, updated_at = greatest(now(), r.updated_at + interval '1 millisecond')
  from repeated_external_ids n where n.noun = 'properties' and r.account_id = n.account_id and r.id = n.id;
update tenants r set external_id = n.becomes, updated_at = greatest(now(), r.updated_at + interval '1 millisecond')
  from repeated_external_ids n where n.noun = 'tenants' and r.account_id = n.account_id and r.id = n.id;
update charges r set external_id = n.becomes, updated_at = greatest(now(), r.updated_at + interval '1 millisecond')
  from repeated_external_ids n where n.noun = 'charges' and r.account_id = n.account_id and r.id = n.id;
update credits r set external_id = n.becomes, updated_at = greatest(now(), r.updated_at + interval '1 millisecond')
  from repeated_external_ids n where n.noun = 'credits' and r.account_id = n.account_id and r.id = n.id;
-- An id of version 7: the time, then a hash.
insert into history (account_id, record_id, id, action, changes, actor_type, actor_name, created_at)
  select account_id, id,
    (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7' || left(md5(id::text), 3) || '8' ||
      substr(md5(id::text), 4, 15))::uuid,
    'updated', '[{"field":"external_id","from":' || to_json(external_id) || ',"to":' || to_json(becomes) || '}]',
    'operator', 'Upgrade', now()
  from repeated_external_ids;

create unique index properties_external_id_unique on properties (account_id, external_id) where external_id is not null;
create unique index units_external_id_unique on units (account_id, external_id) where external_id is not null;
create unique index tenants_external_id_unique on tenants (account_id, external_id) where external_id is not null;
create unique index leases_external_id_unique on leases (account_id, external_id) where external_id is not null;
create unique index payments_external_id_unique on payments (account_id, external_id) where external_id is not null;
create unique index maintenance_requests_external_id_unique on maintenance_requests (account_id, external_id)
  where external_id is not null;
create unique index recurring_charges_external_id_unique on recurring_charges (account_id, external_id)
  where external_id is not null;
-- What was voided gives its external_id to the one that is made in its place.
create unique index charges_external_id_unique on charges (account_id, external_id)
  where external_id is not null and voided_on is null;
create unique index credits_external_id_unique on credits (account_id, external_id)
  where external_id is not null and voided_on is null;
drop index properties_by_external_id;
drop index tenants_by_external_id;
