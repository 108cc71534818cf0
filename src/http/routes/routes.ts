import { accountChoiceRoutes, accountRoutes } from '../../accounts/accounts.routes.ts';
import { apiKeyRoutes } from '../../api-keys/api-keys.routes.ts';
import { auditRoutes } from '../../audit/audit.routes.ts';
import { authRoutes } from '../../auth/auth.routes.ts';
import { openIdRoutes } from '../../auth/openid.routes.ts';
import { batchRoutes } from '../../batches/batches.routes.ts';
import { closingRoutes } from '../../closing/closing.routes.ts';
import { deliveryRoutes } from '../../deliveries/deliveries.routes.ts';
import { apiVersion } from '../../events/catalogue.ts';
import { eventRoutes } from '../../events/events.routes.ts';
import { externalIdRoutes } from '../../external-ids/external-ids.routes.ts';
import { fileRoutes } from '../../files/files.routes.ts';
import { historyRoutes } from '../../history/history.routes.ts';
import { homeRoutes } from '../../home/home.routes.ts';
import { importRoutes } from '../../imports/imports.routes.ts';
import { queueRoutes } from '../../imports/queue/queue.routes.ts';
import { leaseRoutes } from '../../leases/leases.routes.ts';
import { balanceRoutes } from '../../ledger/balances/balances.routes.ts';
import { chargeRoutes } from '../../ledger/charges/charges.routes.ts';
import { creditRoutes } from '../../ledger/credits/credits.routes.ts';
import { depositRoutes } from '../../ledger/deposits/deposits.routes.ts';
import { previewRoutes } from '../../ledger/previews/previews.routes.ts';
import { recurringRoutes } from '../../ledger/recurring/recurring.routes.ts';
import { statementRoutes } from '../../ledger/statement/statement.routes.ts';
import { assigneeRoutes } from '../../maintenance/assignees.routes.ts';
import { maintenanceRoutes } from '../../maintenance/maintenance.routes.ts';
import { moveInRoutes } from '../../move-in/move-in.routes.ts';
import { paymentTotalsRoutes } from '../../payments/payment-totals.routes.ts';
import { paymentRoutes } from '../../payments/payments.routes.ts';
import { privacyRoutes } from '../../privacy/privacy.routes.ts';
import { propertyRoutes } from '../../properties/properties.routes.ts';
import { reportRoutes } from '../../reports/reports.routes.ts';
import { searchRoutes } from '../../search/search.routes.ts';
import { secondFactorRoutes } from '../../second-factor/second-factor.routes.ts';
import { ownSessionRoutes } from '../../sessions/sessions.routes.ts';
import { teamRoutes } from '../../team/team.routes.ts';
import { tenantRoutes } from '../../tenants/tenants.routes.ts';
import { testModeRoutes } from '../../test-mode/test-mode.routes.ts';
import { tenancyRoutes } from '../../units/tenancies.routes.ts';
import { unitRoutes } from '../../units/units.routes.ts';
import { viewRoutes } from '../../views/views.routes.ts';
import { eventCatalogueRoutes } from '../../webhooks/event-catalogue.routes.ts';
import { webhookRoutes } from '../../webhooks/webhooks.routes.ts';
import { accountExport } from './account-export.ts';
import type { Route } from './route.ts';

export const apiPrefix = `/api/${apiVersion}`;
/** The same routes, and the dashboard's own, with a session instead of a key. */
export const internalPrefix = '/internal/v1';

/** The table of all routes that every key can reach, with who may call them. */
export const routes: Route[] = [
  ...propertyRoutes,
  ...unitRoutes,
  ...tenantRoutes,
  ...moveInRoutes,
  ...privacyRoutes,
  ...leaseRoutes,
  ...paymentRoutes,
  ...chargeRoutes,
  ...creditRoutes,
  ...recurringRoutes,
  ...previewRoutes,
  ...depositRoutes,
  ...balanceRoutes,
  ...statementRoutes,
  ...maintenanceRoutes,
  ...batchRoutes,
  ...fileRoutes,
  ...externalIdRoutes,
  ...queueRoutes,
  ...historyRoutes,
  ...reportRoutes,
  ...webhookRoutes,
  ...deliveryRoutes,
  ...eventRoutes,
  ...accountRoutes,
  ...auditRoutes,
];

/** Includes the routes that only test keys can see. */
export const apiRoutes: Route[] = [...routes, ...testModeRoutes];

/** The dashboard's routes besides those of the API: people, keys, and figures for its pages. */
export const sessionRoutes: Route[] = [
  ...authRoutes,
  ...ownSessionRoutes,
  ...secondFactorRoutes,
  ...openIdRoutes,
  ...accountChoiceRoutes,
  ...closingRoutes,
  accountExport(routes),
  ...teamRoutes,
  ...apiKeyRoutes,
  ...homeRoutes,
  ...searchRoutes,
  ...viewRoutes,
  ...paymentTotalsRoutes,
  ...tenancyRoutes,
  ...assigneeRoutes,
  ...eventCatalogueRoutes,
  ...importRoutes,
];

export const internalRoutes: Route[] = [...apiRoutes, ...sessionRoutes];
