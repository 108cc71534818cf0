import AxeBuilder from '@axe-core/playwright';
import sharp from 'sharp';
import { expect, settled, test } from './fixtures.ts';

const pdf = Buffer.from('%PDF-1.4\ntrailer << >>\n%%EOF');

const photo = (background: string) =>
  sharp({ create: { width: 800, height: 600, channels: 3, background } })
    .jpeg()
    .toBuffer();

for (const scheme of ['light', 'dark'] as const)
  test(`photos and documents are added, shown, renamed, moved and deleted (${scheme})`, async ({
    page,
    owner,
  }) => {
    await page.emulateMedia({ colorScheme: scheme });
    const made = await owner.post<{ id: string }>('/properties', { name: 'Maple Court' });
    await page.goto(`/properties/${made.id}`);
    const files = page.getByRole('list', { name: 'Files', exact: true });
    await page.getByLabel('Add files').setInputFiles([
      { name: 'front.jpg', mimeType: 'image/jpeg', buffer: await photo('#446688') },
      { name: 'back.jpg', mimeType: 'image/jpeg', buffer: await photo('#664422') },
      { name: 'lease.pdf', mimeType: 'application/pdf', buffer: pdf },
    ]);
    await expect(files.getByRole('listitem')).toHaveCount(3);
    await settled(page);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations).toEqual([]);

    await expect(files.getByRole('link', { name: 'Download lease.pdf' })).toHaveAttribute('download');

    await page.getByRole('button', { name: 'Open front.jpg' }).click();
    await expect(page.getByRole('img', { name: 'front.jpg' })).toBeVisible();
    const inViewer = await new AxeBuilder({ page }).analyze();
    expect(inViewer.violations).toEqual([]);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Actions for back.jpg' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Garden');
    await page.getByRole('button', { name: 'Rename' }).click();
    await expect(files.getByText('Garden.jpg')).toBeVisible();

    await page.getByRole('button', { name: 'Actions for Garden.jpg' }).click();
    await page.getByRole('menuitem', { name: /^Move/ }).first().click();
    await expect(files.getByRole('listitem').first()).toContainText('Garden.jpg');

    await page.getByRole('button', { name: 'Actions for Garden.jpg' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(files.getByRole('listitem')).toHaveCount(2);
  });

test('on a phone a photo comes from the camera, and what is refused says why', async ({
  page,
  owner,
  watch,
}) => {
  watch.expectStatus(415);
  await page.setViewportSize({ width: 375, height: 740 });
  const made = await owner.post<{ id: string }>('/properties', { name: 'Maple Court' });
  await page.goto(`/properties/${made.id}`);
  await expect(page.getByLabel('Take photo')).toHaveAttribute('capture', 'environment');
  await page
    .getByLabel('Take photo')
    .setInputFiles([{ name: 'leak.jpg', mimeType: 'image/jpeg', buffer: await photo('#223344') }]);
  const files = page.getByRole('list', { name: 'Files', exact: true });
  await expect(files.getByRole('listitem')).toHaveCount(1);
  await page
    .getByLabel('Add files')
    .setInputFiles([
      { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<script>1</script>') },
    ]);
  await expect(page.getByText('This kind of file is not kept.')).toBeVisible();
  await page.getByRole('button', { name: 'Remove photo.jpg' }).click();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  expect(width).toBeLessThanOrEqual(375);
});
