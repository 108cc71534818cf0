-- Which payments and credits name a charge. Deleting a charge asks for it, by their foreign keys.
create index payments_by_charge on payments (account_id, charge_id) where charge_id is not null;
create index credits_by_charge on credits (account_id, charge_id) where charge_id is not null;
