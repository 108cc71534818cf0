import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { axe } from '../axe.ts';
import { expect, settled, test } from '../fixtures.ts';
import { makePdf } from '../pdf.ts';

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
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Key under the mat') },
    ]);
    await expect(files.getByRole('listitem')).toHaveCount(3);
    await settled(page);
    expect(await axe(page)).toEqual([]);

    await expect(files.getByRole('link', { name: 'Download notes.txt' })).toHaveAttribute('download');

    await page.getByRole('button', { name: 'Open front.jpg' }).click();
    await expect(page.getByRole('img', { name: 'front.jpg' })).toBeVisible();
    expect(await axe(page)).toEqual([]);
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

test('on a phone a photo comes from the camera, and a refusal says why', async ({ page, owner, watch }) => {
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
  await expect(page.getByText('Files of this kind are not accepted.')).toBeVisible();
  await page.getByRole('button', { name: 'Remove photo.jpg' }).click();
  expect(await axe(page)).toEqual([]);
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  expect(width).toBeLessThanOrEqual(375);
});

/** How dark the darkest point of a page is. For a page that is not drawn, it is 255. */
async function darkest(page: Page, number: number): Promise<number> {
  const picture = await page.getByRole('article', { name: `Page ${number} of` }).screenshot();
  const { channels } = await sharp(picture).greyscale().stats();
  return channels[0]?.min ?? 255;
}

const screens = [
  ['dark', 375],
  ['light', 1280],
] as const;

for (const [scheme, width] of screens)
  test(`a PDF is shown in place, page by page, and runs nothing (${scheme}, ${width} px)`, async ({
    page,
    owner,
  }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 740 });
    const made = await owner.post<{ id: string }>('/properties', { name: 'Maple Court' });
    await page.goto(`/properties/${made.id}`);
    const pages = Array.from({ length: 40 }, (_, at) => `Clause ${at + 1} of the lease`);
    await page
      .getByLabel('Add files')
      .setInputFiles([{ name: 'lease.pdf', mimeType: 'application/pdf', buffer: await makePdf(pages) }]);
    await page.getByRole('button', { name: 'Open lease.pdf' }).click();
    const viewer = page.getByRole('dialog', { name: 'lease.pdf' });
    await expect(viewer.getByText('Page 1 of 40')).toBeVisible();
    await expect(viewer.getByText('Clause 1 of the lease')).toBeAttached();
    await expect.poll(() => darkest(page, 1)).toBeLessThan(50);
    expect(await axe(page)).toEqual([]);

    // Keys work without a click, since the pages have the focus.
    await page.keyboard.press('End');
    await expect(viewer.getByText('Page 40 of 40')).toBeVisible();
    await expect(viewer.getByText('Clause 40 of the lease')).toBeAttached();
    // Pages that are far away are released.
    await expect(viewer.getByText('Clause 1 of the lease')).not.toBeAttached();
    await expect.poll(() => viewer.locator('canvas').count()).toBeLessThan(12);

    const shown = viewer.getByRole('article', { name: 'Page 40 of 40' });
    const before = (await shown.boundingBox())?.width ?? 0;
    await page.keyboard.press('+');
    await expect.poll(async () => (await shown.boundingBox())?.width).toBeGreaterThan(before);
    await viewer.getByRole('button', { name: 'Fit to width' }).click();
    await expect.poll(async () => (await shown.boundingBox())?.width).toBe(before);
    expect(before).toBeLessThanOrEqual(width);
    await page.keyboard.press('Escape');
    await expect(viewer).not.toBeVisible();
  });

test('a PDF that is damaged or protected says so, and can be downloaded', async ({ page, owner }) => {
  const made = await owner.post<{ id: string }>('/properties', { name: 'Maple Court' });
  await page.goto(`/properties/${made.id}`);
  const protectedPdf = await makePdf(['Secret'], { userPassword: 'secret', pdfVersion: '1.7' });
  await page.getByLabel('Add files').setInputFiles([
    {
      name: 'broken.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4\ntrailer << >>\n%%EOF'),
    },
    { name: 'locked.pdf', mimeType: 'application/pdf', buffer: protectedPdf },
  ]);
  await page.getByRole('button', { name: 'Open broken.pdf' }).click();
  const problem = page.getByRole('dialog').getByRole('alert');
  await expect(problem).toContainText('This PDF is damaged or not complete');
  await expect(problem.getByRole('link', { name: 'Download' })).toHaveAttribute('download');
  await page.keyboard.press('ArrowRight');
  await expect(problem).toContainText('This PDF is protected with a password');
  expect(await axe(page)).toEqual([]);
});

test('a file on its way shows how far it is, and can be stopped', async ({ page, owner }) => {
  const made = await owner.post<{ id: string }>('/properties', { name: 'Maple Court' });
  await page.goto(`/properties/${made.id}`);
  const browser = await page.context().newCDPSession(page);
  const sendAt = (uploadThroughput: number) =>
    browser.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1 },
      uploadThroughput,
    });
  await sendAt(10_000);
  const text = (name: string, bytes: number) => ({
    ...{ name, mimeType: 'text/plain', buffer: Buffer.alloc(bytes, 'x') },
  });
  await page.getByLabel('Add files').setInputFiles([text('long.txt', 2_000_000), text('short.txt', 20_000)]);
  const progress = page.getByRole('progressbar', { name: 'Sending long.txt' });
  await expect.poll(async () => Number(await progress.getAttribute('value'))).toBeGreaterThan(0);
  await expect(page.getByText(/^\d+% of 1.9 MB$/)).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Stop long.txt' }).click();
  await sendAt(-1);
  const files = page.getByRole('list', { name: 'Files', exact: true });
  await expect(files.getByRole('listitem')).toHaveCount(1);
  await expect(files.getByText('short.txt')).toBeVisible();
  await expect(progress).toHaveCount(0);
});
