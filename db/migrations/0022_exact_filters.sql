-- Tenants by what another system knows of them: e-mail address and phone number, however they are written.
create index tenants_by_email on tenants (account_id, lower(email), id) where email is not null;
create index tenants_by_phone on tenants (account_id, regexp_replace(phone, '\D', '', 'g'), id) where phone is not null;
