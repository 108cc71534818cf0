import type { Page } from '@playwright/test';
import { appCode } from '../../test/support/authenticator.ts';
import { expect, settled, test } from '../fixtures.ts';
import { password } from '../people.ts';

async function signOut(page: Page): Promise<void> {
  await page.request.post('/internal/v1/sign-out', { headers: { origin: new URL(page.url()).origin } });
  await page.goto('/sign-in');
}

async function givePassword(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('a person turns on two-factor sign-in, signs in with a code and with a recovery code, and turns it off', async ({
  page,
  owner,
  watch,
}) => {
  watch.expectStatus(400);
  await page.goto('/settings/security');
  await settled(page);
  await page.getByRole('button', { name: 'Turn on' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill(password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByRole('img', { name: 'QR code' })).toBeVisible();
  const secret = (await dialog.locator('pre').innerText()).replaceAll(/\s/g, '');
  await dialog.getByLabel('Code from your app').fill('000000');
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await expect(dialog.getByLabel('Code from your app')).toHaveAccessibleDescription(/wrong/);
  await dialog.getByLabel('Code from your app').fill(appCode(secret));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await expect(dialog.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible();
  const codes = (await dialog.locator('pre').innerText()).split('\n');
  expect(codes).toHaveLength(10);
  await dialog.getByRole('button', { name: 'I have saved them' }).click();
  await expect(page.getByText('You have 10 recovery codes left.')).toBeVisible();

  await signOut(page);
  await givePassword(page, owner.email);
  const code = page.getByLabel('Code from your authenticator app');
  // The previous code has been used, and the next one is already valid.
  await code.fill(appCode(secret, 1));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: "Olivia Owner's houses" })).toBeVisible();

  await signOut(page);
  await givePassword(page, owner.email);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: "Olivia Owner's houses" })).toBeVisible();

  await page.goto('/settings/team');
  await expect(page.getByRole('table', { name: 'Members' })).toContainText('On');
  await page.goto('/settings/security');
  await page.getByRole('button', { name: 'Turn off' }).click();
  await dialog.getByLabel('Your password').fill(password);
  await dialog.getByLabel('Code', { exact: true }).fill(codes[1] ?? '');
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await expect(page.getByText('Two-factor sign-in is off')).toBeVisible();
});

test('a person adds a passkey, signs in with it, and removes it', async ({ page, owner, context, watch }) => {
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  await page.goto('/settings/security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('My laptop');
  await dialog.getByLabel('Your password').fill(password);
  await dialog.getByRole('button', { name: 'Add passkey' }).click();
  const passkeys = page.getByRole('table', { name: 'Passkeys' });
  await expect(passkeys).toContainText('My laptop');

  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('heading', { name: "Olivia Owner's houses" })).toBeVisible();
  expect((await owner.get<{ user: { email: string } }>('/session')).user.email).toBe(owner.email);

  await page.goto('/settings/security');
  await passkeys.getByRole('button', { name: 'Rename My laptop' }).click();
  await dialog.getByLabel('Name').fill('Old laptop');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await passkeys.getByRole('button', { name: 'Remove Old laptop' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Passkey removed')).toBeVisible();
  await expect(passkeys).toHaveCount(0);

  // The device still offers the passkey, but the service no longer knows it.
  watch.expectStatus(401);
  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByText('This passkey is not known here')).toBeVisible();
});
