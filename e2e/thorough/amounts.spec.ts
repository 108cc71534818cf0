import type { Page } from '@playwright/test';
import { expect, settled, test, walkTo } from '../fixtures.ts';
import type { Person } from '../people.ts';

/* In some currencies ordinary amounts have many figures. */

interface Named {
  id: string;
  name: string;
}

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

/** A tenant of four months who has paid once and owes rent, a large charge and the deposit. */
async function largeAmounts(owner: Person, currency: string, rent: number, charge: number) {
  await owner.patch('/account', { currency });
  const property = await owner.post<Named>('/properties', {
    name: 'Maple Court',
    units: [
      { name: '1A', market_rent_cents: rent },
      { name: '1B', market_rent_cents: rent },
    ],
  });
  const [unit] = await owner.get<Named[]>(`/units?property_id=${property.id}`);
  const tenant = await owner.post<Named>('/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  const lease = await owner.post<Named>('/leases', {
    unit_id: unit?.id,
    tenant_ids: [tenant.id],
    start_date: day(-130),
    ledger_from: day(-130),
    rent_cents: rent,
    deposit_cents: rent,
    currency,
  });
  const by = { tenant_id: tenant.id, lease_id: lease.id, currency };
  await owner.post('/payments', { ...by, amount_cents: rent, paid_on: day(-40) });
  await owner.post('/charges', {
    lease_id: lease.id,
    kind: 'utility',
    amount_cents: charge,
    due_on: day(-1),
    memo: 'Water',
  });
  return { property, tenant, lease };
}

/** Every amount that is tiny, leaves a box around it, or lies on another text or a button. */
const misplaced = (page: Page): Promise<string[]> => page.evaluate<string[]>(`(${findMisplaced})()`);

// It runs in the page, which this project's types for Node do not describe.
const findMisplaced = `() => {
  const found = [];
  const slack = 1;
  const dialog = document.querySelector('[role=dialog]');
  // What is scrolled away is not in view, so nothing can lie on it.
  const seen = ({ left, right, top, bottom }, element) => {
    for (let around = element; around !== document.body; around = around.parentElement)
      if (getComputedStyle(around).overflowY === 'auto') {
        const edge = around.getBoundingClientRect();
        top = Math.max(top, edge.top);
        bottom = Math.min(bottom, edge.bottom);
      }
    return { left, right, top, bottom };
  };
  const items = [];
  const walker = document.createTreeWalker(dialog ?? document.querySelector('main'), NodeFilter.SHOW_ALL);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    const isIcon = node.nodeName === 'svg';
    if (!isIcon && (node.nodeType !== Node.TEXT_NODE || node.data.trim() === '')) continue;
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('.sr-only, select')) continue;
    const range = document.createRange();
    range.selectNode(node);
    const text = isIcon ? 'an icon' : node.data.trim();
    const isAmount = /\\d[.,]\\d/.test(text) || /^\\D{1,4}\\d+[KMB]?$/.test(text);
    const boxes = (isIcon ? [element.getBoundingClientRect()] : [...range.getClientRects()]).map((box) => seen(box, element));
    items.push({ element, text, isAmount, boxes });
  }
  for (const { element, text } of items.filter(({ isAmount }) => isAmount))
    if (parseFloat(getComputedStyle(element).fontSize) < 9.5) found.push(text + ' is too small to be read');
  const leaves = (box, around) => box.left < around.left - slack || box.right > around.right + slack;
  for (const { element, text, boxes } of items.filter(({ isAmount }) => isAmount))
    for (let around = element; around !== document.body; around = around.parentElement) {
      const { display, overflowX } = getComputedStyle(around);
      // It may be scrolled to.
      if (overflowX === 'auto' || overflowX === 'scroll') break;
      if (display === 'inline' || display === 'contents') continue;
      if (boxes.some((box) => leaves(box, around.getBoundingClientRect())))
        found.push(text + ' leaves its ' + around.localName + ' ' + around.className);
    }
  const isOn = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > slack &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > slack;
  items.forEach((one, index) => {
    for (const other of items.slice(index + 1))
      if ((one.isAmount || other.isAmount) && one.boxes.some((box) => other.boxes.some((each) => isOn(box, each))))
        found.push(one.text + ' and ' + other.text + ' overlap');
  });
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) found.push('the page is ' + scrollWidth + ' px wide');
  return found;
}`;

const currencies = [
  ['IDR', 1_250_000_000, 33_500_000_000],
  ['KWD', 123_456, 1_234_567],
  ['USD', 1_000_000_000_000, 866_104_984_000],
] as const;

for (const [currency, rent, charge] of currencies)
  test(`long amounts in ${currency} stay in their places, on a desk and a phone`, async ({ page, owner }) => {
    const { property, tenant, lease } = await largeAmounts(owner, currency, rent, charge);
    const paths = [
      '/',
      '/charges',
      '/payments',
      '/overdue',
      '/tenants',
      '/leases',
      '/units',
      `/properties/${property.id}`,
      `/tenants/${tenant.id}`,
      `/leases/${lease.id}`,
      '/reports/rent-roll',
      '/reports/rent-collected',
      '/reports/rent-collected?by=property',
    ];
    for (const [width, height] of [
      [1280, 800],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const path of paths) {
        await walkTo(page, path);
        expect.soft(await misplaced(page), `${path} at ${width} px`).toEqual([]);
      }
      await walkTo(page, `/leases/${lease.id}`);
      await page.getByRole('button', { name: 'Record payment' }).click();
      await expect(page.getByLabel('What this pays').getByRole('row').nth(2)).toBeVisible();
      expect.soft(await misplaced(page), `Record payment at ${width} px`).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await settled(page);
    }
  });
