// Made from openapi.json by `npm run generate`; not to be edited.

import type { List } from './list.ts';
import type { Options } from './options.ts';

/** One value, or several of which any will do. */
export type Several<Value> = Value | readonly Value[];

/** The body of every error. */
export interface ApiError {
  error: {
    /** Equals the HTTP status. */
    code: number;
    message:
      | string
      | {
      /** Errors of the input as a whole. */
      formErrors: string[];
      /** Errors of each field, by its name. */
      fieldErrors: Record<string, string[]>;
    };
    /**
     * What went wrong, as a word for programs: `validation_failed` (400): fields of the body or parameters
     * are wrong; `message` names them; `invalid_json` (400): the body is not JSON; `unknown_parameter`
     * (400): there is no such parameter; `message` names the existing ones; `unknown_field` (400): with
     * `Prefer: handling=strict`, the body has fields that are not known; `message` names them;
     * `too_many_values` (400): the body has more values than any record needs; `unsafe_url` (400): events
     * may not be sent to the URL of the webhook; `invalid_form` (400): the body is not a form with files;
     * `invalid_passkey` (400): the new passkey could not be checked; `bad_request` (400): the request is not
     * proper HTTP, or was cut off; `unauthorized` (401): no key, or one that is unknown, expired or revoked;
     * in the dashboard, nobody is signed in; `wrong_credentials` (401): the e-mail address, the password or
     * the passkey is wrong; `sign_in_expired` (401): the code came too late; sign in again; `forbidden`
     * (403): the key may only read, or the role of the person does not allow it; `missing_scope` (403): the
     * key lacks the scope that `message` names; `owner_required` (403): only an owner may give a key this
     * scope; `address_not_allowed` (403): the key may not be used from this address; `cross_site_request`
     * (403): the request came from another site's page; `unknown_host` (403): the name in `Host` is not one
     * of this server; `sign_up_closed` (403): people join by invitation only; `accounts_closed` (403):
     * further accounts cannot be opened here; `wrong_invitation` (403): the invitation is for somebody else,
     * or cannot be used any more; `openid_required` (403): people sign in with OpenID Connect only;
     * `openid_refused` (403): the sign-in with OpenID Connect failed; `message` says why; `link_expired`
     * (403): the link to a file has expired, or was changed; `sign_in_again` (403): a fresh sign-in is
     * required; `not_found` (404): the account has no such record, or the path does not exist;
     * `invitation_not_found` (404): the invitation does not exist, was used or has expired;
     * `method_not_allowed` (405): the path exists, but not with this method; `Allow` lists the methods;
     * `not_acceptable` (406): `Accept-Encoding` refuses every form of the answer; `request_timeout` (408):
     * the request took too long to arrive; `idempotency_in_progress` (409): a request with this
     * `Idempotency-Key` is still being worked on; `lease_overlap` (409): the unit already has a lease during
     * this time; `lease_ended` (409): the lease was ended, so it cannot be renewed; `lease_not_ended` (409):
     * the tenant has a lease that has not ended; `opening_balance` (409): the lease has an opening balance,
     * so it cannot be deleted; `external_id_taken` (409): another record has this `external_id`; `details`
     * says which; `field_fixed` (409): the field cannot change once the record is made; `unit_name_taken`
     * (409): the property already has a unit with this name; `invalid_transition` (409): the status cannot
     * change in this way; `message` says how it can; `payment_closed` (409): the payment is final, so its
     * amount, currency, date and tenant cannot change; `record_in_use` (409): others refer to the record, so
     * it cannot be deleted; `details` lists them; `rent_already_charged` (409): the lease is already charged
     * rent for the month; `already_voided` (409): the charge, the credit or the refund is voided;
     * `recurring_charge_ended` (409): it has ended, so nothing is left that could change; `deposit_exceeded`
     * (409): more than is held of the deposit, or less would be charged than was applied or refunded;
     * `limit_reached` (409): the limit is reached; `message` says what it is; `advance_in_progress` (409):
     * the test clock is being moved; `test_mode_reset` (409): test mode was reset in the meantime; nothing
     * was done, so send it again; `test_quota_exceeded` (409): test mode has reached its limit of records;
     * `message` says what it is; `storage_quota` (409): the account has no more room for files;
     * `import_in_progress` (409): another import of the account is under way; `queue_full` (409): too many
     * deliveries are waiting for the account's webhook endpoints; `delivery_pending` (409): the delivery has
     * not finished, so it cannot be sent again yet; `endpoint_deleted` (409): the webhook endpoint of the
     * delivery was deleted; `endpoint_disabled` (409): the webhook endpoint is disabled; `event_expired`
     * (409): the event of the delivery is no longer kept; `email_taken` (409): there is already a person
     * with this e-mail address; `already_member` (409): the person is already in the team; `last_owner`
     * (409): an account needs an owner, and this is the only one; `account_switched` (409): the person
     * switched to another account in another window; `account_closed` (409): the account is already closed;
     * `account_not_closed` (409): the account is not closed, or is being erased; `two_factor_state` (409):
     * two-factor sign-in is not in the state that this needs; `event_not_kept` (410): the event is no longer
     * kept, so the feed cannot continue after it; `precondition_failed` (412): the record is no longer in
     * the state that `If-Match` names, or exists although `If-None-Match` says it must not;
     * `payload_too_large` (413): the body is too large; `unsupported_file` (415): files of this kind are not
     * accepted, or the image cannot be read; `compressed_body` (415): the body is compressed;
     * `range_not_satisfiable` (416): the file has no such bytes; `Content-Range` says how many it has;
     * `batch_failed` (422): items of an atomic batch failed, so nothing was created; `details` says which;
     * `idempotency_key_reused` (422): the `Idempotency-Key` was used for another request;
     * `openid_unavailable` (424): the OpenID Connect issuer does not answer; `rate_limited` (429): too many
     * requests; wait as long as `Retry-After` says; `headers_too_large` (431): address and headers together
     * are over 16 KiB; `internal_error` (500): a fault in Tenure; `unavailable` (503): the database went
     * away; a write may have been done; `overloaded` (503): the service is too busy; nothing was done;
     * `storage_full` (503): the storage is full; nothing was written. Further words may be added.
     */
    type:
      | "validation_failed"
      | "invalid_json"
      | "unknown_parameter"
      | "unknown_field"
      | "too_many_values"
      | "unsafe_url"
      | "invalid_form"
      | "invalid_passkey"
      | "bad_request"
      | "unauthorized"
      | "wrong_credentials"
      | "sign_in_expired"
      | "forbidden"
      | "missing_scope"
      | "owner_required"
      | "address_not_allowed"
      | "cross_site_request"
      | "unknown_host"
      | "sign_up_closed"
      | "accounts_closed"
      | "wrong_invitation"
      | "openid_required"
      | "openid_refused"
      | "link_expired"
      | "sign_in_again"
      | "not_found"
      | "invitation_not_found"
      | "method_not_allowed"
      | "not_acceptable"
      | "request_timeout"
      | "idempotency_in_progress"
      | "lease_overlap"
      | "lease_ended"
      | "lease_not_ended"
      | "opening_balance"
      | "external_id_taken"
      | "field_fixed"
      | "unit_name_taken"
      | "invalid_transition"
      | "payment_closed"
      | "record_in_use"
      | "rent_already_charged"
      | "already_voided"
      | "recurring_charge_ended"
      | "deposit_exceeded"
      | "limit_reached"
      | "advance_in_progress"
      | "test_mode_reset"
      | "test_quota_exceeded"
      | "storage_quota"
      | "import_in_progress"
      | "queue_full"
      | "delivery_pending"
      | "endpoint_deleted"
      | "endpoint_disabled"
      | "event_expired"
      | "email_taken"
      | "already_member"
      | "last_owner"
      | "account_switched"
      | "account_closed"
      | "account_not_closed"
      | "two_factor_state"
      | "event_not_kept"
      | "precondition_failed"
      | "payload_too_large"
      | "unsupported_file"
      | "compressed_body"
      | "range_not_satisfiable"
      | "batch_failed"
      | "idempotency_key_reused"
      | "openid_unavailable"
      | "rate_limited"
      | "headers_too_large"
      | "internal_error"
      | "unavailable"
      | "overloaded"
      | "storage_full";
    /** Identifies the request in our logs, as `X-Request-Id` does. */
    request_id: string;
    /** Why a record cannot be deleted, or have its `external_id`, or a batch failed, for programs. */
    details?: {
      /** What refers to a record that cannot be deleted. */
      references?: ({
        type:
          | "unit"
          | "lease"
          | "payment"
          | "charge"
          | "credit"
          | "deposit_refund"
          | "maintenance_request";
        count: number;
        /** The newest of them, at most five. Empty if your key may not read this type. */
        ids: string[];
      })[];
      /** The record that has the `external_id`. */
      id?: string;
      /** The items for which an atomic batch failed, at most 100 of them. */
      results?: FailedItem[];
    };
  };
}

/** An item of a batch that was not created, and why. */
export interface FailedItem {
  /** Its position in `items`, counted from 0. */
  index: number;
  /** That of the error. */
  status: number;
  error: {
    /** Equals the HTTP status. */
    code: number;
    message:
      | string
      | {
      /** Errors of the input as a whole. */
      formErrors: string[];
      /** Errors of each field, by its name. */
      fieldErrors: Record<string, string[]>;
    };
    /**
     * What went wrong, as a word for programs: `validation_failed` (400): fields of the body or parameters
     * are wrong; `message` names them; `invalid_json` (400): the body is not JSON; `unknown_parameter`
     * (400): there is no such parameter; `message` names the existing ones; `unknown_field` (400): with
     * `Prefer: handling=strict`, the body has fields that are not known; `message` names them;
     * `too_many_values` (400): the body has more values than any record needs; `unsafe_url` (400): events
     * may not be sent to the URL of the webhook; `invalid_form` (400): the body is not a form with files;
     * `invalid_passkey` (400): the new passkey could not be checked; `bad_request` (400): the request is not
     * proper HTTP, or was cut off; `unauthorized` (401): no key, or one that is unknown, expired or revoked;
     * in the dashboard, nobody is signed in; `wrong_credentials` (401): the e-mail address, the password or
     * the passkey is wrong; `sign_in_expired` (401): the code came too late; sign in again; `forbidden`
     * (403): the key may only read, or the role of the person does not allow it; `missing_scope` (403): the
     * key lacks the scope that `message` names; `owner_required` (403): only an owner may give a key this
     * scope; `address_not_allowed` (403): the key may not be used from this address; `cross_site_request`
     * (403): the request came from another site's page; `unknown_host` (403): the name in `Host` is not one
     * of this server; `sign_up_closed` (403): people join by invitation only; `accounts_closed` (403):
     * further accounts cannot be opened here; `wrong_invitation` (403): the invitation is for somebody else,
     * or cannot be used any more; `openid_required` (403): people sign in with OpenID Connect only;
     * `openid_refused` (403): the sign-in with OpenID Connect failed; `message` says why; `link_expired`
     * (403): the link to a file has expired, or was changed; `sign_in_again` (403): a fresh sign-in is
     * required; `not_found` (404): the account has no such record, or the path does not exist;
     * `invitation_not_found` (404): the invitation does not exist, was used or has expired;
     * `method_not_allowed` (405): the path exists, but not with this method; `Allow` lists the methods;
     * `not_acceptable` (406): `Accept-Encoding` refuses every form of the answer; `request_timeout` (408):
     * the request took too long to arrive; `idempotency_in_progress` (409): a request with this
     * `Idempotency-Key` is still being worked on; `lease_overlap` (409): the unit already has a lease during
     * this time; `lease_ended` (409): the lease was ended, so it cannot be renewed; `lease_not_ended` (409):
     * the tenant has a lease that has not ended; `opening_balance` (409): the lease has an opening balance,
     * so it cannot be deleted; `external_id_taken` (409): another record has this `external_id`; `details`
     * says which; `field_fixed` (409): the field cannot change once the record is made; `unit_name_taken`
     * (409): the property already has a unit with this name; `invalid_transition` (409): the status cannot
     * change in this way; `message` says how it can; `payment_closed` (409): the payment is final, so its
     * amount, currency, date and tenant cannot change; `record_in_use` (409): others refer to the record, so
     * it cannot be deleted; `details` lists them; `rent_already_charged` (409): the lease is already charged
     * rent for the month; `already_voided` (409): the charge, the credit or the refund is voided;
     * `recurring_charge_ended` (409): it has ended, so nothing is left that could change; `deposit_exceeded`
     * (409): more than is held of the deposit, or less would be charged than was applied or refunded;
     * `limit_reached` (409): the limit is reached; `message` says what it is; `advance_in_progress` (409):
     * the test clock is being moved; `test_mode_reset` (409): test mode was reset in the meantime; nothing
     * was done, so send it again; `test_quota_exceeded` (409): test mode has reached its limit of records;
     * `message` says what it is; `storage_quota` (409): the account has no more room for files;
     * `import_in_progress` (409): another import of the account is under way; `queue_full` (409): too many
     * deliveries are waiting for the account's webhook endpoints; `delivery_pending` (409): the delivery has
     * not finished, so it cannot be sent again yet; `endpoint_deleted` (409): the webhook endpoint of the
     * delivery was deleted; `endpoint_disabled` (409): the webhook endpoint is disabled; `event_expired`
     * (409): the event of the delivery is no longer kept; `email_taken` (409): there is already a person
     * with this e-mail address; `already_member` (409): the person is already in the team; `last_owner`
     * (409): an account needs an owner, and this is the only one; `account_switched` (409): the person
     * switched to another account in another window; `account_closed` (409): the account is already closed;
     * `account_not_closed` (409): the account is not closed, or is being erased; `two_factor_state` (409):
     * two-factor sign-in is not in the state that this needs; `event_not_kept` (410): the event is no longer
     * kept, so the feed cannot continue after it; `precondition_failed` (412): the record is no longer in
     * the state that `If-Match` names, or exists although `If-None-Match` says it must not;
     * `payload_too_large` (413): the body is too large; `unsupported_file` (415): files of this kind are not
     * accepted, or the image cannot be read; `compressed_body` (415): the body is compressed;
     * `range_not_satisfiable` (416): the file has no such bytes; `Content-Range` says how many it has;
     * `batch_failed` (422): items of an atomic batch failed, so nothing was created; `details` says which;
     * `idempotency_key_reused` (422): the `Idempotency-Key` was used for another request;
     * `openid_unavailable` (424): the OpenID Connect issuer does not answer; `rate_limited` (429): too many
     * requests; wait as long as `Retry-After` says; `headers_too_large` (431): address and headers together
     * are over 16 KiB; `internal_error` (500): a fault in Tenure; `unavailable` (503): the database went
     * away; a write may have been done; `overloaded` (503): the service is too busy; nothing was done;
     * `storage_full` (503): the storage is full; nothing was written. Further words may be added.
     */
    type:
      | "validation_failed"
      | "invalid_json"
      | "unknown_parameter"
      | "unknown_field"
      | "too_many_values"
      | "unsafe_url"
      | "invalid_form"
      | "invalid_passkey"
      | "bad_request"
      | "unauthorized"
      | "wrong_credentials"
      | "sign_in_expired"
      | "forbidden"
      | "missing_scope"
      | "owner_required"
      | "address_not_allowed"
      | "cross_site_request"
      | "unknown_host"
      | "sign_up_closed"
      | "accounts_closed"
      | "wrong_invitation"
      | "openid_required"
      | "openid_refused"
      | "link_expired"
      | "sign_in_again"
      | "not_found"
      | "invitation_not_found"
      | "method_not_allowed"
      | "not_acceptable"
      | "request_timeout"
      | "idempotency_in_progress"
      | "lease_overlap"
      | "lease_ended"
      | "lease_not_ended"
      | "opening_balance"
      | "external_id_taken"
      | "field_fixed"
      | "unit_name_taken"
      | "invalid_transition"
      | "payment_closed"
      | "record_in_use"
      | "rent_already_charged"
      | "already_voided"
      | "recurring_charge_ended"
      | "deposit_exceeded"
      | "limit_reached"
      | "advance_in_progress"
      | "test_mode_reset"
      | "test_quota_exceeded"
      | "storage_quota"
      | "import_in_progress"
      | "queue_full"
      | "delivery_pending"
      | "endpoint_deleted"
      | "endpoint_disabled"
      | "event_expired"
      | "email_taken"
      | "already_member"
      | "last_owner"
      | "account_switched"
      | "account_closed"
      | "account_not_closed"
      | "two_factor_state"
      | "event_not_kept"
      | "precondition_failed"
      | "payload_too_large"
      | "unsupported_file"
      | "compressed_body"
      | "range_not_satisfiable"
      | "batch_failed"
      | "idempotency_key_reused"
      | "openid_unavailable"
      | "rate_limited"
      | "headers_too_large"
      | "internal_error"
      | "unavailable"
      | "overloaded"
      | "storage_full";
    /** Identifies the request in our logs, as `X-Request-Id` does. */
    request_id: string;
    details?: {
      /** The record that has the `external_id`. */
      id?: string;
    };
  };
}

