import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { isTestMode, queryString } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { sessionQuery, wasHere } from '../api/session.ts';
import { clockQuery } from '../api/test-clock.ts';
import { Broken, Missing, Waiting } from './fallbacks.tsx';
import { safeNext } from './safe-next.ts';
import { Shell } from './shell.tsx';

const root = createRootRoute({ notFoundComponent: () => <Missing />, errorComponent: Broken });

const session = () => queryClient.ensureQueryData(sessionQuery);

/** Pages for signed-in people. Others sign in first and then come back. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
  pendingComponent: Waiting,
  beforeLoad: async ({ location }) => {
    const { signed_in, can_sign_up } = await session();
    // Before anything asks what day it is.
    if (signed_in && isTestMode()) await queryClient.ensureQueryData(clockQuery);
    if (signed_in) return;
    const next = location.href === '/' ? undefined : location.href;
    // Somebody who asks for a certain page, or has been here before, already has an account.
    const isNew = can_sign_up && !next && !wasHere();
    throw redirect({ to: isNew ? '/sign-up' : '/sign-in', search: { next } as never });
  },
});

/** Pages for people who are not signed in. Others are sent on. */
const outside = createRoute({
  getParentRoute: () => root,
  id: 'outside',
  beforeLoad: async ({ search }) => {
    const { signed_in } = await session();
    if (signed_in) throw redirect({ href: safeNext((search as { next?: string }).next) });
  },
});

/** Forms are for people who may write. Others are sent to the page that they may read. */
const writersOnly = (path: string) =>
  /\/(new|edit)$/.test(path)
    ? {
        beforeLoad: async ({ location }: { location: { pathname: string } }) => {
          const { permission } = await session();
          if (permission !== 'write') {
            throw redirect({ href: location.pathname.replace(/\/(new|edit)$/, ''), replace: true });
          }
        },
      }
    : {};

/** A page, whose code is fetched on the first visit. */
function page<Module extends object>(
  path: string,
  load: () => Promise<Module>,
  name: keyof Module & string,
  parent: AnyRoute = inside,
) {
  return createRoute({
    getParentRoute: () => parent,
    path,
    ...writersOnly(path),
    component: lazyRouteComponent(load as () => Promise<Record<string, () => React.ReactNode>>, name),
  });
}

/** Redirects an address without a page of its own to the first page below it. */
const firstOf = (parent: AnyRoute, to: string) =>
  createRoute({
    getParentRoute: () => parent,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to, replace: true });
    },
  });

const auth = () => import('../features/auth/auth-pages.tsx');
const propertyForm = () => import('../features/properties/property-form.tsx');
const leaseForm = () => import('../features/leases/lease-form.tsx');
const requestForm = () => import('../features/maintenance/request-form.tsx');
const webhookForm = () => import('../features/webhooks/webhook-form.tsx');

const reports = page('/reports', () => import('../features/reports/reports-layout.tsx'), 'ReportsLayout');
const settings = page(
  '/settings',
  () => import('../features/settings/settings-layout.tsx'),
  'SettingsLayout',
);

const report: typeof page = (path, load, name) => page(path, load, name, reports);
const setting: typeof page = (path, load, name) => page(path, load, name, settings);

