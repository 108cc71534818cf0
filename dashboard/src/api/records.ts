import type { z } from 'zod';
import type {
  DeliveryAttempt as DeliveryAttemptSchema,
  Delivery as DeliverySchema,
  DeliveryWithAttempts as DeliveryWithAttemptsSchema,
} from '../../../src/deliveries/deliveries.schema.ts';
import type { Lease as LeaseSchema } from '../../../src/leases/leases.schema.ts';
import type { Balance as BalanceSchema } from '../../../src/ledger/balances/balances.schema.ts';
import type { Charge as ChargeSchema } from '../../../src/ledger/charges/charges.schema.ts';
import type { Credit as CreditSchema } from '../../../src/ledger/credits/credits.schema.ts';
import type { LeaseChangePreview as LeaseChangePreviewSchema } from '../../../src/ledger/previews/previews.schema.ts';
import type { RecurringCharge as RecurringChargeSchema } from '../../../src/ledger/recurring/recurring.schema.ts';
import type {
  LedgerEntry as LedgerEntrySchema,
  Ledger as LedgerSchema,
} from '../../../src/ledger/statement/ledger.schema.ts';
import type { MaintenanceRequest as MaintenanceSchema } from '../../../src/maintenance/maintenance.schema.ts';
import type { Payment as PaymentSchema } from '../../../src/payments/payments.schema.ts';
import type { Property as PropertySchema } from '../../../src/properties/properties.schema.ts';
import type {
  AgingRow as AgingRowSchema,
  RentCollectedRow as RentCollectedRowSchema,
  RentRollRow as RentRollRowSchema,
} from '../../../src/reports/reports.schema.ts';
import type { Member } from '../../../src/team/team.schema.ts';
import type { Tenant as TenantSchema } from '../../../src/tenants/tenants.schema.ts';
import type { TestClock as TestClockSchema } from '../../../src/test-mode/test-mode.schema.ts';
import type { Unit as UnitSchema } from '../../../src/units/units.schema.ts';
import type {
  StoredWebhook as StoredWebhookSchema,
  Webhook as WebhookSchema,
  WebhookWithSecret as WebhookWithSecretSchema,
} from '../../../src/webhooks/webhooks.schema.ts';

/* The records as the server returns them: types only, from the schemas that the server validates with. */

export type Property = z.output<typeof PropertySchema>;
export type Unit = z.output<typeof UnitSchema>;
export type Tenant = z.output<typeof TenantSchema>;
export type Lease = z.output<typeof LeaseSchema>;
export type LateFees = Lease['late_fees'];
export type Payment = z.output<typeof PaymentSchema>;
export type Charge = z.output<typeof ChargeSchema>;
export type Credit = z.output<typeof CreditSchema>;
export type RecurringCharge = z.output<typeof RecurringChargeSchema>;
export type LeaseChangePreview = z.output<typeof LeaseChangePreviewSchema>;
export type Ledger = z.output<typeof LedgerSchema>;
export type LedgerEntry = z.output<typeof LedgerEntrySchema>;
export type Balance = z.output<typeof BalanceSchema>;
export type MaintenanceRequest = z.output<typeof MaintenanceSchema>;
export type Webhook = z.output<typeof WebhookSchema>;
export type StoredWebhook = z.output<typeof StoredWebhookSchema>;
export type WebhookWithSecret = z.output<typeof WebhookWithSecretSchema>;
export type Delivery = z.output<typeof DeliverySchema>;
export type DeliveryAttempt = z.output<typeof DeliveryAttemptSchema>;
export type DeliveryWithAttempts = z.output<typeof DeliveryWithAttemptsSchema>;
export type RentRollRow = z.output<typeof RentRollRowSchema>;
export type AgingRow = z.output<typeof AgingRowSchema>;
export type RentCollectedRow = z.output<typeof RentCollectedRowSchema>;

/** The path of each kind of record in the API. */
export interface Records {
  properties: Property;
  units: Unit;
  tenants: Tenant;
  leases: Lease;
  payments: Payment;
  charges: Charge;
  credits: Credit;
  'recurring-charges': RecurringCharge;
  maintenance: MaintenanceRequest;
}
export type Noun = keyof Records;

/** Lists by their path, including those whose rows are not records. */
export interface Lists extends Records {
  balances: Balance;
}
export type ListName = keyof Lists;

export type Role = Member['role'];
export type TestClock = z.output<typeof TestClockSchema>;

export type { Account } from '../../../src/accounts/accounts.schema.ts';
export type { ApiKey, KeyScope, NewApiKey } from '../../../src/api-keys/api-keys.schema.ts';
export type { AuditEntry } from '../../../src/audit/audit.schema.ts';
export type { File as RecordFile } from '../../../src/files/files.schema.ts';
export type { HistoryActor, HistoryEntry } from '../../../src/history/history.schema.ts';
export type { Activity, Home } from '../../../src/home/home.schema.ts';
export type { ImportOptions, ImportResult } from '../../../src/imports/imports.schema.ts';
export type { OwnVoidReason } from '../../../src/ledger/charges/charges.schema.ts';
export type { Assignee } from '../../../src/maintenance/assignees.schema.ts';
export type { PaymentTotals } from '../../../src/payments/payments.schema.ts';
export type { SearchResult } from '../../../src/search/search.schema.ts';
export type { AppSecret, RecoveryCodes, Security } from '../../../src/second-factor/second-factor.schema.ts';
export type { OwnSession, Session } from '../../../src/sessions/sessions.schema.ts';
export type { Invitation, Member, OpenInvitation, Team } from '../../../src/team/team.schema.ts';
export type { Tenancy } from '../../../src/units/tenancies.schema.ts';
export type { SavedView } from '../../../src/views/views.schema.ts';
export type { CatalogueEntry } from '../../../src/webhooks/event-catalogue.schema.ts';
