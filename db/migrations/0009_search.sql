-- What a search looks at, in lower case, and an index of every three characters of it that finds any part
-- (docs/decisions/0020-a-share-for-every-account.md). Each text begins with a space, so that ' ad' is where a word begins.
-- Of a phone number, the digits are in it as well. The list of entries that the index has yet to take in is kept short:
-- every search goes through it.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

alter table properties add column search_text text not null generated always as (lower(
  ' ' || name || coalesce(' ' || address, '') || coalesce(' ' || city, '') || coalesce(' ' || external_id, ''))) stored;
create index properties_by_text on properties using gin (account_id, search_text gin_trgm_ops) with (gin_pending_list_limit = 128);

alter table units add column search_text text not null generated always as (lower(' ' || name)) stored;
create index units_by_text on units using gin (account_id, search_text gin_trgm_ops) with (gin_pending_list_limit = 128);

alter table tenants add column search_text text not null generated always as (lower(
  ' ' || first_name || ' ' || last_name || ' ' || first_name || coalesce(' ' || email, '') || coalesce(' ' || phone, '') ||
  coalesce(' ' || nullif(translate(phone, ' +-()./', ''), phone), '') || coalesce(' ' || external_id, ''))) stored;
create index tenants_by_text on tenants using gin (account_id, search_text gin_trgm_ops) with (gin_pending_list_limit = 128);