const routeTree = root.addChildren([
  outside.addChildren([page('/sign-in', auth, 'SignIn', outside), page('/sign-up', auth, 'SignUp', outside)]),
  page('/sign-in/return', () => import('../features/auth/single-sign-on.tsx'), 'ReturnFromSso', root),
  page('/invite/$token', () => import('../features/auth/invitation-page.tsx'), 'JoinByInvitation', root),
  inside.addChildren([
    page('/', () => import('../features/home/home.tsx'), 'HomePage'),
    page('/properties', () => import('../features/properties/property-list.tsx'), 'PropertiesPage'),
    page('/properties/new', propertyForm, 'NewPropertyPage'),
    page('/properties/$id', () => import('../features/properties/property-page.tsx'), 'PropertyPage'),
    page('/properties/$id/edit', propertyForm, 'EditPropertyPage'),
    page('/units', () => import('../features/units/unit-list.tsx'), 'UnitsPage'),
    page('/units/$id', () => import('../features/units/unit-redirect.tsx'), 'UnitRedirect'),
    page('/tenants', () => import('../features/tenants/tenant-list.tsx'), 'TenantsPage'),
    page('/tenants/new', () => import('../features/tenants/new-tenant.tsx'), 'NewTenantPage'),
    page('/tenants/$id', () => import('../features/tenants/tenant-page.tsx'), 'TenantPage'),
    page('/leases', () => import('../features/leases/lease-list.tsx'), 'LeasesPage'),
    page('/leases/new', leaseForm, 'NewLeasePage'),
    page('/leases/$id', () => import('../features/leases/lease-page.tsx'), 'LeasePage'),
    page('/leases/$id/edit', leaseForm, 'EditLeasePage'),
    page('/payments', () => import('../features/payments/payment-list.tsx'), 'PaymentsPage'),
    page('/payments/$id', () => import('../features/payments/payment-page.tsx'), 'PaymentPage'),
    page('/charges', () => import('../features/charges/charge-list.tsx'), 'ChargesPage'),
    page('/overdue', () => import('../features/overdue/overdue-page.tsx'), 'OverduePage'),
    page('/maintenance', () => import('../features/maintenance/request-list.tsx'), 'MaintenancePage'),
    page('/maintenance/new', requestForm, 'NewRequestPage'),
    page('/maintenance/$id', () => import('../features/maintenance/request-page.tsx'), 'RequestPage'),
    page('/maintenance/$id/edit', requestForm, 'EditRequestPage'),
    createRoute({ getParentRoute: () => inside, path: '$', component: () => <Missing isInside /> }),
    reports.addChildren([
      firstOf(reports, '/reports/rent-roll'),
      report('/rent-roll', () => import('../features/reports/rent-roll-page.tsx'), 'RentRollPage'),
      report(
        '/rent-collected',
        () => import('../features/reports/rent-collected-page.tsx'),
        'RentCollectedPage',
      ),
    ]),
    settings.addChildren([
      firstOf(settings, '/settings/account'),
      setting('/account', () => import('../features/settings/account-page.tsx'), 'AccountPage'),
      setting('/security', () => import('../features/security/security-page.tsx'), 'SecurityPage'),
      setting('/rent', () => import('../features/settings/rent-page.tsx'), 'RentPage'),
      setting('/team', () => import('../features/settings/team-page.tsx'), 'TeamPage'),
      setting('/api-keys', () => import('../features/settings/api-keys-page.tsx'), 'ApiKeysPage'),
      setting('/audit-log', () => import('../features/settings/audit-log-page.tsx'), 'AuditLogPage'),
      setting('/test-mode', () => import('../features/test-mode/test-mode-page.tsx'), 'TestModePage'),
      setting('/import', () => import('../features/imports/import-page.tsx'), 'ImportPage'),
      setting('/webhooks', () => import('../features/webhooks/webhook-list.tsx'), 'WebhooksPage'),
      setting('/webhooks/new', webhookForm, 'NewWebhookPage'),
      setting('/webhooks/$id', () => import('../features/webhooks/webhook-page.tsx'), 'WebhookPage'),
      setting('/webhooks/$id/edit', webhookForm, 'EditWebhookPage'),
    ]),
  ]),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  defaultPendingMinMs: 0,
  defaultNotFoundComponent: () => <Missing />,
  defaultErrorComponent: Broken,
  scrollRestoration: true,
  // Another record is another page: what was typed for the previous one must not be saved to it.
  defaultRemountDeps: ({ params }) => params,
  // Search parameters are plain text, so that people can read and write them.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => queryString(search as Record<string, string>),
});
