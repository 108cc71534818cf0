import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { queryString } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { sessionQuery, wasHere } from '../api/session.ts';
import { Broken, Missing, Waiting } from './fallbacks.tsx';
import { safeNext } from './safe-next.ts';
import { Shell } from './shell.tsx';

const root = createRootRoute({ notFoundComponent: Missing, errorComponent: Broken });

const session = () => queryClient.ensureQueryData(sessionQuery);

/** Everything that needs a person: who is not signed in signs in first and then comes back. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
  pendingComponent: Waiting,
  beforeLoad: async ({ location }) => {
    const { signed_in, can_sign_up } = await session();
    if (signed_in) return;
    const next = location.href === '/' ? undefined : location.href;
    // Whoever asks for a certain page, or was here before, has an account already.
    const isNew = can_sign_up && !next && !wasHere();
    throw redirect({ to: isNew ? '/sign-up' : '/sign-in', search: { next } as never });
  },
});

/** For those who are not signed in; others have no business here. */
const outsideOnly = async ({ search }: { search: Record<string, string> }) => {
  const { signed_in } = await session();
  if (signed_in) throw redirect({ href: safeNext(search.next) });
};

/** Forms are for those who may write; others are led to what they can read instead. */
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

const auth = () => import('../features/auth/auth-pages.tsx');
const properties = () => import('../features/properties/property-pages.tsx');
const tenants = () => import('../features/tenants/tenant-pages.tsx');
const leases = () => import('../features/leases/lease-pages.tsx');
const payments = () => import('../features/payments/payment-pages.tsx');
const maintenance = () => import('../features/maintenance/maintenance-pages.tsx');
const settings = () => import('../features/settings/settings-pages.tsx');
const reports = () => import('../features/reports/report-pages.tsx');
const imports = () => import('../features/imports/import-page.tsx');
const webhooks = () => import('../features/webhooks/webhook-pages.tsx');

const outer = (path: string, name: keyof Awaited<ReturnType<typeof auth>>, isOutsideOnly: boolean) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(auth, name),
    ...(isOutsideOnly ? { beforeLoad: outsideOnly as never } : {}),
  });

function page<Module extends Record<string, unknown>>(
  path: string,
  load: () => Promise<Module>,
  name: keyof Module & string,
) {
  return createRoute({
    getParentRoute: () => inside,
    path,
    ...writersOnly(path),
    component: lazyRouteComponent(load as () => Promise<Record<string, () => React.ReactNode>>, name),
  });
}

const settingsLayout = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  component: lazyRouteComponent(settings, 'SettingsLayout'),
});

const reportsLayout = createRoute({
  getParentRoute: () => inside,
  path: '/reports',
  component: lazyRouteComponent(reports, 'ReportsLayout'),
});

const reportsStart = createRoute({
  getParentRoute: () => reportsLayout,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/reports/rent-roll', replace: true });
  },
});

const report = (path: string, name: keyof Awaited<ReturnType<typeof reports>>) =>
  createRoute({
    getParentRoute: () => reportsLayout,
    path,
    component: lazyRouteComponent(reports, name),
  });

const setting = <Module extends Record<string, unknown>>(
  path: string,
  load: () => Promise<Module>,
  name: keyof Module & string,
) =>
  createRoute({
    getParentRoute: () => settingsLayout,
    path,
    ...writersOnly(path),
    component: lazyRouteComponent(load as () => Promise<Record<string, () => React.ReactNode>>, name),
  });

const settingsStart = createRoute({
  getParentRoute: () => settingsLayout,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/account', replace: true });
  },
});

const routeTree = root.addChildren([
  outer('/sign-in', 'SignIn', true),
  outer('/sign-up', 'SignUp', true),
  outer('/invite/$token', 'JoinByInvitation', false),
  inside.addChildren([
    page('/', () => import('../features/home/home.tsx'), 'HomePage'),
    page('/properties', properties, 'PropertiesPage'),
    page('/properties/new', properties, 'NewPropertyPage'),
    page('/properties/$id', properties, 'PropertyPage'),
    page('/properties/$id/edit', properties, 'EditPropertyPage'),
    page('/units/$id', properties, 'UnitRedirect'),
    page('/tenants', tenants, 'TenantsPage'),
    page('/tenants/new', tenants, 'NewTenantPage'),
    page('/tenants/$id', tenants, 'TenantPage'),
    page('/leases', leases, 'LeasesPage'),
    page('/leases/new', leases, 'NewLeasePage'),
    page('/leases/$id', leases, 'LeasePage'),
    page('/leases/$id/edit', leases, 'EditLeasePage'),
    page('/payments', payments, 'PaymentsPage'),
    page('/payments/$id', payments, 'PaymentPage'),
    page('/maintenance', maintenance, 'MaintenancePage'),
    page('/maintenance/new', maintenance, 'NewRequestPage'),
    page('/maintenance/$id', maintenance, 'RequestPage'),
    page('/maintenance/$id/edit', maintenance, 'EditRequestPage'),
    reportsLayout.addChildren([
      reportsStart,
      report('/rent-roll', 'RentRollPage'),
      report('/rent-collected', 'RentCollectedPage'),
    ]),
    settingsLayout.addChildren([
      settingsStart,
      setting('/account', settings, 'AccountPage'),
      setting('/team', settings, 'TeamPage'),
      setting('/api-keys', settings, 'ApiKeysPage'),
      setting('/import', imports, 'ImportPage'),
      setting('/webhooks', webhooks, 'WebhooksPage'),
      setting('/webhooks/new', webhooks, 'NewWebhookPage'),
      setting('/webhooks/$id', webhooks, 'WebhookPage'),
      setting('/webhooks/$id/edit', webhooks, 'EditWebhookPage'),
    ]),
  ]),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  defaultPendingMinMs: 0,
  defaultNotFoundComponent: Missing,
  defaultErrorComponent: Broken,
  scrollRestoration: true,
  // Another record is another page: what was opened or typed for the one before must not be saved to it.
  defaultRemountDeps: ({ params }) => params,
  // Search parameters are plain text, as people write and share them.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => queryString(search as Record<string, string>),
});
