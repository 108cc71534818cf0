-- Who made a key, and what it is limited to: parts of the API (null: all), and addresses (null: any). Keys of before have
-- neither limit. skip_actors: keys whose changes an endpoint does not hear of.
alter table api_keys
  add column created_by uuid,
  add column scopes text[] check (cardinality(scopes) > 0),
  add column allowed_addresses text[] check (cardinality(allowed_addresses) > 0);
create index api_keys_by_maker on api_keys (account_id, created_by) where revoked_at is null;

alter table webhook_endpoints add column skip_actors uuid[] not null default '{}';