/** A property was added. */
export interface PropertyCreatedEvent {
  id: string;
  event: "property.created";
  created_at: string;
  data: {
    property: Property;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/** A building or a piece of land with its units. */
export interface Property {
  id: string;
  name: string;
  type:
    | "single_family"
    | "multi_family"
    | "condo"
    | "townhouse"
    | "commercial"
    | "other";
  address: string | null;
  address_line2: string | null;
  city: string | null;
  state: string | null;
  postal_code: string | null;
  /** ISO 3166 alpha-2. */
  country: string | null;
  year_built: number | null;
  notes: string | null;
  /** Its id in another system of yours. */
  external_id: string | null;
  /** `inherit` follows the property, then the account; `none` fines nothing. */
  late_fees: "inherit" | "none" | LateFeePolicy;
  status: "active" | "archived";
  unit_count: number;
  /** Units with a lease that runs today. */
  occupied_unit_count: number;
  created_at: string;
  updated_at: string;
}

/** The fees for late rent. */
export interface LateFeePolicy {
  /** Days after the due day on which payment is still on time. */
  grace_days: number;
  /** Charged on the day after the last day of grace. */
  first: {
    fixed_cents?: number;
    percent_of_rent?: number;
    percent_of_open?: number;
  };
  /** Charged on each day after that while rent of the charge is open. */
  daily?:
    | {
    fixed_cents?: number;
    percent_of_rent?: number;
    percent_of_open?: number;
  }
    | null;
  /** The maximum fees for one rent charge. Default: `null`. */
  cap_cents?: number | null;
  /** No fee if less than this is open. Default: `0`. */
  min_open_cents?: number;
}

/** Who made a change. */
export interface Actor {
  /**
   * A person in the dashboard, an API key (assistants use one too), an import, the clock (what happens by
   * itself), or whoever runs the installation.
   */
  type: "person" | "key" | "import" | "clock" | "operator";
  /** The key or the person; for an import, who imported. */
  id: string | null;
  /** Its name at that time. */
  name: string;
}

/** A property was changed or archived. */
export interface PropertyUpdatedEvent {
  id: string;
  event: "property.updated";
  created_at: string;
  data: {
    property: Property;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/** A unit was added to a property. */
export interface UnitCreatedEvent {
  id: string;
  event: "unit.created";
  created_at: string;
  data: {
    unit: Unit;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/** A part of a property that is rented out: a flat, a house, a shop. */
export interface Unit {
  id: string;
  property_id: string;
  name: string;
  bedrooms: number | null;
  bathrooms: number | null;
  area_sqft: number | null;
  market_rent_cents: number | null;
  /** The same amount as a decimal. */
  market_rent: string | null;
  /** The account's currency. */
  currency: string;
  /** Its id in another system of yours. */
  external_id: string | null;
  /** Not for rent at present, such as during a renovation. */
  offline: boolean;
  /** From its lease today: `notice` is occupied until the tenant leaves. */
  status: "occupied" | "notice" | "vacant" | "offline";
  created_at: string;
  updated_at: string;
  /** Only with `expand=property`: null if there is none. */
  property?: PropertySummary | null;
}

/** A property in brief. */
export interface PropertySummary {
  id: string;
  name: string;
  address: string | null;
  address_line2: string | null;
  city: string | null;
  state: string | null;
  postal_code: string | null;
  country: string | null;
  external_id: string | null;
}

/** A unit was changed, its status included (by a lease, or by a new day). */
export interface UnitUpdatedEvent {
  id: string;
  event: "unit.updated";
  created_at: string;
  data: {
    unit: Unit;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/** A tenant was added. */
export interface TenantCreatedEvent {
  id: string;
  event: "tenant.created";
  created_at: string;
  data: {
    tenant: Tenant;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/** A person who rents, with their unit and lease. */
export interface Tenant {
  id: string;
  first_name: string;
  last_name: string;
  email: string | null;
  phone: string | null;
  notes: string | null;
  /** Its id in another system of yours. */
  external_id: string | null;
  property: {
    id: string;
    name: string;
  } | null;
  unit: {
    id: string;
    name: string;
  } | null;
  /** The current lease, else the next upcoming, else the last ended. */
  lease:
    | {
    id: string;
    status: "upcoming" | "active" | "notice" | "ended";
    start_date: string;
    end_date: string | null;
    /** Rent of one month on the first day. */
    rent_cents: number;
    /** Rent of one month today. */
    current_rent_cents: number;
    currency: string;
  }
    | null;
  lease_status: "none" | "upcoming" | "active" | "notice" | "ended";
  created_at: string;
  updated_at: string;
}

/** A tenant was changed, their lease and its status included (by a lease, or by a new day). */
export interface TenantUpdatedEvent {
  id: string;
  event: "tenant.updated";
  created_at: string;
  data: {
    tenant: Tenant;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/** A lease was made. */
export interface LeaseCreatedEvent {
  id: string;
  event: "lease.created";
  created_at: string;
  data: {
    lease: Lease;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/** The agreement by which tenants rent a unit. Leases of one unit never overlap. */
export interface Lease {
  id: string;
  unit_id: string;
  property_id: string;
  tenant_ids: string[];
  start_date: string;
  /** Last day as agreed; null is month to month. */
  end_date: string | null;
  /** Rent of one month on the first day of the lease. */
  rent_cents: number;
  /** The same amount as a decimal. */
  rent: string;
  /** Rent of one month today. */
  current_rent_cents: number;
  /** The same amount as a decimal. */
  current_rent: string;
  deposit_cents: number | null;
  deposit: string | null;
  currency: string;
  /** Day of the month on which rent is due, 1 to 28. */
  due_day: number;
  notice_given_on: string | null;
  /** The day it actually ended; from that day on the unit is free. */
  ended_on: string | null;
  /** From the dates, as of today. */
  status: "upcoming" | "active" | "notice" | "ended";
  /** Other rents from later days on. A change within a month applies from the next month. */
  rent_changes: {
    from: string;
    rent_cents: number;
  }[];
  proration: "actual_days" | "thirty_days" | "none";
  ledger_from: string;
  opening_balance_cents: number;
  /** The same amount as a decimal. */
  opening_balance: string;
  /** `inherit` follows the property, then the account; `none` fines nothing. */
  late_fees: "inherit" | "none" | LateFeePolicy;
  /** Its id in another system of yours. */
  external_id: string | null;
  created_at: string;
  updated_at: string;
  /** Only with `expand=tenant`: the tenants of the lease, in its order. */
  tenants?: TenantSummary[];
  /** Only with `expand=unit`: null if there is none. */
  unit?: UnitSummary | null;
  /** Only with `expand=property`: null if there is none. */
  property?: PropertySummary | null;
}

/** A tenant in brief. */
export interface TenantSummary {
  id: string;
  name: string;
  first_name: string;
  last_name: string;
  email: string | null;
  phone: string | null;
  external_id: string | null;
}

/** A unit in brief. */
export interface UnitSummary {
  id: string;
  property_id: string;
  name: string;
}

/** A lease was changed. */
export interface LeaseUpdatedEvent {
  id: string;
  event: "lease.updated";
  created_at: string;
  data: {
    lease: Lease;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/** The day a lease ends was set (in addition to `lease.updated`, or to `lease.created`). */
export interface LeaseEndedEvent {
  id: string;
  event: "lease.ended";
  created_at: string;
  data: {
    lease: Lease;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/** The first day of a lease began. */
export interface LeaseStartedEvent {
  id: string;
  event: "lease.started";
  created_at: string;
  data: {
    lease: Lease;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/**
 * The agreed end of a lease is near (90, 60 and 30 days away, unless the account chose other days; not after
 * notice or a renewal).
 */
export interface LeaseExpiringEvent {
  id: string;
  event: "lease.expiring";
  created_at: string;
  data: {
    lease: Lease;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/** A charge was posted or added. */
export interface ChargeCreatedEvent {
  id: string;
  event: "charge.created";
  created_at: string;
  data: {
    charge: Charge;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/** Something that a lease owes. */
export interface Charge {
  id: string;
  lease_id: string;
  property_id: string;
  unit_id: string;
  kind:
    | "rent"
    | "deposit"
    | "late_fee"
    | "returned_payment"
    | "utility"
    | "parking"
    | "pet"
    | "repair"
    | "fee"
    | "other";
  /** Amount in minor units. */
  amount_cents: number;
  /** The same amount as a decimal. */
  amount: string;
  /** The lease's. */
  currency: string;
  /** It counts from this day on. */
  due_on: string;
  /** The month that a rent is for. */
  period: string | null;
  memo: string | null;
  /** Its id in another system of yours. */
  external_id: string | null;
  /** `schedule`: made from the lease or a recurring charge; `late_fee`: by a late-fee policy. */
  source: "api" | "dashboard" | "import" | "schedule" | "late_fee";
  recurring_charge_id: string | null;
  /** The rent charge that was late. */
  late_fee_for: string | null;
  voided_on: string | null;
  /**
   * What a person wrote, or why the service itself voided it: `schedule_changed`, `paid_in_time`,
   * `amount_changed`, `charge_voided`, `lease_deleted`.
   */
  void_reason: string | null;
  /**
   * As of today. Nothing is open of a charge that does not count, because it is due before the ledger begins
   * or not in the currency of the lease, so it is `paid`.
   */
  status: "upcoming" | "open" | "partial" | "paid" | "voided";
  /** What is still to be paid of it, as of today. */
  open_cents: number;
  /** The same amount as a decimal. */
  open: string;
  created_at: string;
  updated_at: string;
  /** Only with `expand=tenant`: the tenants of the lease, in its order. */
  tenants?: TenantSummary[];
  /** Only with `expand=lease`: null if there is none. */
  lease?: LeaseSummary | null;
  /** Only with `expand=unit`: null if there is none. */
  unit?: UnitSummary | null;
  /** Only with `expand=property`: null if there is none. */
  property?: PropertySummary | null;
}

/** A lease in brief. */
export interface LeaseSummary {
  id: string;
  /** From the dates, as of today. */
  status: "upcoming" | "active" | "notice" | "ended";
  start_date: string;
  end_date: string | null;
  ended_on: string | null;
  /** Rent of one month on the first day of the lease. */
  rent_cents: number;
  /** The same amount as a decimal. */
  rent: string;
  currency: string;
}

/** A charge was voided. */
export interface ChargeUpdatedEvent {
  id: string;
  event: "charge.updated";
  created_at: string;
  data: {
    charge: Charge;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/** The due day of a charge began, and some of it is open. */
export interface ChargeDueEvent {
  id: string;
  event: "charge.due";
  created_at: string;
  data: {
    charge: Charge;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/** The day after the due day of a charge began, and some of it is still open. */
export interface ChargeOverdueEvent {
  id: string;
  event: "charge.overdue";
  created_at: string;
  data: {
    charge: Charge;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/** A credit was given. */
export interface CreditCreatedEvent {
  id: string;
  event: "credit.created";
  created_at: string;
  data: {
    credit: Credit;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/** An amount that a lease no longer owes, even though nobody paid it. */
export interface Credit {
  id: string;
  lease_id: string;
  property_id: string;
  unit_id: string;
  /** Amount in minor units. */
  amount_cents: number;
  /** The same amount as a decimal. */
  amount: string;
  /** The lease's. */
  currency: string;
  credited_on: string;
  /** `deposit` applies money that is held as a deposit. */
  reason: "concession" | "write_off" | "adjustment" | "deposit";
  /** The charge that it pays first. */
  charge_id: string | null;
  memo: string | null;
  /** Its id in another system of yours. */
  external_id: string | null;
  source: "api" | "dashboard" | "import";
  voided_on: string | null;
  void_reason: string | null;
  status: "active" | "voided";
  created_at: string;
  updated_at: string;
}

/** A credit was voided. */
export interface CreditUpdatedEvent {
  id: string;
  event: "credit.updated";
  created_at: string;
  data: {
    credit: Credit;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/** A rent payment was recorded. */
export interface PaymentCreatedEvent {
  id: string;
  event: "payment.created";
  created_at: string;
  data: {
    payment: Payment;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/** A rent payment. */
export interface Payment {
  id: string;
  tenant_id: string;
  /** The lease whose rent it pays. Null while the tenant has none. */
  lease_id: string | null;
  property_id: string | null;
  unit_id: string | null;
  /** The charge that it pays first. */
  charge_id: string | null;
  /** Amount in minor units. */
  amount_cents: number;
  /** The same amount as a decimal. */
  amount: string;
  currency: string;
  paid_on: string;
  method: "cash" | "check" | "bank_transfer" | "card" | "online" | "other";
  status: "pending" | "paid" | "failed" | "returned" | "refunded" | "voided";
  /** The day on which it was returned or refunded; it counts up to the day before. */
  reversed_on: string | null;
  /** The month the rent is for. */
  period: string | null;
  reference: string | null;
  memo: string | null;
  /** Its id in another system of yours. */
  external_id: string | null;
  source: "api" | "dashboard" | "import";
  created_at: string;
  updated_at: string;
  /** Only with `expand=tenant`: null if there is none. */
  tenant?: TenantSummary | null;
  /** Only with `expand=lease`: null if there is none. */
  lease?: LeaseSummary | null;
  /** Only with `expand=unit`: null if there is none. */
  unit?: UnitSummary | null;
  /** Only with `expand=property`: null if there is none. */
  property?: PropertySummary | null;
}

/** A rent payment was changed, its status included. */
export interface PaymentUpdatedEvent {
  id: string;
  event: "payment.updated";
  created_at: string;
  data: {
    payment: Payment;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/** A maintenance request was made. */
export interface MaintenanceRequestCreatedEvent {
  id: string;
  event: "maintenance_request.created";
  created_at: string;
  data: {
    maintenance_request: MaintenanceRequest;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/** Something to repair or to do. */
export interface MaintenanceRequest {
  id: string;
  /** Counts up from 1 in the account. */
  number: number;
  property_id: string;
  unit_id: string | null;
  tenant_id: string | null;
  title: string;
  description: string | null;
  category:
    | "plumbing"
    | "electrical"
    | "hvac"
    | "appliance"
    | "structural"
    | "pest"
    | "other";
  priority: "low" | "medium" | "high" | "emergency";
  status: "open" | "scheduled" | "in_progress" | "on_hold" | "completed" | "cancelled";
  assigned_to: string | null;
  scheduled_for: string | null;
  due_on: string | null;
  cost_cents: number | null;
  /** The same amount as a decimal. */
  cost: string | null;
  /** The account's currency. */
  currency: string;
  resolution: string | null;
  completed_at: string | null;
  /** Its id in another system of yours. */
  external_id: string | null;
  source: "api" | "dashboard" | "import";
  created_at: string;
  updated_at: string;
  /** Only with `expand=tenant`: null if there is none. */
  tenant?: TenantSummary | null;
  /** Only with `expand=unit`: null if there is none. */
  unit?: UnitSummary | null;
  /** Only with `expand=property`: null if there is none. */
  property?: PropertySummary | null;
}

/** A maintenance request was changed, its status included. */
export interface MaintenanceRequestUpdatedEvent {
  id: string;
  event: "maintenance_request.updated";
  created_at: string;
  data: {
    maintenance_request: MaintenanceRequest;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/**
 * A maintenance request was completed (in addition to `maintenance_request.updated`, or to
 * `maintenance_request.created`).
 */
export interface MaintenanceRequestCompletedEvent {
  id: string;
  event: "maintenance_request.completed";
  created_at: string;
  data: {
    maintenance_request: MaintenanceRequest;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/** A photo or a document was added to a record. */
export interface FileCreatedEvent {
  id: string;
  event: "file.created";
  created_at: string;
  data: {
    file: File;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/** A photo or a document on a record. */
export interface File {
  id: string;
  /** The record that it is on. */
  record: string;
  record_type: "property" | "unit" | "tenant" | "lease" | "payment" | "maintenance_request";
  name: string;
  /** Detected from the content, whatever the name says. */
  content_type: string;
  /** In bytes, as stored. */
  size: number;
  /** For an image, in pixels. */
  width: number | null;
  /** For an image, in pixels. */
  height: number | null;
  /** Its position among the files of its record, from 1. */
  position: number;
  source: "api" | "dashboard";
  created_at: string;
  updated_at: string;
}

/** A file was renamed, or moved among the files of its record. */
export interface FileUpdatedEvent {
  id: string;
  event: "file.updated";
  created_at: string;
  data: {
    file: File;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/** A file was deleted, by itself or with its record. */
export interface FileDeletedEvent {
  id: string;
  event: "file.deleted";
  created_at: string;
  data: {
    file: File;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/** Sent by the test button to one endpoint; cannot be subscribed to. */
export interface WebhookTestEvent {
  id: string;
  event: "webhook.test";
  created_at: string;
  data: {
    webhook: StoredWebhook;
  };
  /** Who made the change. Null for events from before this was recorded. */
  actor: Actor | null;
  /** The version of the API whose record is in `data`, as in its path. */
  api_version: string;
  /** Only in test mode. Live events have no `mode`. */
  mode?: "test";
}

/** The whole record, without the secret. */
export interface StoredWebhook {
  id: string;
  url: string;
  description: string | null;
  events: (
    | "property.created"
    | "property.updated"
    | "unit.created"
    | "unit.updated"
    | "tenant.created"
    | "tenant.updated"
    | "lease.created"
    | "lease.updated"
    | "lease.ended"
    | "lease.started"
    | "lease.expiring"
    | "charge.created"
    | "charge.updated"
    | "charge.due"
    | "charge.overdue"
    | "credit.created"
    | "credit.updated"
    | "payment.created"
    | "payment.updated"
    | "maintenance_request.created"
    | "maintenance_request.updated"
    | "maintenance_request.completed"
    | "file.created"
    | "file.updated"
    | "file.deleted"
    | "*")[];
  status: "active" | "failing" | "disabled";
  source: "api" | "automation";
  last_success_at: string | null;
  last_error_at: string | null;
  /** Failed attempts since the last success. */
  failure_count: number;
  created_at: string;
  /** Why it is disabled: it answered 410, you disabled it, or it only failed for 5 days. */
  disabled_reason: "gone" | "owner" | "failures" | null;
  /** Keys whose changes are not sent to this endpoint. */
  skip_actors: string[];
  updated_at: string;
}

/** Something that happened, exactly as it is sent to webhook endpoints. */
export type Event =
  | PropertyCreatedEvent
  | PropertyUpdatedEvent
  | UnitCreatedEvent
  | UnitUpdatedEvent
  | TenantCreatedEvent
  | TenantUpdatedEvent
  | LeaseCreatedEvent
  | LeaseUpdatedEvent
  | LeaseEndedEvent
  | LeaseStartedEvent
  | LeaseExpiringEvent
  | ChargeCreatedEvent
  | ChargeUpdatedEvent
  | ChargeDueEvent
  | ChargeOverdueEvent
  | CreditCreatedEvent
  | CreditUpdatedEvent
  | PaymentCreatedEvent
  | PaymentUpdatedEvent
  | MaintenanceRequestCreatedEvent
  | MaintenanceRequestUpdatedEvent
  | MaintenanceRequestCompletedEvent
  | FileCreatedEvent
  | FileUpdatedEvent
  | FileDeletedEvent
  | WebhookTestEvent;

export interface PropertyList {
  data: Property[];
  /** Number of records in `data`. */
  count: number;
}

export interface PropertyCreate {
  name: string;
  /** Default: `other`. */
  type?:
    | "single_family"
    | "multi_family"
    | "condo"
    | "townhouse"
    | "commercial"
    | "other";
  address?: string | null;
  address_line2?: string | null;
  city?: string | null;
  state?: string | null;
  postal_code?: string | null;
  country?: string | null;
  year_built?: number | null;
  notes?: string | null;
  /** Its id in another system of yours, unique among records of this kind. */
  external_id?: string | null;
  /** `inherit` follows the property, then the account; `none` fines nothing. */
  late_fees?: "inherit" | "none" | LateFeePolicy;
  /** Default: `active`. */
  status?: "active" | "archived";
  /** Units to add at once: all are created, or nothing is. */
  units?: ({
    /** Unique in its property. */
    name: string;
    bedrooms?: number | null;
    bathrooms?: number | null;
    area_sqft?: number | null;
    market_rent_cents?: number | null;
    /** Its id in another system of yours, unique among records of this kind. */
    external_id?: string | null;
    /** Default: `false`. */
    offline?: boolean;
  })[];
}

export interface PropertyPatch {
  name?: string;
  type?:
    | "single_family"
    | "multi_family"
    | "condo"
    | "townhouse"
    | "commercial"
    | "other";
  address?: string | null;
  address_line2?: string | null;
  city?: string | null;
  state?: string | null;
  postal_code?: string | null;
  country?: string | null;
  year_built?: number | null;
  notes?: string | null;
  /** Its id in another system of yours, unique among records of this kind. */
  external_id?: string | null;
  /** `inherit` follows the property, then the account; `none` fines nothing. */
  late_fees?: "inherit" | "none" | LateFeePolicy;
  status?: "active" | "archived";
}

export interface DeletedProperty {
  id: string;
  deleted: true;
}

export interface UnitList {
  data: Unit[];
  /** Number of records in `data`. */
  count: number;
}

export interface UnitCreate {
  property_id: string;
  /** Unique in its property. */
  name: string;
  bedrooms?: number | null;
  bathrooms?: number | null;
  area_sqft?: number | null;
  market_rent_cents?: number | null;
  /** Its id in another system of yours, unique among records of this kind. */
  external_id?: string | null;
  /** Default: `false`. */
  offline?: boolean;
}

export interface UnitPatch {
  /** Unique in its property. */
  name?: string;
  bedrooms?: number | null;
  bathrooms?: number | null;
  area_sqft?: number | null;
  market_rent_cents?: number | null;
  /** Its id in another system of yours, unique among records of this kind. */
  external_id?: string | null;
  offline?: boolean;
}

export interface DeletedUnit {
  id: string;
  deleted: true;
}

export interface TenantList {
  data: Tenant[];
  /** Number of records in `data`. */
  count: number;
}

export interface TenantPatch {
  first_name?: string;
  last_name?: string;
  email?: string | null;
  phone?: string | null;
  notes?: string | null;
  /** Its id in another system of yours, unique among records of this kind. */
  external_id?: string | null;
}

export interface TenantCreate {
  first_name: string;
  last_name: string;
  email?: string | null;
  phone?: string | null;
  notes?: string | null;
  /** Its id in another system of yours, unique among records of this kind. */
  external_id?: string | null;
  /** Their lease, made at once: both are added, or neither is. A key with scopes needs that of leases too. */
  lease?: {
    unit_id: string;
    start_date: string;
    rent_cents: number;
    /** Default: the account's. */
    currency?: string;
    /** Default: `1`. */
    due_day?: number;
    /**
     * Rents that apply from later days on (`from`, YYYY-MM-DD); `rent_cents` stays the rent of the first
     * day.
     */
    rent_changes?: {
      from: string;
      rent_cents: number;
    }[];
    /**
     * How a part of the first or last month is charged: by days of that month, by days of a month of thirty,
     * or the whole rent. Default: `actual_days`.
     */
    proration?: "actual_days" | "thirty_days" | "none";
    /**
     * The ledger begins on this day; what is due or dated before does not count. Default: the later of
     * `start_date` and the first of the month in which the lease is recorded.
     */
    ledger_from?: string;
    /** What was owed when the ledger began, in minor units; negative is a credit. Default: `0`. */
    opening_balance_cents?: number;
    /** `inherit` follows the property, then the account; `none` fines nothing. */
    late_fees?: "inherit" | "none" | LateFeePolicy;
    /** Last day; null is month to month. */
    end_date?: string | null;
    deposit_cents?: number | null;
    notice_given_on?: string | null;
    /** Ends the lease on this day, early or late. */
    ended_on?: string | null;
    /** Its id in another system of yours, unique among records of this kind. */
    external_id?: string | null;
  };
}

export interface DeletedTenant {
  id: string;
  deleted: true;
}

/** Everything kept about a tenant. */
export interface TenantExport {
  /** The tenant. */
  tenants: Tenant[];
  leases: Lease[];
  payments: Payment[];
  /** Those of their leases, like the credits and so on. */
  charges: Charge[];
  credits: Credit[];
  recurring_charges: RecurringCharge[];
  deposit_refunds: DepositRefund[];
  maintenance_requests: MaintenanceRequest[];
  /** Their files; the archive also has the content. */
  files: File[];
  history: ExportedHistoryEntry[];
  /** Events about them, as far as they are kept. */
  events: Event[];
  /** What webhook endpoints answered to those events, as far as it is kept. */
  deliveries: Record<string, unknown>[];
  /**
   * Kinds of which only the newest are here: at most 1,000 of each, and 8 MB in all. The archive
   * (`application/zip`) has all.
   */
  incomplete: (
    | "tenants"
    | "leases"
    | "payments"
    | "charges"
    | "credits"
    | "recurring_charges"
    | "deposit_refunds"
    | "maintenance_requests"
    | "files"
    | "history"
    | "events"
    | "deliveries")[];
}

/** A charge that falls due repeatedly while the lease runs. Rent comes from the lease itself. */
export interface RecurringCharge {
  id: string;
  lease_id: string;
  property_id: string;
  unit_id: string;
  kind:
    | "deposit"
    | "late_fee"
    | "returned_payment"
    | "utility"
    | "parking"
    | "pet"
    | "repair"
    | "fee"
    | "other";
  /** Amount from the first day on. */
  amount_cents: number;
  /** The same amount as a decimal. */
  amount: string;
  currency: string;
  every: "week" | "two_weeks" | "month" | "quarter" | "year";
  /** The first due day, from which the others are counted. */
  starts_on: string;
  /** The last day on which one may be due. */
  ends_on: string | null;
  /** Other amounts, from later days on. */
  amount_changes: {
    from: string;
    amount_cents: number;
  }[];
  memo: string | null;
  /** Its id in another system of yours. */
  external_id: string | null;
  source: "api" | "dashboard" | "import";
  /** When the next one is due, today or later; null if there is none. */
  next_due_on: string | null;
  created_at: string;
  updated_at: string;
}

/** Deposit money that was refunded. */
export interface DepositRefund {
  id: string;
  lease_id: string;
  amount_cents: number;
  /** The same amount as a decimal. */
  amount: string;
  currency: string;
  refunded_on: string;
  memo: string | null;
  source: "api" | "dashboard" | "import";
  voided_on: string | null;
  void_reason: string | null;
  created_at: string;
  updated_at: string;
}

export interface ExportedHistoryEntry {
  id: string;
  action: "created" | "updated" | "deleted" | "erased" | "started" | "expiring" | "noted";
  actor: Actor;
  /** The changed fields. Null for a new record, and for actions that change no field. */
  changes: ChangedField[] | null;
  /** The text of a note. */
  note: string | null;
  created_at: string;
  /** The record it is about: its id without the prefix. */
  record_id: string;
}

/** A field before and after the change. For a secret, both are null. */
export interface ChangedField {
  field: string;
  from: unknown;
  to: unknown;
}

export interface LeaseList {
  data: Lease[];
  /** Number of records in `data`. */
  count: number;
}

export interface LeaseCreate {
  unit_id: string;
  tenant_ids: string[];
  start_date: string;
  rent_cents: number;
  /** Default: the account's. */
  currency?: string;
  /** Default: `1`. */
  due_day?: number;
  /** Rents that apply from later days on (`from`, YYYY-MM-DD); `rent_cents` stays the rent of the first day. */
  rent_changes?: {
    from: string;
    rent_cents: number;
  }[];
  /**
   * How a part of the first or last month is charged: by days of that month, by days of a month of thirty,
   * or the whole rent. Default: `actual_days`.
   */
  proration?: "actual_days" | "thirty_days" | "none";
  /**
   * The ledger begins on this day; what is due or dated before does not count. Default: the later of
   * `start_date` and the first of the month in which the lease is recorded.
   */
  ledger_from?: string;
  /** What was owed when the ledger began, in minor units; negative is a credit. Default: `0`. */
  opening_balance_cents?: number;
  /** `inherit` follows the property, then the account; `none` fines nothing. */
  late_fees?: "inherit" | "none" | LateFeePolicy;
  /** Last day; null is month to month. */
  end_date?: string | null;
  deposit_cents?: number | null;
  notice_given_on?: string | null;
  /** Ends the lease on this day, early or late. */
  ended_on?: string | null;
  /** Its id in another system of yours, unique among records of this kind. */
  external_id?: string | null;
}

export interface LeasePatch {
  tenant_ids?: string[];
  start_date?: string;
  /**
   * Rent of one month from the first day on, in minor units: past charges are replaced. For a raise, use
   * `rent_changes` or renew the lease.
   */
  rent_cents?: number;
  currency?: string;
  due_day?: number;
  /** Rents that apply from later days on (`from`, YYYY-MM-DD); `rent_cents` stays the rent of the first day. */
  rent_changes?: {
    from: string;
    rent_cents: number;
  }[];
  /**
   * How a part of the first or last month is charged: by days of that month, by days of a month of thirty,
   * or the whole rent.
   */
  proration?: "actual_days" | "thirty_days" | "none";
  /**
   * The ledger begins on this day; what is due or dated before does not count. Default: the later of
   * `start_date` and the first of the month in which the lease is recorded.
   */
  ledger_from?: string;
  /** What was owed when the ledger began, in minor units; negative is a credit. */
  opening_balance_cents?: number;
  /** `inherit` follows the property, then the account; `none` fines nothing. */
  late_fees?: "inherit" | "none" | LateFeePolicy;
  /** Last day; null is month to month. */
  end_date?: string | null;
  deposit_cents?: number | null;
  notice_given_on?: string | null;
  /** Ends the lease on this day, early or late. */
  ended_on?: string | null;
  /** Its id in another system of yours, unique among records of this kind. */
  external_id?: string | null;
}

export interface DeletedLease {
  id: string;
  deleted: true;
}

export interface LeaseRenew {
  /** The new last day; null is month to month. */
  end_date: string | null;
  /** The rent of one month from `from` on, in minor units. Default: unchanged. */
  rent_cents?: number;
  /** The first day of the new rent. Default: the day after the old end, or the first of the next month. */
  from?: string;
}

/** The effect of a change of a lease on its ledger. */
export interface LeaseChangePreview {
  lease_id: string;
  currency: string;
  /** Charges that would be added. */
  charges: ({
    kind:
      | "rent"
      | "deposit"
      | "late_fee"
      | "returned_payment"
      | "utility"
      | "parking"
      | "pet"
      | "repair"
      | "fee"
      | "other";
    period: string | null;
    due_on: string;
    amount_cents: number;
    /** The same amount as a decimal. */
    amount: string;
  })[];
  /** Charges that would no longer fit, and would be voided; late fees with their rent. */
  voids: ({
    id: string;
    kind:
      | "rent"
      | "deposit"
      | "late_fee"
      | "returned_payment"
      | "utility"
      | "parking"
      | "pet"
      | "repair"
      | "fee"
      | "other";
    period: string | null;
    due_on: string;
    amount_cents: number;
    /** The same amount as a decimal. */
    amount: string;
  })[];
  /** What is owed today; negative is a credit. */
  balance_cents: number;
  /** The same amount as a decimal. */
  balance: string;
  /**
   * How many charges fall due after today, up to the last day, with the change or without it. An opening
   * balance of a day to come is one of them.
   */
  unchanged_count: number;
  /** Their sum. */
  unchanged_cents: number;
  /** The same amount as a decimal. */
  unchanged: string;
  /** Payments and credits dated after today, up to the last day, less those that are returned by then. */
  later_payments_cents: number;
  /** The same amount as a decimal. */
  later_payments: string;
  /**
   * What would be owed on the last day, if nothing more were paid, without late fees of days to come;
   * negative is a credit.
   */
  final_balance_cents: number;
  /** The same amount as a decimal. */
  final_balance: string;
  deposit_held_cents: number;
  /** The same amount as a decimal. */
  deposit_held: string;
}

export interface PaymentList {
  data: Payment[];
  /** Number of records in `data`. */
  count: number;
}

export interface PaymentCreate {
  tenant_id: string;
  /**
   * One of the tenant's leases. Default: the one that runs or ends on `paid_on`, else the next one, else the
   * last ended one.
   */
  lease_id?: string | null;
  /** A charge that it pays first. The lease is that of the charge. */
  charge_id?: string | null;
  /** Amount in minor units: 125000 is 1250.00. */
  amount_cents: number;
  /** Default: the lease's currency, else the account's. */
  currency?: string;
  /** Default: today. */
  paid_on?: string;
  /** Default: `other`. */
  method?: "cash" | "check" | "bank_transfer" | "card" | "online" | "other";
  /** Default: `paid`. */
  status?: "pending" | "paid" | "failed" | "returned" | "refunded" | "voided";
  /**
   * The day on which it was returned or refunded, not before `paid_on`; only with these statuses. Default:
   * today.
   */
  reversed_on?: string | null;
  /**
   * Only when it becomes returned or refunded: a fee that the lease is charged, due on `reversed_on`, in
   * minor units.
   */
  fee_cents?: number | null;
  /** The month the rent is for. */
  period?: string | null;
  reference?: string | null;
  memo?: string | null;
  /** Its id in another system of yours, unique among records of this kind. */
  external_id?: string | null;
}

export interface PaymentPatch {
  /**
   * One of the tenant's leases. Default: the one that runs or ends on `paid_on`, else the next one, else the
   * last ended one.
   */
  lease_id?: string | null;
  /** A charge that it pays first. The lease is that of the charge. */
  charge_id?: string | null;
  amount_cents?: number;
  currency?: string;
  paid_on?: string;
  method?: "cash" | "check" | "bank_transfer" | "card" | "online" | "other";
  status?: "pending" | "paid" | "failed" | "returned" | "refunded" | "voided";
  /**
   * The day on which it was returned or refunded, not before `paid_on`; only with these statuses. Default:
   * today.
   */
  reversed_on?: string | null;
  /**
   * Only when it becomes returned or refunded: a fee that the lease is charged, due on `reversed_on`, in
   * minor units.
   */
  fee_cents?: number | null;
  period?: string | null;
  reference?: string | null;
  memo?: string | null;
  /** Its id in another system of yours, unique among records of this kind. */
  external_id?: string | null;
}

export interface ChargeList {
  data: Charge[];
  /** Number of records in `data`. */
  count: number;
}

export interface ChargeCreate {
  lease_id: string;
  kind:
    | "rent"
    | "deposit"
    | "late_fee"
    | "returned_payment"
    | "utility"
    | "parking"
    | "pet"
    | "repair"
    | "fee"
    | "other";
  /** Amount in minor units: 125000 is 1250.00. */
  amount_cents: number;
  due_on: string;
  /** The month that a rent is for: one charge for each. */
  period?: string | null;
  memo?: string | null;
  /** Its id in another system of yours, unique among records of this kind. */
  external_id?: string | null;
}

export interface Void {
  reason: string;
}

export interface CreditList {
  data: Credit[];
  /** Number of records in `data`. */
  count: number;
}

export interface CreditCreate {
  lease_id: string;
  /** Amount in minor units: 5000 is 50.00. */
  amount_cents: number;
  /** Default: today. */
  credited_on?: string;
  reason: "concession" | "write_off" | "adjustment" | "deposit";
  /** The charge that it pays first. */
  charge_id?: string | null;
  memo?: string | null;
  /** Its id in another system of yours, unique among records of this kind. */
  external_id?: string | null;
}

export interface RecurringChargeList {
  data: RecurringCharge[];
  /** Number of records in `data`. */
  count: number;
}

export interface RecurringChargeCreate {
  lease_id: string;
  /** Rent is not one: it comes from the lease. */
  kind:
    | "deposit"
    | "late_fee"
    | "returned_payment"
    | "utility"
    | "parking"
    | "pet"
    | "repair"
    | "fee"
    | "other";
  /** Amount of each in minor units: 5000 is 50.00. */
  amount_cents: number;
  /** Default: `month`. */
  every?: "week" | "two_weeks" | "month" | "quarter" | "year";
  starts_on: string;
  ends_on?: string | null;
  memo?: string | null;
  /** Its id in another system of yours, unique among records of this kind. */
  external_id?: string | null;
}

export interface RecurringChargePatch {
  /** The amount from `from` on, in minor units. */
  amount_cents?: number;
  /** With `amount_cents`: the first due day it applies to. Default: the next one that is not posted yet. */
  from?: string;
  /** Ends it after this day; null lets it continue. */
  ends_on?: string | null;
  memo?: string | null;
  /** Its id in another system of yours, unique among records of this kind. */
  external_id?: string | null;
}

/** A late fee that would be charged. */
export interface LateFeePreview {
  lease_id: string;
  /** The rent charge that is late. */
  late_fee_for: string;
  due_on: string;
  amount_cents: number;
  /** The same amount as a decimal. */
  amount: string;
  currency: string;
}

export interface LateFeePreviewList {
  data: LateFeePreview[];
  /** Number of records in `data`. */
  count: number;
}

export interface DepositRefundCreate {
  /** Amount in minor units. */
  amount_cents: number;
  /** Default: today. */
  refunded_on?: string;
  memo?: string | null;
}

/** What a lease owes on a day. */
export interface Balance {
  lease_id: string;
  /** With its status on that day. */
  lease: {
    id: string;
    status: "upcoming" | "active" | "notice" | "ended";
    start_date: string;
    end_date: string | null;
  };
  /** The tenants of the lease, in its order. */
  tenants: {
    id: string;
    name: string;
  }[];
  property: {
    id: string;
    name: string;
  };
  unit: {
    id: string;
    name: string;
  };
  /** The lease's. */
  currency: string;
  /** What was owed, less credit. Negative: the tenant had a credit. */
  balance_cents: number;
  /** The same amount as a decimal. */
  balance: string;
  /** All that was open: the sum of the four ages. */
  owed_cents: number;
  /** The same amount as a decimal. */
  owed: string;
  /** The part of it that was due before that day. */
  overdue_cents: number;
  /** The same amount as a decimal. */
  overdue: string;
  /** Paid or credited, and not used for any charge yet. */
  credit_cents: number;
  /** The same amount as a decimal. */
  credit: string;
  /** Due that day, or up to 30 days before. */
  days_0_30_cents: number;
  /** The same amount as a decimal. */
  days_0_30: string;
  /** Due 31 to 60 days before. */
  days_31_60_cents: number;
  /** The same amount as a decimal. */
  days_31_60: string;
  /** Due 61 to 90 days before. */
  days_61_90_cents: number;
  /** The same amount as a decimal. */
  days_61_90: string;
  /** Due 91 days before, or earlier. */
  days_91_cents: number;
  /** The same amount as a decimal. */
  days_91: string;
  /** Paid on deposit charges, less what was applied or refunded. */
  deposit_held_cents: number;
  /** The same amount as a decimal. */
  deposit_held: string;
  /** When the oldest open charge fell due; null if nothing was owed. */
  oldest_due_on: string | null;
  /** Days since `oldest_due_on`; 0 if nothing was late. */
  days_late: number;
  /** Payments that are still `pending`: they do not count yet. */
  pending_cents: number;
  /** The same amount as a decimal. */
  pending: string;
}

export interface BalanceList {
  data: Balance[];
  /** Number of records in `data`. */
  count: number;
}

/** The account of a lease: every entry, and who paid what. */
export interface Ledger {
  /** With its status on that day. */
  lease: {
    id: string;
    status: "upcoming" | "active" | "notice" | "ended";
    start_date: string;
    end_date: string | null;
  };
  /** The tenants of the lease, in its order. */
  tenants: {
    id: string;
    name: string;
  }[];
  property: {
    id: string;
    name: string;
  };
  unit: {
    id: string;
    name: string;
  };
  /** The lease's. */
  currency: string;
  from: string;
  to: string;
  /** At the end of the day before `from`. */
  opening_balance_cents: number;
  /** The same amount as a decimal. */
  opening_balance: string;
  /** By day; charges before payments. */
  entries: ({
    /** It counts from this day on. */
    date: string;
    type:
      | "opening_balance"
      | "charge"
      | "payment"
      | "return"
      | "credit"
      | "deposit_refund";
    /** The id of the charge, payment, credit or refund, or of the lease for its opening balance. */
    id: string;
    description: string;
    /** Its amount in minor units. */
    amount_cents: number;
    /** The same amount as a decimal. */
    amount: string;
    /** What it adds to the balance; 0 if it was voided. */
    increase_cents: number;
    /** The same amount as a decimal. */
    increase: string;
    /** What it takes off the balance; 0 if it was voided. */
    decrease_cents: number;
    /** The same amount as a decimal. */
    decrease: string;
    /** After this entry. Negative: the tenant has a credit. */
    balance_cents: number;
    /** The same amount as a decimal. */
    balance: string;
    /**
     * At the end of `to`. Of a charge: `open`, `partial` or `paid`. Of a payment or credit: `unapplied`,
     * `partial` or `applied`, or how it ended. Null for a refund of a deposit.
     */
    status:
      | "open"
      | "partial"
      | "paid"
      | "unapplied"
      | "applied"
      | "returned"
      | "refunded"
      | "failed"
      | "voided"
      | null;
    /** At the end of `to`: what was still to be paid of a charge, or left of a payment or credit. */
    open_cents: number;
    /** The same amount as a decimal. */
    open: string;
    /** What a payment or credit paid, at the end of `to`. */
    pays: ({
      /** It counts from this day on. */
      date: string;
      type:
        | "opening_balance"
        | "charge"
        | "payment"
        | "return"
        | "credit"
        | "deposit_refund";
      /** The id of the charge, payment, credit or refund, or of the lease for its opening balance. */
      id: string;
      description: string;
      /** How much of it. */
      amount_cents: number;
      /** The same amount as a decimal. */
      amount: string;
    })[];
    /** What paid a charge, at the end of `to`. */
    paid_by: ({
      /** It counts from this day on. */
      date: string;
      type:
        | "opening_balance"
        | "charge"
        | "payment"
        | "return"
        | "credit"
        | "deposit_refund";
      /** The id of the charge, payment, credit or refund, or of the lease for its opening balance. */
      id: string;
      description: string;
      /** How much of it. */
      amount_cents: number;
      /** The same amount as a decimal. */
      amount: string;
    })[];
    voided_on: string | null;
    void_reason: string | null;
  })[];
  /** At the end of `to`. Negative: the tenant has a credit. */
  closing_balance_cents: number;
  /** The same amount as a decimal. */
  closing_balance: string;
  /** Everything open at the end of `to`. */
  open_cents: number;
  /** The same amount as a decimal. */
  open: string;
  /** The part of it that was due before `to`. */
  overdue_cents: number;
  /** The same amount as a decimal. */
  overdue: string;
  /** Paid or credited, and not used for any charge yet. */
  credit_cents: number;
  /** The same amount as a decimal. */
  credit: string;
  /** Paid on deposit charges, less what was applied or refunded. */
  deposit_held_cents: number;
  /** The same amount as a decimal. */
  deposit_held: string;
  /** Payments that are `pending`, up to `to` if that is past: they do not count yet. */
  pending: ({
    /** It counts from this day on. */
    date: string;
    type:
      | "opening_balance"
      | "charge"
      | "payment"
      | "return"
      | "credit"
      | "deposit_refund";
    /** The id of the charge, payment, credit or refund, or of the lease for its opening balance. */
    id: string;
    description: string;
    /** Its amount in minor units. */
    amount_cents: number;
    /** The same amount as a decimal. */
    amount: string;
  })[];
  /**
   * By day: charges that are not due yet, and payments, credits, returns and refunds of a deposit dated
   * after today and `to`. They do not count yet.
   */
  upcoming: ({
    /** It counts from this day on. */
    date: string;
    type:
      | "opening_balance"
      | "charge"
      | "payment"
      | "return"
      | "credit"
      | "deposit_refund";
    /** The id of the charge, payment, credit or refund, or of the lease for its opening balance. */
    id: string;
    description: string;
    /** Its amount in minor units. */
    amount_cents: number;
    /** The same amount as a decimal. */
    amount: string;
  })[];
  /** The day on which the ledger of the lease begins. */
  ledger_from: string;
  /** Entries of the lease that do not count. */
  not_counted: ({
    /** It counts from this day on. */
    date: string;
    type:
      | "opening_balance"
      | "charge"
      | "payment"
      | "return"
      | "credit"
      | "deposit_refund";
    /** The id of the charge, payment, credit or refund, or of the lease for its opening balance. */
    id: string;
    description: string;
    /** Its amount in minor units. */
    amount_cents: number;
    /** The same amount as a decimal. */
    amount: string;
    currency: string;
    /** It is not in the currency of the lease, or dated before the ledger begins. */
    reason: "other_currency" | "before_ledger";
  })[];
}

/** The account of a lease, for its tenants. */
export interface Statement {
  account: {
    name: string;
  };
  issued_on: string;
  /** With its status on that day. */
  lease: {
    id: string;
    status: "upcoming" | "active" | "notice" | "ended";
    start_date: string;
    end_date: string | null;
  };
  /** The tenants of the lease, in its order. */
  tenants: {
    id: string;
    name: string;
  }[];
  property: {
    id: string;
    name: string;
    /** The address of the unit, line by line. */
    address: string[];
  };
  unit: {
    id: string;
    name: string;
  };
  /** The lease's. */
  currency: string;
  from: string;
  to: string;
  /** At the end of the day before `from`. */
  opening_balance_cents: number;
  /** The same amount as a decimal. */
  opening_balance: string;
  /** By day; charges before payments. */
  entries: ({
    /** It counts from this day on. */
    date: string;
    type:
      | "opening_balance"
      | "charge"
      | "payment"
      | "return"
      | "credit"
      | "deposit_refund";
    /** The id of the charge, payment, credit or refund, or of the lease for its opening balance. */
    id: string;
    description: string;
    /** Its amount in minor units. */
    amount_cents: number;
    /** The same amount as a decimal. */
    amount: string;
    /** What it adds to the balance; 0 if it was voided. */
    increase_cents: number;
    /** The same amount as a decimal. */
    increase: string;
    /** What it takes off the balance; 0 if it was voided. */
    decrease_cents: number;
    /** The same amount as a decimal. */
    decrease: string;
    /** After this entry. Negative: the tenant has a credit. */
    balance_cents: number;
    /** The same amount as a decimal. */
    balance: string;
    /**
     * At the end of `to`. Of a charge: `open`, `partial` or `paid`. Of a payment or credit: `unapplied`,
     * `partial` or `applied`, or how it ended. Null for a refund of a deposit.
     */
    status:
      | "open"
      | "partial"
      | "paid"
      | "unapplied"
      | "applied"
      | "returned"
      | "refunded"
      | "failed"
      | "voided"
      | null;
    /** At the end of `to`: what was still to be paid of a charge, or left of a payment or credit. */
    open_cents: number;
    /** The same amount as a decimal. */
    open: string;
    /** What a payment or credit paid, at the end of `to`. */
    pays: ({
      /** It counts from this day on. */
      date: string;
      type:
        | "opening_balance"
        | "charge"
        | "payment"
        | "return"
        | "credit"
        | "deposit_refund";
      /** The id of the charge, payment, credit or refund, or of the lease for its opening balance. */
      id: string;
      description: string;
      /** How much of it. */
      amount_cents: number;
      /** The same amount as a decimal. */
      amount: string;
    })[];
    /** What paid a charge, at the end of `to`. */
    paid_by: ({
      /** It counts from this day on. */
      date: string;
      type:
        | "opening_balance"
        | "charge"
        | "payment"
        | "return"
        | "credit"
        | "deposit_refund";
      /** The id of the charge, payment, credit or refund, or of the lease for its opening balance. */
      id: string;
      description: string;
      /** How much of it. */
      amount_cents: number;
      /** The same amount as a decimal. */
      amount: string;
    })[];
    voided_on: string | null;
    void_reason: string | null;
  })[];
  /** At the end of `to`. Negative: the tenant has a credit. */
  closing_balance_cents: number;
  /** The same amount as a decimal. */
  closing_balance: string;
  /** Everything open at the end of `to`. */
  open_cents: number;
  /** The same amount as a decimal. */
  open: string;
  /** The part of it that was due before `to`. */
  overdue_cents: number;
  /** The same amount as a decimal. */
  overdue: string;
  /** Paid or credited, and not used for any charge yet. */
  credit_cents: number;
  /** The same amount as a decimal. */
  credit: string;
  /** Paid on deposit charges, less what was applied or refunded. */
  deposit_held_cents: number;
  /** The same amount as a decimal. */
  deposit_held: string;
  /** Payments that are `pending`, up to `to` if that is past: they do not count yet. */
  pending: ({
    /** It counts from this day on. */
    date: string;
    type:
      | "opening_balance"
      | "charge"
      | "payment"
      | "return"
      | "credit"
      | "deposit_refund";
    /** The id of the charge, payment, credit or refund, or of the lease for its opening balance. */
    id: string;
    description: string;
    /** Its amount in minor units. */
    amount_cents: number;
    /** The same amount as a decimal. */
    amount: string;
  })[];
  /**
   * By day: charges that are not due yet, and payments, credits, returns and refunds of a deposit dated
   * after today and `to`. They do not count yet.
   */
  upcoming: ({
    /** It counts from this day on. */
    date: string;
    type:
      | "opening_balance"
      | "charge"
      | "payment"
      | "return"
      | "credit"
      | "deposit_refund";
    /** The id of the charge, payment, credit or refund, or of the lease for its opening balance. */
    id: string;
    description: string;
    /** Its amount in minor units. */
    amount_cents: number;
    /** The same amount as a decimal. */
    amount: string;
  })[];
  /** The charges that are open at the end of `to`, oldest first. */
  due: ({
    /** It counts from this day on. */
    date: string;
    type:
      | "opening_balance"
      | "charge"
      | "payment"
      | "return"
      | "credit"
      | "deposit_refund";
    /** The id of the charge, payment, credit or refund, or of the lease for its opening balance. */
    id: string;
    description: string;
    /** Its amount in minor units. */
    amount_cents: number;
    /** The same amount as a decimal. */
    amount: string;
    /** What is still to be paid of it. */
    open_cents: number;
    /** The same amount as a decimal. */
    open: string;
  })[];
}

export interface MaintenanceRequestList {
  data: MaintenanceRequest[];
  /** Number of records in `data`. */
  count: number;
}

export interface MaintenanceRequestCreate {
  property_id: string;
  title: string;
  /** A unit of that property. */
  unit_id?: string | null;
  /** Who asked for it. */
  tenant_id?: string | null;
  description?: string | null;
  assigned_to?: string | null;
  scheduled_for?: string | null;
  due_on?: string | null;
  cost_cents?: number | null;
  resolution?: string | null;
  /** Its id in another system of yours, unique among records of this kind. */
  external_id?: string | null;
  /** Default: `other`. */
  category?:
    | "plumbing"
    | "electrical"
    | "hvac"
    | "appliance"
    | "structural"
    | "pest"
    | "other";
  /** Default: `medium`. */
  priority?: "low" | "medium" | "high" | "emergency";
  /** Default: `open`. */
  status?: "open" | "scheduled" | "in_progress" | "on_hold" | "completed" | "cancelled";
}

export interface MaintenanceRequestPatch {
  property_id?: string;
  title?: string;
  /** A unit of that property. */
  unit_id?: string | null;
  /** Who asked for it. */
  tenant_id?: string | null;
  description?: string | null;
  assigned_to?: string | null;
  scheduled_for?: string | null;
  due_on?: string | null;
  cost_cents?: number | null;
  resolution?: string | null;
  /** Its id in another system of yours, unique among records of this kind. */
  external_id?: string | null;
  category?:
    | "plumbing"
    | "electrical"
    | "hvac"
    | "appliance"
    | "structural"
    | "pest"
    | "other";
  priority?: "low" | "medium" | "high" | "emergency";
  status?: "open" | "scheduled" | "in_progress" | "on_hold" | "completed" | "cancelled";
}

export interface UnitBatchResult {
  /** How many items were created. */
  created: number;
  /** How many were not. */
  failed: number;
  /** One for each item, in order. */
  results: (CreatedUnit | FailedItem)[];
}

/** An item of a batch that was created. */
export interface CreatedUnit {
  /** Its position in `items`, counted from 0. */
  index: number;
  status: 201;
  data: Unit;
}

export interface UnitBatch {
  /** Each is the body of a POST that creates one. */
  items: UnitCreate[];
  /** All or nothing: if one item fails, none is created and the answer is 422. Default: `false`. */
  atomic?: boolean;
}

export interface TenantBatchResult {
  /** How many items were created. */
  created: number;
  /** How many were not. */
  failed: number;
  /** One for each item, in order. */
  results: (CreatedTenant | FailedItem)[];
}

/** An item of a batch that was created. */
export interface CreatedTenant {
  /** Its position in `items`, counted from 0. */
  index: number;
  status: 201;
  data: Tenant;
}

export interface TenantBatch {
  /** Each is the body of a POST that creates one. */
  items: TenantCreate[];
  /** All or nothing: if one item fails, none is created and the answer is 422. Default: `false`. */
  atomic?: boolean;
}

export interface LeaseBatchResult {
  /** How many items were created. */
  created: number;
  /** How many were not. */
  failed: number;
  /** One for each item, in order. */
  results: (CreatedLease | FailedItem)[];
}

/** An item of a batch that was created. */
export interface CreatedLease {
  /** Its position in `items`, counted from 0. */
  index: number;
  status: 201;
  data: Lease;
}

export interface LeaseBatch {
  /** Each is the body of a POST that creates one. */
  items: LeaseCreate[];
  /** All or nothing: if one item fails, none is created and the answer is 422. Default: `false`. */
  atomic?: boolean;
}

export interface PaymentBatchResult {
  /** How many items were created. */
  created: number;
  /** How many were not. */
  failed: number;
  /** One for each item, in order. */
  results: (CreatedPayment | FailedItem)[];
}

/** An item of a batch that was created. */
export interface CreatedPayment {
  /** Its position in `items`, counted from 0. */
  index: number;
  status: 201;
  data: Payment;
}

export interface PaymentBatch {
  /** Each is the body of a POST that creates one. */
  items: PaymentCreate[];
  /** All or nothing: if one item fails, none is created and the answer is 422. Default: `false`. */
  atomic?: boolean;
}

export interface ChargeBatchResult {
  /** How many items were created. */
  created: number;
  /** How many were not. */
  failed: number;
  /** One for each item, in order. */
  results: (CreatedCharge | FailedItem)[];
}

/** An item of a batch that was created. */
export interface CreatedCharge {
  /** Its position in `items`, counted from 0. */
  index: number;
  status: 201;
  data: Charge;
}

export interface ChargeBatch {
  /** Each is the body of a POST that creates one. */
  items: ChargeCreate[];
  /** All or nothing: if one item fails, none is created and the answer is 422. Default: `false`. */
  atomic?: boolean;
}

export interface FileList {
  data: File[];
  /** Number of records in `data`. */
  count: number;
}

/** A short-lived address of a file. */
export interface FileLink {
  /** Opens the content without a key, for whoever has it. */
  url: string;
  expires_at: string;
}

export interface FilePatch {
  name?: string;
  /** Its new position; the files after it move on. */
  position?: number;
}

export interface DeletedFile {
  id: string;
  deleted: true;
}

export interface PropertyPut {
  name: string;
  type?:
    | "single_family"
    | "multi_family"
    | "condo"
    | "townhouse"
    | "commercial"
    | "other";
  address?: string | null;
  address_line2?: string | null;
  city?: string | null;
  state?: string | null;
  postal_code?: string | null;
  country?: string | null;
  year_built?: number | null;
  notes?: string | null;
  /** `inherit` follows the property, then the account; `none` fines nothing. */
  late_fees?: "inherit" | "none" | LateFeePolicy;
  status?: "active" | "archived";
  /** The one in the path, or left out. */
  external_id?: string;
}

export interface UnitPut {
  property_id: string;
  /** Unique in its property. */
  name: string;
  bedrooms?: number | null;
  bathrooms?: number | null;
  area_sqft?: number | null;
  market_rent_cents?: number | null;
  offline?: boolean;
  /** The one in the path, or left out. */
  external_id?: string;
}

export interface TenantPut {
  first_name: string;
  last_name: string;
  email?: string | null;
  phone?: string | null;
  notes?: string | null;
  /** The one in the path, or left out. */
  external_id?: string;
}

export interface LeasePut {
  unit_id: string;
  tenant_ids: string[];
  start_date: string;
  rent_cents: number;
  /** Default: the account's. */
  currency?: string;
  due_day?: number;
  /** Rents that apply from later days on (`from`, YYYY-MM-DD); `rent_cents` stays the rent of the first day. */
  rent_changes?: {
    from: string;
    rent_cents: number;
  }[];
  /**
   * How a part of the first or last month is charged: by days of that month, by days of a month of thirty,
   * or the whole rent.
   */
  proration?: "actual_days" | "thirty_days" | "none";
  /**
   * The ledger begins on this day; what is due or dated before does not count. Default: the later of
   * `start_date` and the first of the month in which the lease is recorded.
   */
  ledger_from?: string;
  /** What was owed when the ledger began, in minor units; negative is a credit. */
  opening_balance_cents?: number;
  /** `inherit` follows the property, then the account; `none` fines nothing. */
  late_fees?: "inherit" | "none" | LateFeePolicy;
  /** Last day; null is month to month. */
  end_date?: string | null;
  deposit_cents?: number | null;
  notice_given_on?: string | null;
  /** Ends the lease on this day, early or late. */
  ended_on?: string | null;
  /** The one in the path, or left out. */
  external_id?: string;
}

export interface PaymentPut {
  tenant_id: string;
  /**
   * One of the tenant's leases. Default: the one that runs or ends on `paid_on`, else the next one, else the
   * last ended one.
   */
  lease_id?: string | null;
  /** A charge that it pays first. The lease is that of the charge. */
  charge_id?: string | null;
  /** Amount in minor units: 125000 is 1250.00. */
  amount_cents: number;
  /** Default: the lease's currency, else the account's. */
  currency?: string;
  /** Default: today. */
  paid_on?: string;
  method?: "cash" | "check" | "bank_transfer" | "card" | "online" | "other";
  status?: "pending" | "paid" | "failed" | "returned" | "refunded" | "voided";
  /**
   * The day on which it was returned or refunded, not before `paid_on`; only with these statuses. Default:
   * today.
   */
  reversed_on?: string | null;
  /**
   * Only when it becomes returned or refunded: a fee that the lease is charged, due on `reversed_on`, in
   * minor units.
   */
  fee_cents?: number | null;
  /** The month the rent is for. */
  period?: string | null;
  reference?: string | null;
  memo?: string | null;
  /** The one in the path, or left out. */
  external_id?: string;
}

export interface ChargePut {
  lease_id: string;
  kind:
    | "rent"
    | "deposit"
    | "late_fee"
    | "returned_payment"
    | "utility"
    | "parking"
    | "pet"
    | "repair"
    | "fee"
    | "other";
  /** Amount in minor units: 125000 is 1250.00. */
  amount_cents: number;
  due_on: string;
  /** The month that a rent is for: one charge for each. */
  period?: string | null;
  memo?: string | null;
  /** The one in the path, or left out. */
  external_id?: string;
}

export interface CreditPut {
  lease_id: string;
  /** Amount in minor units: 5000 is 50.00. */
  amount_cents: number;
  /** Default: today. */
  credited_on?: string;
  reason: "concession" | "write_off" | "adjustment" | "deposit";
  /** The charge that it pays first. */
  charge_id?: string | null;
  memo?: string | null;
  /** The one in the path, or left out. */
  external_id?: string;
}

export interface RecurringChargePut {
  lease_id: string;
  /** Rent is not one: it comes from the lease. */
  kind:
    | "deposit"
    | "late_fee"
    | "returned_payment"
    | "utility"
    | "parking"
    | "pet"
    | "repair"
    | "fee"
    | "other";
  /** Amount of each in minor units: 5000 is 50.00. */
  amount_cents: number;
  every?: "week" | "two_weeks" | "month" | "quarter" | "year";
  starts_on: string;
  ends_on?: string | null;
  memo?: string | null;
  /** The one in the path, or left out. */
  external_id?: string;
}

export interface MaintenanceRequestPut {
  property_id: string;
  title: string;
  /** A unit of that property. */
  unit_id?: string | null;
  /** Who asked for it. */
  tenant_id?: string | null;
  description?: string | null;
  assigned_to?: string | null;
  scheduled_for?: string | null;
  due_on?: string | null;
  cost_cents?: number | null;
  resolution?: string | null;
  category?:
    | "plumbing"
    | "electrical"
    | "hvac"
    | "appliance"
    | "structural"
    | "pest"
    | "other";
  priority?: "low" | "medium" | "high" | "emergency";
  status?: "open" | "scheduled" | "in_progress" | "on_hold" | "completed" | "cancelled";
  /** The one in the path, or left out. */
  external_id?: string;
}

export interface Import {
  id: string;
  kind:
    | "rent_roll"
    | "properties"
    | "units"
    | "tenants"
    | "leases"
    | "charges"
    | "payments"
    | "credits"
    | "maintenance";
  /** What the file is called. */
  file: string;
  size_bytes: number;
  dry_run: boolean;
  skip_errors: boolean;
  /**
   * First `queued`, then `running`, and at the end `applied`; `valid` after a trial; or `failed`, and then
   * nothing of the file was written.
   */
  state: "queued" | "running" | "applied" | "valid" | "failed";
  /** Rows worked on so far. */
  rows_done: number;
  /** Rows of the file, when it is over. */
  rows: number;
  create: number;
  update: number;
  unchanged: number;
  /** Lines of totals, and of voided charges and credits. */
  skipped: number;
  /** Rows with errors that `skip_errors` leaves out. */
  left_out: number;
  error_count: number;
  /** Rows with errors, which `GET /imports/{id}/rejected` has as a file to correct. */
  rejected: number;
  /** Why it failed, if the file is not to blame. */
  error: {
    type: string;
    message: string;
  } | null;
  actor: Actor;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

export interface ImportList {
  data: Import[];
  /** Number of records in `data`. */
  count: number;
}

export interface ImportWithReport {
  id: string;
  kind:
    | "rent_roll"
    | "properties"
    | "units"
    | "tenants"
    | "leases"
    | "charges"
    | "payments"
    | "credits"
    | "maintenance";
  /** What the file is called. */
  file: string;
  size_bytes: number;
  dry_run: boolean;
  skip_errors: boolean;
  /**
   * First `queued`, then `running`, and at the end `applied`; `valid` after a trial; or `failed`, and then
   * nothing of the file was written.
   */
  state: "queued" | "running" | "applied" | "valid" | "failed";
  /** Rows worked on so far. */
  rows_done: number;
  /** Rows of the file, when it is over. */
  rows: number;
  create: number;
  update: number;
  unchanged: number;
  /** Lines of totals, and of voided charges and credits. */
  skipped: number;
  /** Rows with errors that `skip_errors` leaves out. */
  left_out: number;
  error_count: number;
  /** Rows with errors, which `GET /imports/{id}/rejected` has as a file to correct. */
  rejected: number;
  /** Why it failed, if the file is not to blame. */
  error: {
    type: string;
    message: string;
  } | null;
  actor: Actor;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  /** The product whose export the file is, by its headers. */
  preset:
    | "Buildium"
    | "AppFolio"
    | "DoorLoop"
    | "Rentec"
    | "TenantCloud"
    | "microrealestate"
    | null;
  columns: ({
    header: string;
    /** The field it is read as; null for none. */
    field: string | null;
  })[];
  /** Headers that were not recognised. */
  ignored_columns: string[];
  /** For a rent roll: what its rows make, kind by kind. */
  parts: ({
    kind:
      | "rent_roll"
      | "properties"
      | "units"
      | "tenants"
      | "leases"
      | "charges"
      | "payments"
      | "credits"
      | "maintenance";
    create: number;
    update: number;
    unchanged: number;
  })[];
  /** Assumptions where the file leaves something open, in sentences. */
  notes: string[];
  /** The first of them. */
  errors: ({
    line: number;
    column: string | null;
    reason: string;
  })[];
}

export interface ImportCreate {
  /** What the rows are. `rent_roll`: properties, units, tenants and leases in one sheet. */
  kind:
    | "rent_roll"
    | "properties"
    | "units"
    | "tenants"
    | "leases"
    | "charges"
    | "payments"
    | "credits"
    | "maintenance";
  /** The text of a CSV file; in a form, the file itself. */
  file: string;
  /** What the file is called. A form has it with the file. */
  file_name?: string | null;
  /** Checks everything and writes nothing. Default: `false`. */
  dry_run?: boolean;
  /** Whether rows with errors are left out and the others imported. Default: `false`. */
  skip_errors?: boolean;
  /** Which comes first in 03/04/2026, if the file does not show it. Default: `null`. */
  date_format?: "mdy" | "dmy" | null;
  /** Whether webhooks get events. Default: `true`. */
  events?: boolean;
  /** Which field each header is; null leaves a column out. Default: `{}`. */
  mapping?: Record<string, string | null>;
}

export interface RejectedRows {
  rows: number;
  /**
   * The rows with errors, with what is wrong with each: correct them, and import the file again. Empty if
   * there are none.
   */
  csv: string;
}

/** One change of a record, or a note about it. */
export interface HistoryEntry {
  id: string;
  action: "created" | "updated" | "deleted" | "erased" | "started" | "expiring" | "noted";
  actor: Actor;
  /** The changed fields. Null for a new record, and for actions that change no field. */
  changes: ChangedField[] | null;
  /** The text of a note. */
  note: string | null;
  created_at: string;
}

export interface HistoryEntryList {
  data: HistoryEntry[];
  /** Number of records in `data`. */
  count: number;
}

export interface NoteCreate {
  note: string;
}

/** A unit with who rents it and what they owe. */
export interface RentRollRow {
  property: {
    id: string;
    name: string;
  };
  unit: {
    id: string;
    name: string;
  };
  /** The status of the unit on that day. `offline` is its present state, because its past is not recorded. */
  status: "occupied" | "notice" | "vacant" | "offline";
  /** The tenants of the lease, in its order. */
  tenants: {
    id: string;
    name: string;
  }[];
  /** The lease that runs on that day; null if there is none. */
  lease:
    | {
    id: string;
    status: "active" | "notice";
    start_date: string;
    end_date: string | null;
    /** The day from which the unit is free, if the lease ends before or after `end_date`. */
    ended_on: string | null;
  }
    | null;
  /** Rent of one month that was in force on that day. */
  rent_cents: number | null;
  /** The same amount as a decimal. */
  rent: string | null;
  /** The lease's, or the account's if there is no lease. */
  currency: string;
  /** Paid on the lease from the first of the month on, in the lease's currency. */
  paid_this_month_cents: number;
  /** The same amount as a decimal. */
  paid_this_month: string;
  /**
   * What the lease owed on that day, according to its ledger, less credit. Negative is a credit. 0 without a
   * lease.
   */
  balance_cents: number;
  /** The same amount as a decimal. */
  balance: string;
  /** What was open. Add this up, not the balance: one tenant's credit does not pay another's debt. */
  owed_cents: number;
  /** The same amount as a decimal. */
  owed: string;
  /** Paid or credited, and not used for any charge yet. */
  credit_cents: number;
  /** The same amount as a decimal. */
  credit: string;
}

export interface RentRollRowList {
  data: RentRollRow[];
  /** Number of records in `data`. */
  count: number;
}

/** Rent of a month or a property, in one currency. */
export interface RentCollectedRow {
  /** By month: the month. */
  period?: string;
  /** By property: the property; null for payments that belong to no lease. */
  property?: {
    id: string;
    name: string;
  } | null;
  currency: string;
  /**
   * Charges that fall due in the range, except deposits. For the current month also those that are not
   * posted yet.
   */
  expected_cents: number;
  /** The same amount as a decimal. */
  expected: string;
  /** How much of them is paid or credited as of today, whenever that happened. */
  collected_cents: number;
  /** The same amount as a decimal. */
  collected: string;
  /** The rest: expected is collected and owed. */
  owed_cents: number;
  /** The same amount as a decimal. */
  owed: string;
  /** A different figure: payments that are `paid`, by `paid_on`, whatever they were for. */
  received_cents: number;
  /** The same amount as a decimal. */
  received: string;
  /** How many payments that is. */
  payment_count: number;
}

export interface RentCollectedRowList {
  data: RentCollectedRow[];
  /** Number of records in `data`. */
  count: number;
}

/** What the leases of a property owed, by age, in one currency; or what one lease did. */
export interface AgingRow {
  property: {
    id: string;
    name: string;
  };
  lease_id?: string;
  /** With its status on that day. */
  lease?: {
    id: string;
    status: "upcoming" | "active" | "notice" | "ended";
    start_date: string;
    end_date: string | null;
  };
  /** The tenants of the lease, in its order. */
  tenants?: {
    id: string;
    name: string;
  }[];
  unit?: {
    id: string;
    name: string;
  };
  currency: string;
  /** How many leases owed something. */
  leases: number;
  /** All that was open: the sum of the four ages. */
  owed_cents: number;
  /** The same amount as a decimal. */
  owed: string;
  /** The part of it that was due before that day. */
  overdue_cents: number;
  /** The same amount as a decimal. */
  overdue: string;
  /** Paid or credited, and not used for any charge yet. */
  credit_cents: number;
  /** The same amount as a decimal. */
  credit: string;
  /** Due that day, or up to 30 days before. */
  days_0_30_cents: number;
  /** The same amount as a decimal. */
  days_0_30: string;
  /** Due 31 to 60 days before. */
  days_31_60_cents: number;
  /** The same amount as a decimal. */
  days_31_60: string;
  /** Due 61 to 90 days before. */
  days_61_90_cents: number;
  /** The same amount as a decimal. */
  days_61_90: string;
  /** Due 91 days before, or earlier. */
  days_91_cents: number;
  /** The same amount as a decimal. */
  days_91: string;
}

export interface AgingRowList {
  data: AgingRow[];
  /** Number of records in `data`. */
  count: number;
}

/** A subscription: where to send which events. */
export interface Webhook {
  id: string;
  url: string;
  description: string | null;
  events: (
    | "property.created"
    | "property.updated"
    | "unit.created"
    | "unit.updated"
    | "tenant.created"
    | "tenant.updated"
    | "lease.created"
    | "lease.updated"
    | "lease.ended"
    | "lease.started"
    | "lease.expiring"
    | "charge.created"
    | "charge.updated"
    | "charge.due"
    | "charge.overdue"
    | "credit.created"
    | "credit.updated"
    | "payment.created"
    | "payment.updated"
    | "maintenance_request.created"
    | "maintenance_request.updated"
    | "maintenance_request.completed"
    | "file.created"
    | "file.updated"
    | "file.deleted"
    | "*")[];
  status: "active" | "failing" | "disabled";
  source: "api" | "automation";
  last_success_at: string | null;
  last_error_at: string | null;
  /** Failed attempts since the last success. */
  failure_count: number;
  created_at: string;
}

export interface WebhookList {
  data: Webhook[];
  /** Number of records in `data`. */
  count: number;
}

export interface WebhookWithSecret {
  id: string;
  url: string;
  description: string | null;
  events: (
    | "property.created"
    | "property.updated"
    | "unit.created"
    | "unit.updated"
    | "tenant.created"
    | "tenant.updated"
    | "lease.created"
    | "lease.updated"
    | "lease.ended"
    | "lease.started"
    | "lease.expiring"
    | "charge.created"
    | "charge.updated"
    | "charge.due"
    | "charge.overdue"
    | "credit.created"
    | "credit.updated"
    | "payment.created"
    | "payment.updated"
    | "maintenance_request.created"
    | "maintenance_request.updated"
    | "maintenance_request.completed"
    | "file.created"
    | "file.updated"
    | "file.deleted"
    | "*")[];
  status: "active" | "failing" | "disabled";
  source: "api" | "automation";
  last_success_at: string | null;
  last_error_at: string | null;
  /** Failed attempts since the last success. */
  failure_count: number;
  created_at: string;
  /** Why it is disabled: it answered 410, you disabled it, or it only failed for 5 days. */
  disabled_reason: "gone" | "owner" | "failures" | null;
  /** Keys whose changes are not sent to this endpoint. */
  skip_actors: string[];
  updated_at: string;
  /** Signs deliveries. Returned here only: keep it. */
  secret: string;
}

export interface WebhookCreate {
  url: string;
  description?: string | null;
  /** `*` stands for all events, those of later versions included. */
  events: string[];
  /**
   * Keys whose changes are not sent to this endpoint, so that an automation does not answer itself: their
   * ids, or `self` for the key that is asking.
   */
  skip_actors?: string[];
}

export interface WebhookPatch {
  url?: string;
  description?: string | null;
  /** `*` stands for all events, those of later versions included. */
  events?: string[];
  /**
   * Keys whose changes are not sent to this endpoint, so that an automation does not answer itself: their
   * ids, or `self` for the key that is asking.
   */
  skip_actors?: string[];
  /**
   * `disabled` stops it, `active` enables it again. Whether one that is enabled is `active` or `failing`
   * follows from its deliveries.
   */
  status?: "active" | "disabled";
}

export interface DeletedWebhook {
  id: string;
  deleted: true;
}

/** One event on its way to one webhook endpoint. */
export interface Delivery {
  /** The same over all attempts; a redelivery has a new one. */
  id: string;
  webhook_id: string;
  event_id: string;
  event:
    | "property.created"
    | "property.updated"
    | "unit.created"
    | "unit.updated"
    | "tenant.created"
    | "tenant.updated"
    | "lease.created"
    | "lease.updated"
    | "lease.ended"
    | "lease.started"
    | "lease.expiring"
    | "charge.created"
    | "charge.updated"
    | "charge.due"
    | "charge.overdue"
    | "credit.created"
    | "credit.updated"
    | "payment.created"
    | "payment.updated"
    | "maintenance_request.created"
    | "maintenance_request.updated"
    | "maintenance_request.completed"
    | "file.created"
    | "file.updated"
    | "file.deleted"
    | "webhook.test";
  kind: "event" | "redelivery" | "test";
  /**
   * `pending` until an attempt is answered with 2xx (`succeeded`), the attempts are used up (`failed`) or
   * the endpoint is disabled or deleted (`cancelled`).
   */
  status: "pending" | "succeeded" | "failed" | "cancelled";
  /** Attempts made so far, one under way included. */
  attempt_count: number;
  /** When the next attempt is due; null when it is under way or there is none. */
  next_attempt_at: string | null;
  last_response_status: number | null;
  last_error: string | null;
  created_at: string;
  finished_at: string | null;
}

export interface DeliveryList {
  data: Delivery[];
  /** Number of records in `data`. */
  count: number;
}

/** A delivery and every attempt made, the first one first. */
export interface DeliveryWithAttempts {
  /** The same over all attempts; a redelivery has a new one. */
  id: string;
  webhook_id: string;
  event_id: string;
  event:
    | "property.created"
    | "property.updated"
    | "unit.created"
    | "unit.updated"
    | "tenant.created"
    | "tenant.updated"
    | "lease.created"
    | "lease.updated"
    | "lease.ended"
    | "lease.started"
    | "lease.expiring"
    | "charge.created"
    | "charge.updated"
    | "charge.due"
    | "charge.overdue"
    | "credit.created"
    | "credit.updated"
    | "payment.created"
    | "payment.updated"
    | "maintenance_request.created"
    | "maintenance_request.updated"
    | "maintenance_request.completed"
    | "file.created"
    | "file.updated"
    | "file.deleted"
    | "webhook.test";
  kind: "event" | "redelivery" | "test";
  /**
   * `pending` until an attempt is answered with 2xx (`succeeded`), the attempts are used up (`failed`) or
   * the endpoint is disabled or deleted (`cancelled`).
   */
  status: "pending" | "succeeded" | "failed" | "cancelled";
  /** Attempts made so far, one under way included. */
  attempt_count: number;
  /** When the next attempt is due; null when it is under way or there is none. */
  next_attempt_at: string | null;
  last_response_status: number | null;
  last_error: string | null;
  created_at: string;
  finished_at: string | null;
  attempts: DeliveryAttempt[];
}

export interface DeliveryAttempt {
  /** From 1. */
  attempt: number;
  started_at: string;
  duration_ms: number | null;
  /** `success`, or what went wrong: `http_error`, `timeout`, `refused`, `tls`, `interrupted`, … */
  outcome: string;
  /** What was sent; the body is the same bytes in every attempt. */
  request: {
    headers: Record<string, string>;
    body: string | null;
  } | null;
  /** What came back: a few headers and the first 8 KiB of the body. */
  response:
    | {
    status: number;
    headers: Record<string, string>;
    body: string | null;
  }
    | null;
  error: string | null;
}

export interface Redelivered {
  /** How many events are sent again. */
  queued: number;
  /** Whether there may be more, because one request queues at most 5,000, oldest first. */
  more: boolean;
  /** The last event of these. If there may be more, ask again with it as `after`. */
  after: string | null;
}

export interface RedeliverMany {
  /** Deliveries of this time or later. */
  since: string;
  /**
   * `failed`, which is the default: events that never arrived, because all attempts failed or the endpoint
   * was disabled. `all`: those that arrived too.
   */
  status?: "failed" | "all";
  /** Only events after this one: the `after` of the previous answer. */
  after?: string;
}

export interface EventList {
  data: Event[];
  /** Number of records in `data`. */
  count: number;
}

/** The account that the key belongs to, with its settings. */
export interface Account {
  id: string;
  name: string;
  /** For amounts without a currency. */
  currency: string;
  /** IANA name. It decides what day today is. */
  time_zone: string;
  /** How many days before its due day a charge is posted. */
  post_days_before_due: number;
  /** For every lease that says `inherit` and whose property does too. Null: no late fees. */
  late_fees: LateFeePolicy | null;
  /** How many days before the end of a lease `lease.expiring` is sent, largest first. */
  lease_expiring_days: number[];
  created_at: string;
  updated_at: string;
  /** Null in the dashboard, where there is no key. */
  key: KeyInUse | null;
}

/** The key that the request was made with, and what it may do. */
export interface KeyInUse {
  id: string;
  name: string;
  /** Which records it reaches: the real ones, or those of test mode. */
  mode: "live" | "test";
  /** `write` includes reading. */
  permission: "read" | "write";
  /** The parts of the API that it reaches, each the first part of a path. */
  scopes: (
    | "properties"
    | "units"
    | "tenants"
    | "leases"
    | "payments"
    | "charges"
    | "credits"
    | "recurring-charges"
    | "late-fees"
    | "balances"
    | "maintenance"
    | "imports"
    | "files"
    | "reports"
    | "webhooks"
    | "deliveries"
    | "events"
    | "account"
    | "audit-log"
    | "test")[];
  /** Null: never. */
  expires_at: string | null;
}

export interface AccountPatch {
  name?: string;
  /** A change applies to new amounts; recorded amounts keep their currency. */
  currency?: string;
  time_zone?: string;
  post_days_before_due?: number;
  /** Applies to charges that fall due after it is set. Null: no late fees. */
  late_fees?: LateFeePolicy | null;
  /** How many days before the end of a lease `lease.expiring` is sent. */
  lease_expiring_days?: number[];
}

/** Something that was done to the account itself. */
export interface AuditEntry {
  id: string;
  action:
    | "person.signed_in"
    | "person.sign_in_failed"
    | "person.signed_out"
    | "person.password_changed"
    | "person.two_factor_enabled"
    | "person.two_factor_disabled"
    | "person.recovery_codes_renewed"
    | "person.recovery_code_used"
    | "person.code_refused"
    | "person.passkey_added"
    | "person.passkey_renamed"
    | "person.passkey_removed"
    | "person.sso_linked"
    | "person.sso_unlinked"
    | "member.joined"
    | "member.role_changed"
    | "member.removed"
    | "member.left"
    | "invitation.created"
    | "invitation.cancelled"
    | "key.created"
    | "key.revoked"
    | "webhook.created"
    | "webhook.updated"
    | "webhook.deleted"
    | "webhook.secret_rotated"
    | "account.updated"
    | "account.restored"
    | "account.closed"
    | "account.reopened"
    | "test.reset"
    | "export.downloaded"
    | "import.applied"
    | "record.deleted"
    | "tenant.erased";
  actor: Actor;
  /** Where the request came from. */
  ip_address: string | null;
  /** What it was about: a key by its name, a person by their e-mail address, a list. */
  subject: string | null;
  changes: ChangedField[] | null;
  created_at: string;
}

export interface AuditEntryList {
  data: AuditEntry[];
  /** Number of records in `data`. */
  count: number;
}

/** The time in test mode: real time until it is first moved. */
export interface TestClock {
  /** The time in test mode. It keeps running, like any clock. */
  now: string;
  /** The day it is then in the account's time zone. */
  today: string;
}

/** The test clock after it was moved, and what that brought. */
export interface AdvancedClock {
  /** The time in test mode. It keeps running, like any clock. */
  now: string;
  /** The day it is then in the account's time zone. */
  today: string;
  /** How many days began on the way. */
  days: number;
  /** How many charges were posted, by kind. */
  posted: Record<string, number>;
  /** How many events happened by themselves, by name. */
  told: Record<string, number>;
}

export interface ClockAdvance {
  /** The new time: later than that of the clock, and at most two years later. */
  to: string;
}

/** The test clock of the emptied test mode, and what is in it. */
export interface ResetAccount {
  /** The time in test mode. It keeps running, like any clock. */
  now: string;
  /** The day it is then in the account's time zone. */
  today: string;
  /** How many records there are now, by kind. */
  made: Record<string, number>;
}

export interface TestReset {
  /** Whether to fill it with make-believe records of a small landlord. Default: `false`. */
  demo?: boolean;
}

/** What listProperties can be asked with. */
export interface ListPropertiesQuery {
  /** One value or several, separated by commas: active, archived. */
  status?: Several<"active" | "archived">;
  /** Exactly this id in another system of yours. */
  external_id?: string;
  /** Part of the name, address, city or `external_id`. One or two letters or digits must begin a word. */
  q?: string;
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
  /**
   * Only records changed at or after this time, in the order in which the changes were committed, oldest
   * first. A reader who continues with the `updated_at` of the last record, or with the last `Link`, misses
   * no change: one that was committed late is shown even though its time is earlier.
   */
  updated_since?: string;
  /**
   * The field to sort by; with a minus, in descending order. Records with the same value come in the order
   * of their creation. Not with `updated_since`, which has an order of its own. Default: `-created_at`.
   */
  sort?: "name" | "-name" | "created_at" | "-created_at";
}

/** What listUnits can be asked with. */
export interface ListUnitsQuery {
  /** Exactly this id in another system of yours. */
  external_id?: string;
  property_id?: string;
  /** Units of properties that are `active` or `archived`; without it, of both. */
  property_status?: Several<"active" | "archived">;
  /** One value or several, separated by commas: occupied, notice, vacant, offline. */
  status?: Several<"occupied" | "notice" | "vacant" | "offline">;
  /** Part of the name. One or two letters or digits must begin a word. */
  q?: string;
  /** What to show in brief beside its id, separated by commas: property. A key needs the scope to read it. */
  expand?: Several<"property">;
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
  /**
   * Only records changed at or after this time, in the order in which the changes were committed, oldest
   * first. A reader who continues with the `updated_at` of the last record, or with the last `Link`, misses
   * no change: one that was committed late is shown even though its time is earlier.
   */
  updated_since?: string;
  /**
   * The field to sort by; with a minus, in descending order. Records with the same value come in the order
   * of their creation. Not with `updated_since`, which has an order of its own. Default: `-created_at`.
   */
  sort?: "name" | "-name" | "created_at" | "-created_at";
}

/** What getUnit can be asked with. */
export interface GetUnitQuery {
  /** What to show in brief beside its id, separated by commas: property. A key needs the scope to read it. */
  expand?: Several<"property">;
}

/** What listTenants can be asked with. */
export interface ListTenantsQuery {
  /** Tenants whose lease (the one shown) is in this property. */
  property_id?: string;
  /** One value or several, separated by commas: none, upcoming, active, notice, ended. */
  lease_status?: Several<"none" | "upcoming" | "active" | "notice" | "ended">;
  /** Exactly this e-mail address, in any letter case. */
  email?: string;
  /** Exactly this phone number: its digits are compared. */
  phone?: string;
  /** Exactly this id in another system of yours. */
  external_id?: string;
  /** Part of the name, e-mail, phone number or `external_id`. One or two letters or digits must begin a word. */
  q?: string;
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
  /**
   * Only records changed at or after this time, in the order in which the changes were committed, oldest
   * first. A reader who continues with the `updated_at` of the last record, or with the last `Link`, misses
   * no change: one that was committed late is shown even though its time is earlier.
   */
  updated_since?: string;
  /**
   * The field to sort by; with a minus, in descending order. Records with the same value come in the order
   * of their creation. Not with `updated_since`, which has an order of its own. Default: `-created_at`.
   */
  sort?: "last_name" | "-last_name" | "created_at" | "-created_at";
}

/** What listLeases can be asked with. */
export interface ListLeasesQuery {
  /** Exactly this id in another system of yours. */
  external_id?: string;
  /** One value or several, separated by commas: upcoming, active, notice, ended. */
  status?: Several<"upcoming" | "active" | "notice" | "ended">;
  property_id?: string;
  unit_id?: string;
  tenant_id?: string;
  /** Only leases that end on this day or before: on `ended_on`, else on `end_date`. */
  ends_by?: string;
  /**
   * Words in the names of its tenants, unit or property, or in its `external_id`. Each must occur; one or
   * two letters or digits must begin a word. A key finds names only with the scope to read them.
   */
  q?: string;
  /**
   * What to show in brief beside its id, separated by commas: tenant, unit, property. A key needs the scope
   * to read it.
   */
  expand?: Several<"tenant" | "unit" | "property">;
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
  /**
   * Only records changed at or after this time, in the order in which the changes were committed, oldest
   * first. A reader who continues with the `updated_at` of the last record, or with the last `Link`, misses
   * no change: one that was committed late is shown even though its time is earlier.
   */
  updated_since?: string;
  /**
   * The field to sort by; with a minus, in descending order. Records with the same value come in the order
   * of their creation. Not with `updated_since`, which has an order of its own. Default: `-created_at`.
   */
  sort?:
    | "start_date"
    | "-start_date"
    | "end_date"
    | "-end_date"
    | "rent_cents"
    | "-rent_cents"
    | "created_at"
    | "-created_at";
}

/** What getLease can be asked with. */
export interface GetLeaseQuery {
  /**
   * What to show in brief beside its id, separated by commas: tenant, unit, property. A key needs the scope
   * to read it.
   */
  expand?: Several<"tenant" | "unit" | "property">;
}

/** What previewLeaseRenewal can be asked with. */
export interface PreviewLeaseRenewalQuery {
  /** The new last day; without it the lease would continue month to month. */
  end_date?: string | null;
  /** The rent of one month from `from` on, in minor units. Default: unchanged. */
  rent_cents?: number;
  /** The first day of the new rent. Default: the day after the old end, or the first of the next month. */
  from?: string;
}

/** What previewLeaseEnd can be asked with. */
export interface PreviewLeaseEndQuery {
  /** The day from which the unit would be free. Default: today. */
  ended_on?: string;
}

/** What listPayments can be asked with. */
export interface ListPaymentsQuery {
  /** Exactly this id in another system of yours. */
  external_id?: string;
  /** One value or several, separated by commas: pending, paid, failed, returned, refunded, voided. */
  status?: Several<"pending" | "paid" | "failed" | "returned" | "refunded" | "voided">;
  tenant_id?: string;
  lease_id?: string;
  property_id?: string;
  /** First `paid_on` to include. */
  from?: string;
  /** Last `paid_on` to include. */
  to?: string;
  /**
   * Words in the names of its tenant, unit or property, or in its reference, memo or `external_id`. Each
   * must occur; one or two letters or digits must begin a word. A key finds names only with the scope to
   * read them.
   */
  q?: string;
  /**
   * What to show in brief beside its id, separated by commas: tenant, lease, unit, property. A key needs the
   * scope to read it.
   */
  expand?: Several<"tenant" | "lease" | "unit" | "property">;
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
  /**
   * Only records changed at or after this time, in the order in which the changes were committed, oldest
   * first. A reader who continues with the `updated_at` of the last record, or with the last `Link`, misses
   * no change: one that was committed late is shown even though its time is earlier.
   */
  updated_since?: string;
  /**
   * The field to sort by; with a minus, in descending order. Records with the same value come in the order
   * of their creation. Not with `updated_since`, which has an order of its own. Default: `-created_at`.
   */
  sort?: "paid_on" | "-paid_on" | "created_at" | "-created_at";
}

/** What getPayment can be asked with. */
export interface GetPaymentQuery {
  /**
   * What to show in brief beside its id, separated by commas: tenant, lease, unit, property. A key needs the
   * scope to read it.
   */
  expand?: Several<"tenant" | "lease" | "unit" | "property">;
}

/** What listCharges can be asked with. */
export interface ListChargesQuery {
  lease_id?: string;
  tenant_id?: string;
  property_id?: string;
  /** Exactly this id in another system of yours. */
  external_id?: string;
  /**
   * One value or several, separated by commas: rent, deposit, late_fee, returned_payment, utility, parking,
   * pet, repair, fee, other.
   */
  kind?: Several<
    | "rent"
    | "deposit"
    | "late_fee"
    | "returned_payment"
    | "utility"
    | "parking"
    | "pet"
    | "repair"
    | "fee"
    | "other">;
  /** One value or several, separated by commas: upcoming, open, partial, paid, voided. */
  status?: Several<"upcoming" | "open" | "partial" | "paid" | "voided">;
  /** `true`: only what was due before today and is still open. */
  overdue?: boolean;
  /** First `due_on` to include. */
  from?: string;
  /** Last `due_on` to include. */
  to?: string;
  /**
   * Words in the names of its tenants, unit or property, or in its memo or `external_id`. Each must occur;
   * one or two letters or digits must begin a word. A key finds names only with the scope to read them.
   */
  q?: string;
  /**
   * What to show in brief beside its id, separated by commas: tenant, lease, unit, property. A key needs the
   * scope to read it.
   */
  expand?: Several<"tenant" | "lease" | "unit" | "property">;
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
  /**
   * Only records changed at or after this time, in the order in which the changes were committed, oldest
   * first. A reader who continues with the `updated_at` of the last record, or with the last `Link`, misses
   * no change: one that was committed late is shown even though its time is earlier.
   */
  updated_since?: string;
  /**
   * The field to sort by; with a minus, in descending order. Records with the same value come in the order
   * of their creation. Not with `updated_since`, which has an order of its own. Default: `-created_at`.
   */
  sort?: "due_on" | "-due_on" | "created_at" | "-created_at";
}

/** What getCharge can be asked with. */
export interface GetChargeQuery {
  /**
   * What to show in brief beside its id, separated by commas: tenant, lease, unit, property. A key needs the
   * scope to read it.
   */
  expand?: Several<"tenant" | "lease" | "unit" | "property">;
}

/** What listCredits can be asked with. */
export interface ListCreditsQuery {
  lease_id?: string;
  tenant_id?: string;
  property_id?: string;
  /** Exactly this id in another system of yours. */
  external_id?: string;
  /** One value or several, separated by commas: concession, write_off, adjustment, deposit. */
  reason?: Several<"concession" | "write_off" | "adjustment" | "deposit">;
  /** One value or several, separated by commas: active, voided. */
  status?: Several<"active" | "voided">;
  /** First `credited_on` to include. */
  from?: string;
  /** Last `credited_on` to include. */
  to?: string;
  /**
   * Words in the names of its tenants, unit or property, or in its memo or `external_id`. Each must occur;
   * one or two letters or digits must begin a word. A key finds names only with the scope to read them.
   */
  q?: string;
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
  /**
   * Only records changed at or after this time, in the order in which the changes were committed, oldest
   * first. A reader who continues with the `updated_at` of the last record, or with the last `Link`, misses
   * no change: one that was committed late is shown even though its time is earlier.
   */
  updated_since?: string;
  /**
   * The field to sort by; with a minus, in descending order. Records with the same value come in the order
   * of their creation. Not with `updated_since`, which has an order of its own. Default: `-created_at`.
   */
  sort?: "credited_on" | "-credited_on" | "created_at" | "-created_at";
}

/** What listRecurringCharges can be asked with. */
export interface ListRecurringChargesQuery {
  /** Exactly this id in another system of yours. */
  external_id?: string;
  lease_id?: string;
  tenant_id?: string;
  property_id?: string;
  /**
   * One value or several, separated by commas: deposit, late_fee, returned_payment, utility, parking, pet,
   * repair, fee, other.
   */
  kind?: Several<
    | "deposit"
    | "late_fee"
    | "returned_payment"
    | "utility"
    | "parking"
    | "pet"
    | "repair"
    | "fee"
    | "other">;
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
  /**
   * Only records changed at or after this time, in the order in which the changes were committed, oldest
   * first. A reader who continues with the `updated_at` of the last record, or with the last `Link`, misses
   * no change: one that was committed late is shown even though its time is earlier.
   */
  updated_since?: string;
}

/** What previewLateFees can be asked with. */
export interface PreviewLateFeesQuery {
  /** The last day to include, at most a year ahead. Default: tomorrow, which is the next run. */
  as_of?: string;
}

/** What listBalances can be asked with. */
export interface ListBalancesQuery {
  /** The day to look at. Default: today. */
  as_of?: string;
  property_id?: string;
  tenant_id?: string;
  /** `true`: only leases that owed something. */
  owing?: boolean;
  /** `true`: only leases that were overdue. */
  overdue?: boolean;
  /** `true`: only leases in credit. The largest comes first. */
  in_credit?: boolean;
  /** On that day. */
  lease_status?: Several<"upcoming" | "active" | "notice" | "ended">;
  /**
   * Words in the names of the lease's tenants, unit or property, or in its `external_id`. Each must occur;
   * one or two letters or digits must begin a word. A key finds names only with the scope to read them.
   */
  q?: string;
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
}

/** What getLeaseLedger can be asked with. */
export interface GetLeaseLedgerQuery {
  /** Default: the day the ledger begins or, if earlier, `to`. */
  from?: string;
  /** Default: today or, if later, `from`. */
  to?: string;
  /** `true`: voided entries too. They do not affect the balance. */
  voided?: boolean;
}

/** What getLeaseStatement can be asked with. */
export interface GetLeaseStatementQuery {
  /** Default: the day the ledger begins or, if earlier, `to`. */
  from?: string;
  /** Default: today or, if later, `from`. */
  to?: string;
}

/** What listMaintenanceRequests can be asked with. */
export interface ListMaintenanceRequestsQuery {
  /** Exactly this id in another system of yours. */
  external_id?: string;
  /** One value or several, separated by commas: open, scheduled, in_progress, on_hold, completed, cancelled. */
  status?: Several<"open" | "scheduled" | "in_progress" | "on_hold" | "completed" | "cancelled">;
  /** One value or several, separated by commas: low, medium, high, emergency. */
  priority?: Several<"low" | "medium" | "high" | "emergency">;
  property_id?: string;
  tenant_id?: string;
  /**
   * Words in its title, description, number, assignee or `external_id`, or in the names of its tenant, unit
   * or property. Each must occur; one or two letters or digits must begin a word. A key finds names only
   * with the scope to read them.
   */
  q?: string;
  /**
   * What to show in brief beside its id, separated by commas: tenant, unit, property. A key needs the scope
   * to read it.
   */
  expand?: Several<"tenant" | "unit" | "property">;
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
  /**
   * Only records changed at or after this time, in the order in which the changes were committed, oldest
   * first. A reader who continues with the `updated_at` of the last record, or with the last `Link`, misses
   * no change: one that was committed late is shown even though its time is earlier.
   */
  updated_since?: string;
  /**
   * The field to sort by; with a minus, in descending order. Records with the same value come in the order
   * of their creation. Not with `updated_since`, which has an order of its own. Default: `-created_at`.
   */
  sort?: "due_on" | "-due_on" | "priority" | "-priority" | "created_at" | "-created_at";
}

/** What getMaintenanceRequest can be asked with. */
export interface GetMaintenanceRequestQuery {
  /**
   * What to show in brief beside its id, separated by commas: tenant, unit, property. A key needs the scope
   * to read it.
   */
  expand?: Several<"tenant" | "unit" | "property">;
}

/** What listFiles can be asked with. */
export interface ListFilesQuery {
  /** Only files of this record. */
  record?: string;
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
  /**
   * Only records changed at or after this time, in the order in which the changes were committed, oldest
   * first. A reader who continues with the `updated_at` of the last record, or with the last `Link`, misses
   * no change: one that was committed late is shown even though its time is earlier.
   */
  updated_since?: string;
}

/** What getFileLink can be asked with. */
export interface GetFileLinkQuery {
  /** For how many seconds the link is valid. */
  expires_in?: number;
  disposition?: "attachment" | "inline";
}

/** What getLeaseByExternalId can be asked with. */
export interface GetLeaseByExternalIdQuery {
  /**
   * What to show in brief beside its id, separated by commas: tenant, unit, property. A key needs the scope
   * to read it.
   */
  expand?: Several<"tenant" | "unit" | "property">;
}

/** What getPaymentByExternalId can be asked with. */
export interface GetPaymentByExternalIdQuery {
  /**
   * What to show in brief beside its id, separated by commas: tenant, lease, unit, property. A key needs the
   * scope to read it.
   */
  expand?: Several<"tenant" | "lease" | "unit" | "property">;
}

/** What getChargeByExternalId can be asked with. */
export interface GetChargeByExternalIdQuery {
  /**
   * What to show in brief beside its id, separated by commas: tenant, lease, unit, property. A key needs the
   * scope to read it.
   */
  expand?: Several<"tenant" | "lease" | "unit" | "property">;
}

/** What getMaintenanceRequestByExternalId can be asked with. */
export interface GetMaintenanceRequestByExternalIdQuery {
  /**
   * What to show in brief beside its id, separated by commas: tenant, unit, property. A key needs the scope
   * to read it.
   */
  expand?: Several<"tenant" | "unit" | "property">;
}

/** What listImports can be asked with. */
export interface ListImportsQuery {
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
}

/** What getPropertyHistory can be asked with. */
export interface GetPropertyHistoryQuery {
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
}

/** What getUnitHistory can be asked with. */
export interface GetUnitHistoryQuery {
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
}

/** What getTenantHistory can be asked with. */
export interface GetTenantHistoryQuery {
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
}

/** What getLeaseHistory can be asked with. */
export interface GetLeaseHistoryQuery {
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
}

/** What getPaymentHistory can be asked with. */
export interface GetPaymentHistoryQuery {
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
}

/** What getChargeHistory can be asked with. */
export interface GetChargeHistoryQuery {
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
}

/** What getCreditHistory can be asked with. */
export interface GetCreditHistoryQuery {
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
}

/** What getRecurringChargeHistory can be asked with. */
export interface GetRecurringChargeHistoryQuery {
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
}

/** What getMaintenanceRequestHistory can be asked with. */
export interface GetMaintenanceRequestHistoryQuery {
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
}

/** What getWebhookHistory can be asked with. */
export interface GetWebhookHistoryQuery {
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
}

/** What getRentRollReport can be asked with. */
export interface GetRentRollReportQuery {
  /** The day to look at. Default: today. */
  as_of?: string;
  /** Only the units of this property. */
  property_id?: string;
}

/** What getRentCollectedReport can be asked with. */
export interface GetRentCollectedReportQuery {
  /** First day. */
  from: string;
  /** Last day. */
  to: string;
  by?: "month" | "property";
}

/** What getAgingReport can be asked with. */
export interface GetAgingReportQuery {
  /** The day to look at. Default: today. */
  as_of?: string;
  by?: "property" | "lease";
}

/** What listWebhooks can be asked with. */
export interface ListWebhooksQuery {
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
}

/** What listWebhookDeliveries can be asked with. */
export interface ListWebhookDeliveriesQuery {
  /** One value or several, separated by commas: pending, succeeded, failed, cancelled. */
  status?: Several<"pending" | "succeeded" | "failed" | "cancelled">;
  /**
   * One value or several, separated by commas: property.created, property.updated, unit.created,
   * unit.updated, tenant.created, tenant.updated, lease.created, lease.updated, lease.ended, lease.started,
   * lease.expiring, charge.created, charge.updated, charge.due, charge.overdue, credit.created,
   * credit.updated, payment.created, payment.updated, maintenance_request.created,
   * maintenance_request.updated, maintenance_request.completed, file.created, file.updated, file.deleted,
   * webhook.test.
   */
  event?: Several<
    | "property.created"
    | "property.updated"
    | "unit.created"
    | "unit.updated"
    | "tenant.created"
    | "tenant.updated"
    | "lease.created"
    | "lease.updated"
    | "lease.ended"
    | "lease.started"
    | "lease.expiring"
    | "charge.created"
    | "charge.updated"
    | "charge.due"
    | "charge.overdue"
    | "credit.created"
    | "credit.updated"
    | "payment.created"
    | "payment.updated"
    | "maintenance_request.created"
    | "maintenance_request.updated"
    | "maintenance_request.completed"
    | "file.created"
    | "file.updated"
    | "file.deleted"
    | "webhook.test">;
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
}

/** What listEvents can be asked with. */
export interface ListEventsQuery {
  /**
   * One value or several, separated by commas: property.created, property.updated, unit.created,
   * unit.updated, tenant.created, tenant.updated, lease.created, lease.updated, lease.ended, lease.started,
   * lease.expiring, charge.created, charge.updated, charge.due, charge.overdue, credit.created,
   * credit.updated, payment.created, payment.updated, maintenance_request.created,
   * maintenance_request.updated, maintenance_request.completed, file.created, file.updated, file.deleted,
   * webhook.test.
   */
  event?: Several<
    | "property.created"
    | "property.updated"
    | "unit.created"
    | "unit.updated"
    | "tenant.created"
    | "tenant.updated"
    | "lease.created"
    | "lease.updated"
    | "lease.ended"
    | "lease.started"
    | "lease.expiring"
    | "charge.created"
    | "charge.updated"
    | "charge.due"
    | "charge.overdue"
    | "credit.created"
    | "credit.updated"
    | "payment.created"
    | "payment.updated"
    | "maintenance_request.created"
    | "maintenance_request.updated"
    | "maintenance_request.completed"
    | "file.created"
    | "file.updated"
    | "file.deleted"
    | "webhook.test">;
  /**
   * Only events that were committed after this one, in that order, the oldest first. No event ever appears
   * before one that was shown, so a reader who continues after the last id seen misses none. `beginning`
   * begins with the oldest event that is kept; `latest` shows only the last event, whatever its name, to
   * continue after it; not with `event`. Not with `created_since`.
   */
  after?: string;
  /**
   * With `after`: if there is no such event yet, the answer waits for one, at most this many seconds (up to
   * 30). At most 20 requests of an account wait at once.
   */
  wait?: number;
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
}

/** What getAuditLog can be asked with. */
export interface GetAuditLogQuery {
  /**
   * One value or several, separated by commas: person.signed_in, person.sign_in_failed, person.signed_out,
   * person.password_changed, person.two_factor_enabled, person.two_factor_disabled,
   * person.recovery_codes_renewed, person.recovery_code_used, person.code_refused, person.passkey_added,
   * person.passkey_renamed, person.passkey_removed, person.sso_linked, person.sso_unlinked, member.joined,
   * member.role_changed, member.removed, member.left, invitation.created, invitation.cancelled, key.created,
   * key.revoked, webhook.created, webhook.updated, webhook.deleted, webhook.secret_rotated, account.updated,
   * account.restored, account.closed, account.reopened, test.reset, export.downloaded, import.applied,
   * record.deleted, tenant.erased.
   */
  action?: Several<
    | "person.signed_in"
    | "person.sign_in_failed"
    | "person.signed_out"
    | "person.password_changed"
    | "person.two_factor_enabled"
    | "person.two_factor_disabled"
    | "person.recovery_codes_renewed"
    | "person.recovery_code_used"
    | "person.code_refused"
    | "person.passkey_added"
    | "person.passkey_renamed"
    | "person.passkey_removed"
    | "person.sso_linked"
    | "person.sso_unlinked"
    | "member.joined"
    | "member.role_changed"
    | "member.removed"
    | "member.left"
    | "invitation.created"
    | "invitation.cancelled"
    | "key.created"
    | "key.revoked"
    | "webhook.created"
    | "webhook.updated"
    | "webhook.deleted"
    | "webhook.secret_rotated"
    | "account.updated"
    | "account.restored"
    | "account.closed"
    | "account.reopened"
    | "test.reset"
    | "export.downloaded"
    | "import.applied"
    | "record.deleted"
    | "tenant.erased">;
  /** Maximum number of records, 1 to 1000. */
  limit?: number;
  /** Where to continue: taken from the `Link` header of the previous page. */
  cursor?: string;
  /** Only records created at or after this time. */
  created_since?: string;
  /** `true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more. */
  total?: boolean;
}

/** What can be asked of Tenure, by the names that the API reference uses. */
export interface Methods {
  /** List properties. Newest first. If there is more, the `Link` header has the address of the next page. */
  listProperties(query?: ListPropertiesQuery, options?: Options): List<Property>;
  /** Create a property. With `units`, the property and all its units are created, or nothing is. */
  createProperty(body: PropertyCreate, options?: Options): Promise<Property>;
  /** Get a property. The record as it is now. */
  getProperty(id: string, options?: Options): Promise<Property>;
  /** Change or archive a property. Changes only the fields that are sent. Null clears a field. */
  updateProperty(id: string, body: PropertyPatch, options?: Options): Promise<Property>;
  /**
   * Delete a property that nothing refers to. Its history stays. No event is sent; `error.details` says what
   * refers to it.
   */
  deleteProperty(id: string, options?: Options): Promise<DeletedProperty>;
  /** List units. Newest first. If there is more, the `Link` header has the address of the next page. */
  listUnits(query?: ListUnitsQuery, options?: Options): List<Unit>;
  /** Add a unit to a property. With an `Idempotency-Key`, a repeated request takes effect only once. */
  createUnit(body: UnitCreate, options?: Options): Promise<Unit>;
  /** Get a unit. The record as it is now. */
  getUnit(id: string, query?: GetUnitQuery, options?: Options): Promise<Unit>;
  /** Change a unit. Changes only the fields that are sent. Null clears a field. */
  updateUnit(id: string, body: UnitPatch, options?: Options): Promise<Unit>;
  /**
   * Delete a unit that nothing refers to. Its history stays. No event is sent; `error.details` says what
   * refers to it.
   */
  deleteUnit(id: string, options?: Options): Promise<DeletedUnit>;
  /**
   * List tenants with their unit and lease status. Newest first. If there is more, the `Link` header has the
   * address of the next page.
   */
  listTenants(query?: ListTenantsQuery, options?: Options): List<Tenant>;
  /**
   * Add a tenant. With `lease`, the tenant and their lease are added, or neither is; the events are those of
   * both. Errors in a field of the lease are reported under `lease`: `rent_cents: Required.`
   */
  createTenant(body: TenantCreate, options?: Options): Promise<Tenant>;
  /** Get a tenant. The record as it is now. */
  getTenant(id: string, options?: Options): Promise<Tenant>;
  /** Change a tenant. Changes only the fields that are sent. Null clears a field. */
  updateTenant(id: string, body: TenantPatch, options?: Options): Promise<Tenant>;
  /**
   * Delete a tenant that nothing refers to. Its history stays, without personal data, which is also taken
   * out of events and deliveries. No event is sent; `error.details` says what refers to it.
   */
  deleteTenant(id: string, options?: Options): Promise<DeletedTenant>;
  /**
   * Export everything kept about a tenant. Their record, leases, payments, charges, credits, maintenance
   * requests, files, history and notes, events and deliveries. As a ZIP archive it has the same in JSON and
   * CSV, with statements as PDFs and the content of files. For a lease with other tenants, history,
   * statement and files are left out: they tell about the others too. A key with scopes needs the scopes of
   * all of it. The audit log notes it.
   */
  getTenantExport(id: string, options?: Options): Promise<TenantExport>;
  /**
   * Erase the personal data of a tenant. For good: names, contacts and notes, texts of their payments,
   * charges and maintenance requests, their files, and the same in history, events and deliveries. Amounts,
   * dates and leases stay, so that all sums are as before. Repeating it does no harm. A key with scopes
   * needs the scopes of all of it.
   */
  eraseTenant(id: string, options?: Options): Promise<Tenant>;
  /** List leases. Newest first. If there is more, the `Link` header has the address of the next page. */
  listLeases(query?: ListLeasesQuery, options?: Options): List<Lease>;
  /** Make a lease. With an `Idempotency-Key`, a repeated request takes effect only once. */
  createLease(body: LeaseCreate, options?: Options): Promise<Lease>;
  /** Get a lease. The record as it is now. */
  getLease(id: string, query?: GetLeaseQuery, options?: Options): Promise<Lease>;
  /**
   * Change or end a lease. Set `notice_given_on` when notice was given, `ended_on` to end it. The unit of a
   * lease cannot change. `rent_cents` is the rent of the first day: changing it affects past months too. For
   * a raise, add to `rent_changes`.
   */
  updateLease(id: string, body: LeasePatch, options?: Options): Promise<Lease>;
  /**
   * Delete a lease that nothing refers to. Unpaid charges that it made by itself are voided and deleted with
   * it, as are its recurring charges. Its history stays. No event is sent; `error.details` says what refers
   * to it.
   */
  deleteLease(id: string, options?: Options): Promise<DeletedLease>;
  /** Renew a lease. The same lease and ledger continue. Any notice is withdrawn. */
  renewLease(id: string, body: LeaseRenew, options?: Options): Promise<Lease>;
  /** See what a renewal would charge. The record as it is now. */
  previewLeaseRenewal(id: string, query?: PreviewLeaseRenewalQuery, options?: Options): Promise<LeaseChangePreview>;
  /** See what ending a lease would void and charge. To end it, set `ended_on` with PATCH. */
  previewLeaseEnd(id: string, query?: PreviewLeaseEndQuery, options?: Options): Promise<LeaseChangePreview>;
  /** List rent payments. Newest first. If there is more, the `Link` header has the address of the next page. */
  listPayments(query?: ListPaymentsQuery, options?: Options): List<Payment>;
  /**
   * Record a rent payment. It is for a lease of the tenant: the one given, else the one that runs or ends on
   * `paid_on`, else the next one, else the last ended one. If a lease is made later, or its dates or tenants
   * change, a payment without a given lease moves to the one that then fits, with `payment.updated`. Unit
   * and property are the lease's.
   */
  createPayment(body: PaymentCreate, options?: Options): Promise<Payment>;
  /** Get a rent payment. The record as it is now. */
  getPayment(id: string, query?: GetPaymentQuery, options?: Options): Promise<Payment>;
  /**
   * Change a rent payment. A pending payment can become paid, failed or voided; a paid one returned,
   * refunded or voided; the others are final. A returned or refunded payment counts until `reversed_on`, and
   * `fee_cents` charges its lease a fee for that.
   */
  updatePayment(id: string, body: PaymentPatch, options?: Options): Promise<Payment>;
  /** List charges. Newest first. If there is more, the `Link` header has the address of the next page. */
  listCharges(query?: ListChargesQuery, options?: Options): List<Charge>;
  /**
   * Charge a lease. Rent, the deposit and recurring charges are charged automatically; this is for
   * everything else.
   */
  createCharge(body: ChargeCreate, options?: Options): Promise<Charge>;
  /** Get a charge. The record as it is now. */
  getCharge(id: string, query?: GetChargeQuery, options?: Options): Promise<Charge>;
  /**
   * Void a charge. It stays visible and no longer counts, on any day. Neither the schedule nor a late-fee
   * policy charges it again.
   */
  voidCharge(id: string, body: Void, options?: Options): Promise<Charge>;
  /** List credits. Newest first. If there is more, the `Link` header has the address of the next page. */
  listCredits(query?: ListCreditsQuery, options?: Options): List<Credit>;
  /** Give a lease a credit. With `reason: deposit`, a deposit that is held pays what is owed. */
  createCredit(body: CreditCreate, options?: Options): Promise<Credit>;
  /** Get a credit. The record as it is now. */
  getCredit(id: string, options?: Options): Promise<Credit>;
  /** Void a credit. It stays visible and no longer counts, on any day. */
  voidCredit(id: string, body: Void, options?: Options): Promise<Credit>;
  /**
   * List recurring charges. Newest first. If there is more, the `Link` header has the address of the next
   * page.
   */
  listRecurringCharges(query?: ListRecurringChargesQuery, options?: Options): List<RecurringCharge>;
  /**
   * Make a recurring charge. It is charged while the lease runs, from the day on which its ledger begins. A
   * lease can have at most 5,000 charges that are not voided.
   */
  createRecurringCharge(body: RecurringChargeCreate, options?: Options): Promise<RecurringCharge>;
  /** Get a recurring charge. The record as it is now. */
  getRecurringCharge(id: string, options?: Options): Promise<RecurringCharge>;
  /**
   * Change or end a recurring charge. From a day on. Posted charges that no longer fit are voided and
   * replaced.
   */
  updateRecurringCharge(id: string, body: RecurringChargePatch, options?: Options): Promise<RecurringCharge>;
  /**
   * See what late fees would be charged. What the next run would charge, if nothing more were paid. On a
   * later day, rent that is posted ahead may be late too. Nothing is written.
   */
  previewLateFees(query?: PreviewLateFeesQuery, options?: Options): List<LateFeePreview>;
  /**
   * Record the refund of a deposit. What the lease owes does not change. To pay debts from a deposit, give a
   * credit with `reason: deposit`.
   */
  createLeaseDepositRefund(id: string, body: DepositRefundCreate, options?: Options): Promise<DepositRefund>;
  /**
   * Void the refund of a deposit. It stays visible and no longer counts, on any day: the money is held
   * again.
   */
  voidDepositRefund(id: string, body: Void, options?: Options): Promise<DepositRefund>;
  /**
   * List what leases owe. One row for each lease, ended ones included, on any day. The most overdue come
   * first: by the oldest due date, then by the amount. Before its ledger begins, a lease owes nothing.
   */
  listBalances(query?: ListBalancesQuery, options?: Options): List<Balance>;
  /**
   * Get the ledger of a lease. Every charge, payment, return and credit by day, the balance after each, and
   * who paid what. The balance of a day is what was owed less what was paid: charges that are not due yet
   * are listed separately, as are pending payments.
   */
  getLeaseLedger(id: string, query?: GetLeaseLedgerQuery, options?: Options): Promise<Ledger>;
  /**
   * Get the statement of a lease for its tenants. Also as a page to print and as a PDF. PDFs are made one
   * after the other, and accounts take turns: an account with 25 of them waiting gets a 503, with
   * `Retry-After`.
   */
  getLeaseStatement(id: string, query?: GetLeaseStatementQuery, options?: Options): Promise<Statement>;
  /**
   * List maintenance requests. Newest first. If there is more, the `Link` header has the address of the next
   * page.
   */
  listMaintenanceRequests(query?: ListMaintenanceRequestsQuery, options?: Options): List<MaintenanceRequest>;
  /** Create a maintenance request. With an `Idempotency-Key`, a repeated request takes effect only once. */
  createMaintenanceRequest(body: MaintenanceRequestCreate, options?: Options): Promise<MaintenanceRequest>;
  /** Get a maintenance request. The record as it is now. */
  getMaintenanceRequest(id: string, query?: GetMaintenanceRequestQuery, options?: Options): Promise<MaintenanceRequest>;
  /**
   * Change a maintenance request, its status included. Unfinished statuses move freely; a completed request
   * can be reopened; a cancelled one is final.
   */
  updateMaintenanceRequest(id: string, body: MaintenanceRequestPatch, options?: Options): Promise<MaintenanceRequest>;
  /**
   * Create up to 1000 units. Each item is checked and created as if by its own POST, in order, with its own
   * event and its own result. An item that fails does not keep the others from being created, unless the
   * batch is `atomic`. With an `Idempotency-Key`, a repeat creates only what is missing. Ten items count as
   * one request.
   */
  createUnitBatch(body: UnitBatch, options?: Options): Promise<UnitBatchResult>;
  /**
   * Create up to 1000 tenants. Each item is checked and created as if by its own POST, in order, with its
   * own event and its own result. An item that fails does not keep the others from being created, unless the
   * batch is `atomic`. With an `Idempotency-Key`, a repeat creates only what is missing. Ten items count as
   * one request.
   */
  createTenantBatch(body: TenantBatch, options?: Options): Promise<TenantBatchResult>;
  /**
   * Create up to 1000 leases. Each item is checked and created as if by its own POST, in order, with its own
   * event and its own result. An item that fails does not keep the others from being created, unless the
   * batch is `atomic`. With an `Idempotency-Key`, a repeat creates only what is missing. Ten items count as
   * one request.
   */
  createLeaseBatch(body: LeaseBatch, options?: Options): Promise<LeaseBatchResult>;
  /**
   * Create up to 1000 payments. Each item is checked and created as if by its own POST, in order, with its
   * own event and its own result. An item that fails does not keep the others from being created, unless the
   * batch is `atomic`. With an `Idempotency-Key`, a repeat creates only what is missing. Ten items count as
   * one request.
   */
  createPaymentBatch(body: PaymentBatch, options?: Options): Promise<PaymentBatchResult>;
  /**
   * Create up to 1000 charges. Each item is checked and created as if by its own POST, in order, with its
   * own event and its own result. An item that fails does not keep the others from being created, unless the
   * batch is `atomic`. With an `Idempotency-Key`, a repeat creates only what is missing. Ten items count as
   * one request.
   */
  createChargeBatch(body: ChargeBatch, options?: Options): Promise<ChargeBatchResult>;
  /**
   * List files. Newest first; `position` says how they are arranged on their record. A key with scopes sees
   * the files of records that it may read.
   */
  listFiles(query?: ListFilesQuery, options?: Options): List<File>;
  /** Get a file. The record of the file. `GET /files/:id/content` has the bytes. */
  getFile(id: string, options?: Options): Promise<File>;
  /**
   * Rename a file, or move it among the files of its record. Changes only the fields that are sent. Null
   * clears a field.
   */
  updateFile(id: string, body: FilePatch, options?: Options): Promise<File>;
  /** Delete a file. For good, with its content. */
  deleteFile(id: string, options?: Options): Promise<DeletedFile>;
  /**
   * Get a short-lived link to a file. Whoever has the link can open the content until it expires, without a
   * key.
   */
  getFileLink(id: string, query?: GetFileLinkQuery, options?: Options): Promise<FileLink>;
  /** Get a property by its id in another system. All of them in one answer. */
  getPropertyByExternalId(external_id: string, options?: Options): Promise<Property>;
  /**
   * Create or change a property by its id in another system. Creates it (201), or changes it if it differs
   * (200). Sent twice, it changes nothing the second time. Fields that are left out stay as they are, and
   * null clears a field, as with PATCH.
   */
  putPropertyByExternalId(external_id: string, body: PropertyPut, options?: Options): Promise<Property>;
  /** Get a unit by its id in another system. All of them in one answer. */
  getUnitByExternalId(external_id: string, options?: Options): Promise<Unit>;
  /**
   * Create or change a unit by its id in another system. Creates it (201), or changes it if it differs
   * (200). Sent twice, it changes nothing the second time. Fields that are left out stay as they are, and
   * null clears a field, as with PATCH.
   */
  putUnitByExternalId(external_id: string, body: UnitPut, options?: Options): Promise<Unit>;
  /** Get a tenant by its id in another system. All of them in one answer. */
  getTenantByExternalId(external_id: string, options?: Options): Promise<Tenant>;
  /**
   * Create or change a tenant by its id in another system. Creates it (201), or changes it if it differs
   * (200). Sent twice, it changes nothing the second time. Fields that are left out stay as they are, and
   * null clears a field, as with PATCH.
   */
  putTenantByExternalId(external_id: string, body: TenantPut, options?: Options): Promise<Tenant>;
  /** Get a lease by its id in another system. All of them in one answer. */
  getLeaseByExternalId(external_id: string, query?: GetLeaseByExternalIdQuery, options?: Options): Promise<Lease>;
  /**
   * Create or change a lease by its id in another system. Creates it (201), or changes it if it differs
   * (200). Sent twice, it changes nothing the second time. Fields that are left out stay as they are, and
   * null clears a field, as with PATCH.
   */
  putLeaseByExternalId(external_id: string, body: LeasePut, options?: Options): Promise<Lease>;
  /** Get a payment by its id in another system. All of them in one answer. */
  getPaymentByExternalId(external_id: string, query?: GetPaymentByExternalIdQuery, options?: Options): Promise<Payment>;
  /**
   * Create or change a payment by its id in another system. Creates it (201), or changes it if it differs
   * (200). Sent twice, it changes nothing the second time. Fields that are left out stay as they are, and
   * null clears a field, as with PATCH.
   */
  putPaymentByExternalId(external_id: string, body: PaymentPut, options?: Options): Promise<Payment>;
  /** Get a charge by its id in another system. All of them in one answer. */
  getChargeByExternalId(external_id: string, query?: GetChargeByExternalIdQuery, options?: Options): Promise<Charge>;
  /**
   * Create or change a charge by its id in another system. Creates it (201), or changes it if it differs
   * (200). Sent twice, it changes nothing the second time. Nothing in a charge can change: sent again
   * unchanged it gets a 200, and with other values a 409. A voided one is made again when it is sent with
   * other values.
   */
  putChargeByExternalId(external_id: string, body: ChargePut, options?: Options): Promise<Charge>;
  /** Get a credit by its id in another system. All of them in one answer. */
  getCreditByExternalId(external_id: string, options?: Options): Promise<Credit>;
  /**
   * Create or change a credit by its id in another system. Creates it (201), or changes it if it differs
   * (200). Sent twice, it changes nothing the second time. Nothing in a credit can change: sent again
   * unchanged it gets a 200, and with other values a 409. A voided one is made again when it is sent with
   * other values.
   */
  putCreditByExternalId(external_id: string, body: CreditPut, options?: Options): Promise<Credit>;
  /** Get a recurring charge by its id in another system. All of them in one answer. */
  getRecurringChargeByExternalId(external_id: string, options?: Options): Promise<RecurringCharge>;
  /**
   * Create or change a recurring charge by its id in another system. Creates it (201), or changes it if it
   * differs (200). Sent twice, it changes nothing the second time. Fields that are left out stay as they
   * are, and null clears a field, as with PATCH.
   */
  putRecurringChargeByExternalId(external_id: string, body: RecurringChargePut, options?: Options): Promise<RecurringCharge>;
  /** Get a maintenance request by its id in another system. All of them in one answer. */
  getMaintenanceRequestByExternalId(external_id: string, query?: GetMaintenanceRequestByExternalIdQuery, options?: Options): Promise<MaintenanceRequest>;
  /**
   * Create or change a maintenance request by its id in another system. Creates it (201), or changes it if
   * it differs (200). Sent twice, it changes nothing the second time. Fields that are left out stay as they
   * are, and null clears a field, as with PATCH.
   */
  putMaintenanceRequestByExternalId(external_id: string, body: MaintenanceRequestPut, options?: Options): Promise<MaintenanceRequest>;
  /**
   * List imports. Newest first, those of the last 30 days. If there is more, the `Link` header has the
   * address of the next page.
   */
  listImports(query?: ListImportsQuery, options?: Options): List<Import>;
  /**
   * Import a file. Takes a CSV file as text in JSON (the body up to 1 MiB), or CSV or an Excel workbook
   * (XLSX) as `file` in a form (multipart/form-data, up to 50 MiB) beside the same fields. A worker imports
   * it, all or nothing: the answer is the queued import, and `GET /imports/{id}` shows its progress.
   * Importing a file again changes only what has changed in it. A key with scopes needs `imports` and those
   * of all records.
   */
  createImport(body: ImportCreate, options?: Options): Promise<ImportWithReport>;
  /** Get an import. Its progress and, once it is over, what it did and what is wrong with the file. */
  getImport(id: string, options?: Options): Promise<ImportWithReport>;
  /**
   * Get the rejected rows of an import. The rows with errors as a CSV file, with what is wrong with each:
   * correct them, and import the file again. A key with scopes needs those of all records.
   */
  getImportRejected(id: string, options?: Options): Promise<RejectedRows>;
  /**
   * Get the history of a property. Who changed it, when, and what from what to what, with notes that people
   * made. Newest first.
   */
  getPropertyHistory(id: string, query?: GetPropertyHistoryQuery, options?: Options): List<HistoryEntry>;
  /** Add a note to a property. It becomes part of the history, and stays as it is. */
  createPropertyNote(id: string, body: NoteCreate, options?: Options): Promise<HistoryEntry>;
  /**
   * Get the history of a unit. Who changed it, when, and what from what to what, with notes that people
   * made. Newest first.
   */
  getUnitHistory(id: string, query?: GetUnitHistoryQuery, options?: Options): List<HistoryEntry>;
  /** Add a note to a unit. It becomes part of the history, and stays as it is. */
  createUnitNote(id: string, body: NoteCreate, options?: Options): Promise<HistoryEntry>;
  /**
   * Get the history of a tenant. Who changed it, when, and what from what to what, with notes that people
   * made. Newest first.
   */
  getTenantHistory(id: string, query?: GetTenantHistoryQuery, options?: Options): List<HistoryEntry>;
  /** Add a note to a tenant. It becomes part of the history, and stays as it is. */
  createTenantNote(id: string, body: NoteCreate, options?: Options): Promise<HistoryEntry>;
  /**
   * Get the history of a lease. Who changed it, when, and what from what to what, with notes that people
   * made. Newest first.
   */
  getLeaseHistory(id: string, query?: GetLeaseHistoryQuery, options?: Options): List<HistoryEntry>;
  /** Add a note to a lease. It becomes part of the history, and stays as it is. */
  createLeaseNote(id: string, body: NoteCreate, options?: Options): Promise<HistoryEntry>;
  /**
   * Get the history of a payment. Who changed it, when, and what from what to what, with notes that people
   * made. Newest first.
   */
  getPaymentHistory(id: string, query?: GetPaymentHistoryQuery, options?: Options): List<HistoryEntry>;
  /** Add a note to a payment. It becomes part of the history, and stays as it is. */
  createPaymentNote(id: string, body: NoteCreate, options?: Options): Promise<HistoryEntry>;
  /**
   * Get the history of a charge. Who changed it, when, and what from what to what, with notes that people
   * made. Newest first.
   */
  getChargeHistory(id: string, query?: GetChargeHistoryQuery, options?: Options): List<HistoryEntry>;
  /** Add a note to a charge. It becomes part of the history, and stays as it is. */
  createChargeNote(id: string, body: NoteCreate, options?: Options): Promise<HistoryEntry>;
  /**
   * Get the history of a credit. Who changed it, when, and what from what to what, with notes that people
   * made. Newest first.
   */
  getCreditHistory(id: string, query?: GetCreditHistoryQuery, options?: Options): List<HistoryEntry>;
  /** Add a note to a credit. It becomes part of the history, and stays as it is. */
  createCreditNote(id: string, body: NoteCreate, options?: Options): Promise<HistoryEntry>;
  /**
   * Get the history of a recurring charge. Who changed it, when, and what from what to what, with notes that
   * people made. Newest first.
   */
  getRecurringChargeHistory(id: string, query?: GetRecurringChargeHistoryQuery, options?: Options): List<HistoryEntry>;
  /** Add a note to a recurring charge. It becomes part of the history, and stays as it is. */
  createRecurringChargeNote(id: string, body: NoteCreate, options?: Options): Promise<HistoryEntry>;
  /**
   * Get the history of a maintenance request. Who changed it, when, and what from what to what, with notes
   * that people made. Newest first.
   */
  getMaintenanceRequestHistory(id: string, query?: GetMaintenanceRequestHistoryQuery, options?: Options): List<HistoryEntry>;
  /** Add a note to a maintenance request. It becomes part of the history, and stays as it is. */
  createMaintenanceRequestNote(id: string, body: NoteCreate, options?: Options): Promise<HistoryEntry>;
  /**
   * Get the history of a webhook subscription. Who changed it, when, and what from what to what, with notes
   * that people made. Newest first.
   */
  getWebhookHistory(id: string, query?: GetWebhookHistoryQuery, options?: Options): List<HistoryEntry>;
  /** Add a note to a webhook subscription. It becomes part of the history, and stays as it is. */
  createWebhookNote(id: string, body: NoteCreate, options?: Options): Promise<HistoryEntry>;
  /**
   * Get the rent roll. Every unit with its tenants, its lease, the rent, what was paid this month and what
   * is owed on a day, by property and unit name. It lists leases that run on the day: what tenants who have
   * moved out still owe is in `GET /balances`.
   */
  getRentRollReport(query?: GetRentRollReportQuery, options?: Options): List<RentRollRow>;
  /**
   * Get the rent collected in a range of days. By month or by property, each currency on its own: what falls
   * due in the range, how much of that is paid as of today, and what is still owed. It also shows what came
   * in, by day of payment. Months and properties without either are listed with 0. If the range covers only
   * part of a month, only those days count.
   */
  getRentCollectedReport(query: GetRentCollectedReportQuery, options?: Options): List<RentCollectedRow>;
  /**
   * Get amounts owed by age. What was open on a day by how long ago it fell due, for each property or lease
   * that owed something or had a credit, each currency on its own. Credits are never subtracted from debts.
   * The most overdue leases come first; properties are listed by name.
   */
  getAgingReport(query?: GetAgingReportQuery, options?: Options): List<AgingRow>;
  /** List webhook subscriptions. All of them, newest first, never with their secrets. */
  listWebhooks(query?: ListWebhooksQuery, options?: Options): List<Webhook>;
  /**
   * Create a webhook subscription. The URL must pass the safe-URL check: https, a public address. Unknown
   * names in `events` are dropped, and listed in the `Warning` header. Only this response and that of
   * rotate-secret contain the signing secret.
   */
  createWebhook(body: WebhookCreate, options?: Options): Promise<WebhookWithSecret>;
  /** Get a webhook subscription. The record as it is now. */
  getWebhook(id: string, options?: Options): Promise<StoredWebhook>;
  /**
   * Change, disable or enable a webhook subscription. Disabling cancels queued deliveries. Only you can
   * enable it again: a disabled endpoint never becomes active by itself.
   */
  updateWebhook(id: string, body: WebhookPatch, options?: Options): Promise<StoredWebhook>;
  /** Delete a webhook subscription. Cancels its queued deliveries. */
  deleteWebhook(id: string, options?: Options): Promise<DeletedWebhook>;
  /**
   * Give a webhook subscription a new secret. For 24 hours deliveries are signed with both:
   * `t=…,v1=<new>,v1=<old>`.
   */
  rotateWebhookSecret(id: string, options?: Options): Promise<WebhookWithSecret>;
  /**
   * List a webhook endpoint's deliveries. Newest first. If there is more, the `Link` header has the address
   * of the next page.
   */
  listWebhookDeliveries(id: string, query?: ListWebhookDeliveriesQuery, options?: Options): List<Delivery>;
  /**
   * Send a test event. Sends `webhook.test` to this endpoint alone, even if it is disabled, and answers with
   * the result: one attempt, which changes no counters. With an `Idempotency-Key` the answer is the delivery
   * as it was queued; its result is at `GET /deliveries/{id}`.
   */
  testWebhook(id: string, options?: Options): Promise<DeliveryWithAttempts>;
  /**
   * Send failed events again. Sends again the events of this endpoint that failed since a time, or all of
   * them: the same bytes, as new deliveries. Events that are already waiting for the endpoint are left out,
   * so it is safe to ask twice. One request queues at most 5,000 events; pass the answer's `after` to
   * continue.
   */
  redeliverWebhook(id: string, body: RedeliverMany, options?: Options): Promise<Redelivered>;
  /** Get a delivery with its attempts. The record as it is now. */
  getDelivery(id: string, options?: Options): Promise<DeliveryWithAttempts>;
  /** Send a finished delivery again. The same event, byte for byte, as a new delivery. */
  redeliverDelivery(id: string, options?: Options): Promise<DeliveryWithAttempts>;
  /**
   * List events. What happened on the account, whether or not anyone was subscribed: the newest first, or
   * with `after` as a feed to follow, the oldest first.
   */
  listEvents(query?: ListEventsQuery, options?: Options): List<Event>;
  /** Get an event. The record as it is now. */
  getEvent(id: string, options?: Options): Promise<Event>;
  /** Get the account. Its settings, and what your key may do. */
  getAccount(options?: Options): Promise<Account>;
  /** Change the settings of the account. Changes only the fields that are sent. Null clears a field. */
  updateAccount(body: AccountPatch, options?: Options): Promise<Account>;
  /**
   * List the audit log. Actions on the account itself: sign-ins, keys, roles, webhooks, exports, settings.
   * Only a key to which an owner has given the scope `audit-log` may read it; a key without limits may not.
   */
  getAuditLog(query?: GetAuditLogQuery, options?: Options): List<AuditEntry>;
  /** Get the test clock. Only with a test key: with any other, this path does not exist. */
  getTestClock(options?: Options): Promise<TestClock>;
  /**
   * Move the test clock. Every day on the way happens as in live mode: charges are posted, late fees
   * charged, events sent. Answers when all of it is done. If it is interrupted, the clock is at the
   * beginning of a day; advance again to continue. Only with a test key.
   */
  advanceTestClock(body: ClockAdvance, options?: Options): Promise<AdvancedClock>;
  /**
   * Empty test mode. All records, events and webhooks are deleted, and the clock shows real time again. Keys
   * stay. Only with a test key.
   */
  resetTestAccount(body?: TestReset, options?: Options): Promise<ResetAccount>;
}

/** Each method's request; whether the rest of its arguments is a body or a query; and what the answer is. */
export const operations: Record<
  keyof Methods,
  readonly [method: string, path: string, takes: 'body' | 'query' | 'nothing', answers: 'list' | 'data' | 'body']
> = {
  listProperties: ['GET', '/properties', 'query', 'list'],
  createProperty: ['POST', '/properties', 'body', 'data'],
  getProperty: ['GET', '/properties/{id}', 'nothing', 'data'],
  updateProperty: ['PATCH', '/properties/{id}', 'body', 'data'],
  deleteProperty: ['DELETE', '/properties/{id}', 'nothing', 'data'],
  listUnits: ['GET', '/units', 'query', 'list'],
  createUnit: ['POST', '/units', 'body', 'data'],
  getUnit: ['GET', '/units/{id}', 'query', 'data'],
  updateUnit: ['PATCH', '/units/{id}', 'body', 'data'],
  deleteUnit: ['DELETE', '/units/{id}', 'nothing', 'data'],
  listTenants: ['GET', '/tenants', 'query', 'list'],
  createTenant: ['POST', '/tenants', 'body', 'data'],
  getTenant: ['GET', '/tenants/{id}', 'nothing', 'data'],
  updateTenant: ['PATCH', '/tenants/{id}', 'body', 'data'],
  deleteTenant: ['DELETE', '/tenants/{id}', 'nothing', 'data'],
  getTenantExport: ['GET', '/tenants/{id}/export', 'nothing', 'data'],
  eraseTenant: ['POST', '/tenants/{id}/erase', 'nothing', 'data'],
  listLeases: ['GET', '/leases', 'query', 'list'],
  createLease: ['POST', '/leases', 'body', 'data'],
  getLease: ['GET', '/leases/{id}', 'query', 'data'],
  updateLease: ['PATCH', '/leases/{id}', 'body', 'data'],
  deleteLease: ['DELETE', '/leases/{id}', 'nothing', 'data'],
  renewLease: ['POST', '/leases/{id}/renew', 'body', 'data'],
  previewLeaseRenewal: ['GET', '/leases/{id}/renew', 'query', 'data'],
  previewLeaseEnd: ['GET', '/leases/{id}/end', 'query', 'data'],
  listPayments: ['GET', '/payments', 'query', 'list'],
  createPayment: ['POST', '/payments', 'body', 'data'],
  getPayment: ['GET', '/payments/{id}', 'query', 'data'],
  updatePayment: ['PATCH', '/payments/{id}', 'body', 'data'],
  listCharges: ['GET', '/charges', 'query', 'list'],
  createCharge: ['POST', '/charges', 'body', 'data'],
  getCharge: ['GET', '/charges/{id}', 'query', 'data'],
  voidCharge: ['POST', '/charges/{id}/void', 'body', 'data'],
  listCredits: ['GET', '/credits', 'query', 'list'],
  createCredit: ['POST', '/credits', 'body', 'data'],
  getCredit: ['GET', '/credits/{id}', 'nothing', 'data'],
  voidCredit: ['POST', '/credits/{id}/void', 'body', 'data'],
  listRecurringCharges: ['GET', '/recurring-charges', 'query', 'list'],
  createRecurringCharge: ['POST', '/recurring-charges', 'body', 'data'],
  getRecurringCharge: ['GET', '/recurring-charges/{id}', 'nothing', 'data'],
  updateRecurringCharge: ['PATCH', '/recurring-charges/{id}', 'body', 'data'],
  previewLateFees: ['GET', '/late-fees/preview', 'query', 'list'],
  createLeaseDepositRefund: ['POST', '/leases/{id}/deposit-refunds', 'body', 'data'],
  voidDepositRefund: ['POST', '/deposit-refunds/{id}/void', 'body', 'data'],
  listBalances: ['GET', '/balances', 'query', 'list'],
  getLeaseLedger: ['GET', '/leases/{id}/ledger', 'query', 'data'],
  getLeaseStatement: ['GET', '/leases/{id}/statement', 'query', 'data'],
  listMaintenanceRequests: ['GET', '/maintenance', 'query', 'list'],
  createMaintenanceRequest: ['POST', '/maintenance', 'body', 'data'],
  getMaintenanceRequest: ['GET', '/maintenance/{id}', 'query', 'data'],
  updateMaintenanceRequest: ['PATCH', '/maintenance/{id}', 'body', 'data'],
  createUnitBatch: ['POST', '/units/batch', 'body', 'data'],
  createTenantBatch: ['POST', '/tenants/batch', 'body', 'data'],
  createLeaseBatch: ['POST', '/leases/batch', 'body', 'data'],
  createPaymentBatch: ['POST', '/payments/batch', 'body', 'data'],
  createChargeBatch: ['POST', '/charges/batch', 'body', 'data'],
  listFiles: ['GET', '/files', 'query', 'list'],
  getFile: ['GET', '/files/{id}', 'nothing', 'data'],
  updateFile: ['PATCH', '/files/{id}', 'body', 'data'],
  deleteFile: ['DELETE', '/files/{id}', 'nothing', 'data'],
  getFileLink: ['GET', '/files/{id}/link', 'query', 'data'],
  getPropertyByExternalId: ['GET', '/properties/by-external-id/{external_id}', 'nothing', 'data'],
  putPropertyByExternalId: ['PUT', '/properties/by-external-id/{external_id}', 'body', 'data'],
  getUnitByExternalId: ['GET', '/units/by-external-id/{external_id}', 'nothing', 'data'],
  putUnitByExternalId: ['PUT', '/units/by-external-id/{external_id}', 'body', 'data'],
  getTenantByExternalId: ['GET', '/tenants/by-external-id/{external_id}', 'nothing', 'data'],
  putTenantByExternalId: ['PUT', '/tenants/by-external-id/{external_id}', 'body', 'data'],
  getLeaseByExternalId: ['GET', '/leases/by-external-id/{external_id}', 'query', 'data'],
  putLeaseByExternalId: ['PUT', '/leases/by-external-id/{external_id}', 'body', 'data'],
  getPaymentByExternalId: ['GET', '/payments/by-external-id/{external_id}', 'query', 'data'],
  putPaymentByExternalId: ['PUT', '/payments/by-external-id/{external_id}', 'body', 'data'],
  getChargeByExternalId: ['GET', '/charges/by-external-id/{external_id}', 'query', 'data'],
  putChargeByExternalId: ['PUT', '/charges/by-external-id/{external_id}', 'body', 'data'],
  getCreditByExternalId: ['GET', '/credits/by-external-id/{external_id}', 'nothing', 'data'],
  putCreditByExternalId: ['PUT', '/credits/by-external-id/{external_id}', 'body', 'data'],
  getRecurringChargeByExternalId: ['GET', '/recurring-charges/by-external-id/{external_id}', 'nothing', 'data'],
  putRecurringChargeByExternalId: ['PUT', '/recurring-charges/by-external-id/{external_id}', 'body', 'data'],
  getMaintenanceRequestByExternalId: ['GET', '/maintenance/by-external-id/{external_id}', 'query', 'data'],
  putMaintenanceRequestByExternalId: ['PUT', '/maintenance/by-external-id/{external_id}', 'body', 'data'],
  listImports: ['GET', '/imports', 'query', 'list'],
  createImport: ['POST', '/imports', 'body', 'data'],
  getImport: ['GET', '/imports/{id}', 'nothing', 'data'],
  getImportRejected: ['GET', '/imports/{id}/rejected', 'nothing', 'data'],
  getPropertyHistory: ['GET', '/properties/{id}/history', 'query', 'list'],
  createPropertyNote: ['POST', '/properties/{id}/notes', 'body', 'data'],
  getUnitHistory: ['GET', '/units/{id}/history', 'query', 'list'],
  createUnitNote: ['POST', '/units/{id}/notes', 'body', 'data'],
  getTenantHistory: ['GET', '/tenants/{id}/history', 'query', 'list'],
  createTenantNote: ['POST', '/tenants/{id}/notes', 'body', 'data'],
  getLeaseHistory: ['GET', '/leases/{id}/history', 'query', 'list'],
  createLeaseNote: ['POST', '/leases/{id}/notes', 'body', 'data'],
  getPaymentHistory: ['GET', '/payments/{id}/history', 'query', 'list'],
  createPaymentNote: ['POST', '/payments/{id}/notes', 'body', 'data'],
  getChargeHistory: ['GET', '/charges/{id}/history', 'query', 'list'],
  createChargeNote: ['POST', '/charges/{id}/notes', 'body', 'data'],
  getCreditHistory: ['GET', '/credits/{id}/history', 'query', 'list'],
  createCreditNote: ['POST', '/credits/{id}/notes', 'body', 'data'],
  getRecurringChargeHistory: ['GET', '/recurring-charges/{id}/history', 'query', 'list'],
  createRecurringChargeNote: ['POST', '/recurring-charges/{id}/notes', 'body', 'data'],
  getMaintenanceRequestHistory: ['GET', '/maintenance/{id}/history', 'query', 'list'],
  createMaintenanceRequestNote: ['POST', '/maintenance/{id}/notes', 'body', 'data'],
  getWebhookHistory: ['GET', '/webhooks/{id}/history', 'query', 'list'],
  createWebhookNote: ['POST', '/webhooks/{id}/notes', 'body', 'data'],
  getRentRollReport: ['GET', '/reports/rent-roll', 'query', 'list'],
  getRentCollectedReport: ['GET', '/reports/rent-collected', 'query', 'list'],
  getAgingReport: ['GET', '/reports/aging', 'query', 'list'],
  listWebhooks: ['GET', '/webhooks', 'query', 'list'],
  createWebhook: ['POST', '/webhooks', 'body', 'data'],
  getWebhook: ['GET', '/webhooks/{id}', 'nothing', 'data'],
  updateWebhook: ['PATCH', '/webhooks/{id}', 'body', 'data'],
  deleteWebhook: ['DELETE', '/webhooks/{id}', 'nothing', 'data'],
  rotateWebhookSecret: ['POST', '/webhooks/{id}/rotate-secret', 'nothing', 'data'],
  listWebhookDeliveries: ['GET', '/webhooks/{id}/deliveries', 'query', 'list'],
  testWebhook: ['POST', '/webhooks/{id}/test', 'nothing', 'data'],
  redeliverWebhook: ['POST', '/webhooks/{id}/redeliver', 'body', 'data'],
  getDelivery: ['GET', '/deliveries/{id}', 'nothing', 'data'],
  redeliverDelivery: ['POST', '/deliveries/{id}/redeliver', 'nothing', 'data'],
  listEvents: ['GET', '/events', 'query', 'list'],
  getEvent: ['GET', '/events/{id}', 'nothing', 'data'],
  getAccount: ['GET', '/account', 'nothing', 'data'],
  updateAccount: ['PATCH', '/account', 'body', 'data'],
  getAuditLog: ['GET', '/audit-log', 'query', 'list'],
  getTestClock: ['GET', '/test/clock', 'nothing', 'data'],
  advanceTestClock: ['POST', '/test/clock/advance', 'body', 'data'],
  resetTestAccount: ['POST', '/test/reset', 'body', 'data'],
};
