-- Going through an account's tenants in order for a text that many older ones have, or that no index of text knows
-- (docs/decisions/0020-a-share-for-every-account.md): the text beside the id, so that no row is read that does not have it.
-- A text that is too long for an index is read from its row, which the other index finds.
create index tenants_text_in_order on tenants (account_id, id) include (search_text) where octet_length(search_text) < 1000;
create index tenants_with_long_text on tenants (account_id, id) where not octet_length(search_text) < 1000;
