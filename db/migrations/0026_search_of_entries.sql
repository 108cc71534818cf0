-- What a search of leases, payments, maintenance requests, charges and credits looks at beside names, which have indexes
-- of their own (0009). Indexes of expressions, so that no table is rewritten; only rows that have such a text are in them.
create index leases_by_text on leases
  using gin (account_id, lower(' ' || external_id) gin_trgm_ops) with (gin_pending_list_limit = 128)
  where external_id is not null;
create index payments_by_text on payments
  using gin (account_id, lower(' ' || coalesce(reference, '') || ' ' || coalesce(memo, '') || ' ' || coalesce(external_id, '')) gin_trgm_ops)
  with (gin_pending_list_limit = 128)
  where reference is not null or memo is not null or external_id is not null;
create index charges_by_text on charges
  using gin (account_id, lower(' ' || coalesce(memo, '') || ' ' || coalesce(external_id, '')) gin_trgm_ops)
  with (gin_pending_list_limit = 128)
  where memo is not null or external_id is not null;
create index credits_by_text on credits
  using gin (account_id, lower(' ' || coalesce(memo, '') || ' ' || coalesce(external_id, '')) gin_trgm_ops)
  with (gin_pending_list_limit = 128)
  where memo is not null or external_id is not null;
create index maintenance_requests_by_text on maintenance_requests
  using gin (account_id, lower(' ' || title || ' ' || number || ' ' || coalesce(description, '') || ' ' ||
    coalesce(assigned_to, '') || ' ' || coalesce(external_id, '')) gin_trgm_ops)
  with (gin_pending_list_limit = 128);
create index maintenance_by_unit on maintenance_requests (account_id, unit_id, id) where unit_id is not null;
