import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What axe finds wrong in a page, or in a part of it, by all its rules or by these. */
export async function axe(page: Page, { rules = [], part }: { rules?: string[]; part?: string } = {}) {
  // In legacy mode axe looks at no frames, which we do not have. Otherwise it opens another page for every judgement.
  // Nor are the elements described that are as they should be.
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  if (rules.length > 0) builder.withRules(rules);
  if (part) builder.include(part);
  return (await builder.analyze()).violations;
}
