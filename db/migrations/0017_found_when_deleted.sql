-- Sign-ins that were begun are found by their person, and deleted when they have ended. Only values that are a person's
-- id are looked for; others can be long.
create index verifications_by_value on verifications (value) where length(value) = 36;
create index verifications_by_end on verifications (expires_at);

-- Whoever deletes a recurring charge looks for what it has charged, voided or not.
create index charges_by_recurring on charges (account_id, recurring_charge_id) where recurring_charge_id is not null;
