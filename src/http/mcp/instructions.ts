import type { Caller } from '../../caller.ts';
import { defaultLimit, mostRecords } from './tool-schemas.ts';

/** What an assistant should know before it uses its first tool. */
export function instructions({ permission, currency, timeZone }: Caller): string {
  return [
    "Tenure holds a landlord's or property manager's records: properties with their units, tenants, leases (tenants in a unit, from a start date), what leases charge and are credited, rent payments and maintenance requests.",
    `Money is in whole minor units: 125000 in USD is 1250.00 USD, in JPY it is ¥125000. This account's currency is ${currency}; records without a currency use it. Never add up amounts of different currencies.`,
    `Dates are YYYY-MM-DD, timestamps ISO 8601 in UTC, and today is the date in the account's time zone, ${timeZone}.`,
    'Ids look like ten_0190… and come from other tools; never make one up. search finds any record by what people call it. Names come with ids: tenant_name with tenant_id.',
    `Lists are newest first, ${defaultLimit} records unless limit says otherwise (at most ${mostRecords}). If next_cursor is not null there are more: call again with it as cursor and the same filters. A filter with several values takes any of them.`,
    'update_ tools change only the fields that are sent, and null clears a field; their fields are described in the create_ tool. get_history and create_note take the id of any record.',
    'For who owes what, former tenants included, use list_balances with owing=true (tenant_id for one tenant, as_of for another day), and get_lease_ledger for why: it says who paid what. Never take credit_cents of one lease off what another owes.',
    'For income use get_rent_collected, and get_rent_roll for all units on a day, rather than adding up payments.',
    'A lease charges its rent by itself, and late fees follow from policies. Charges and credits never change: void_charge or void_credit, then create them again. preview_lease_renewal, preview_lease_end and preview_late_fees show what would be charged, and write nothing.',
    'A refused call answers {"error": {"code", "message"}}: 400 with message.fieldErrors says which argument is wrong and why; 404 means that the account has no such record; 409 says which change is possible; 429 and 503 mean try again a little later.',
    permission === 'write'
      ? 'This key may read and write. Before changing or deleting, say what will change and for whom.'
      : 'This key may only read; changes need a key with write permission.',
  ].join('\n');
}
