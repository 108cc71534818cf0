import { ExternalLink } from 'lucide-react';
import { useCanWrite, useIsOwner } from '../../api/session.ts';
import { TabsLayout, tabClass } from '../../ui/tabs.tsx';

const tabs = [
  ['/settings/account', 'Account'],
  ['/settings/security', 'Security'],
  ['/settings/rent', 'Rent'],
  ['/settings/team', 'Team'],
  ['/settings/api-keys', 'API keys'],
  ['/settings/webhooks', 'Webhooks'],
  ['/settings/test-mode', 'Test mode'],
] as const;
const importTab = ['/settings/import', 'Import'] as const;

const auditTab = ['/settings/audit-log', 'Audit log'] as const;

export const SettingsLayout = () => (
  <TabsLayout
    label="Settings"
    tabs={[...tabs, ...(useCanWrite() ? [importTab] : []), ...(useIsOwner() ? [auditTab] : [])]}
  >
    <a href="/docs" target="_blank" rel="noopener" className={tabClass}>
      API reference <ExternalLink aria-hidden="true" className="size-3.5" />
    </a>
  </TabsLayout>
);
