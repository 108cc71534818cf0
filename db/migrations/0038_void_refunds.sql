-- A refund of a deposit that was recorded by mistake is voided and stays visible, as every other entry of a ledger.
alter table deposit_refunds
  add column voided_on date,
  add column void_reason text,
  add constraint deposit_refunds_voided check ((voided_on is null) = (void_reason is null));
