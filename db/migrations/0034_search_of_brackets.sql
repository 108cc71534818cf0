-- A search for a bracket or a stroke, which the indexes of characters (0031) did not have, looked through all records.
drop index tenants_by_character;
drop index properties_by_character;
drop index units_by_character;
drop index leases_by_character;
drop index payments_by_character;
drop index charges_by_character;
drop index credits_by_character;
drop index maintenance_requests_by_character;
create index tenants_by_character on tenants using gin (account_id, string_to_array(
    translate(search_text, 'abcdefghijklmnopqrstuvwxyz0123456789 @.+-', ''), null))
  with (gin_pending_list_limit = 128)
  where translate(search_text, 'abcdefghijklmnopqrstuvwxyz0123456789 @.+-', '') <> '';
create index properties_by_character on properties using gin (account_id, string_to_array(
    translate(search_text, 'abcdefghijklmnopqrstuvwxyz0123456789 @.+-', ''), null))
  with (gin_pending_list_limit = 128)
  where translate(search_text, 'abcdefghijklmnopqrstuvwxyz0123456789 @.+-', '') <> '';
create index units_by_character on units using gin (account_id, string_to_array(
    translate(search_text, 'abcdefghijklmnopqrstuvwxyz0123456789 @.+-', ''), null))
  with (gin_pending_list_limit = 128)
  where translate(search_text, 'abcdefghijklmnopqrstuvwxyz0123456789 @.+-', '') <> '';
create index leases_by_character on leases using gin (account_id, string_to_array(
    translate(lower(' ' || external_id), 'abcdefghijklmnopqrstuvwxyz0123456789 @.+-', ''), null))
  with (gin_pending_list_limit = 128)
  where translate(lower(' ' || external_id), 'abcdefghijklmnopqrstuvwxyz0123456789 @.+-', '') <> '';
create index payments_by_character on payments using gin (account_id, string_to_array(
    translate(lower(' ' || coalesce(reference, '') ||
    ' ' || coalesce(memo, '') || ' ' || coalesce(external_id, '')), 'abcdefghijklmnopqrstuvwxyz0123456789 @.+-', ''), null))
  with (gin_pending_list_limit = 128)
  where translate(lower(' ' || coalesce(reference, '') ||
    ' ' || coalesce(memo, '') || ' ' || coalesce(external_id, '')), 'abcdefghijklmnopqrstuvwxyz0123456789 @.+-', '') <> '';
create index charges_by_character on charges using gin (account_id, string_to_array(
    translate(lower(' ' || coalesce(memo, '') || ' ' || coalesce(external_id, '')), 'abcdefghijklmnopqrstuvwxyz0123456789 @.+-', ''), null))
  with (gin_pending_list_limit = 128)
  where translate(lower(' ' || coalesce(memo, '') || ' ' || coalesce(external_id, '')), 'abcdefghijklmnopqrstuvwxyz0123456789 @.+-', '') <> '';
create index credits_by_character on credits using gin (account_id, string_to_array(
    translate(lower(' ' || coalesce(memo, '') || ' ' || coalesce(external_id, '')), 'abcdefghijklmnopqrstuvwxyz0123456789 @.+-', ''), null))
  with (gin_pending_list_limit = 128)
  where translate(lower(' ' || coalesce(memo, '') || ' ' || coalesce(external_id, '')), 'abcdefghijklmnopqrstuvwxyz0123456789 @.+-', '') <> '';
create index maintenance_requests_by_character on maintenance_requests using gin (account_id, string_to_array(
    translate(lower(' ' || title || ' ' || number || ' ' || coalesce(description, '') ||
    ' ' || coalesce(assigned_to, '') || ' ' || coalesce(external_id, '')), 'abcdefghijklmnopqrstuvwxyz0123456789 @.+-', ''), null))
  with (gin_pending_list_limit = 128)
  where translate(lower(' ' || title || ' ' || number || ' ' || coalesce(description, '') ||
    ' ' || coalesce(assigned_to, '') || ' ' || coalesce(external_id, '')), 'abcdefghijklmnopqrstuvwxyz0123456789 @.+-', '') <> '';
