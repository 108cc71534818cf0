export { AccountPage } from './account-page.tsx';
export { ApiKeysPage } from './api-keys-page.tsx';
export { SettingsLayout } from './settings-layout.tsx';
export { TeamPage } from './team-page.tsx';
