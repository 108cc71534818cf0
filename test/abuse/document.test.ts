import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/* Every promise in docs/security.md names the test that shows it. */

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'docs/security.md'), 'utf8');
const sections = text.split(/^## /m).slice(1);
const linksIn = (section: string) => [...section.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, to = '']) => to);

test('every point of the OWASP API Security Top 10 is there, with a test', () => {
  for (let point = 1; point <= 10; point++) {
    const section = sections.find((each) => each.startsWith(`API${point}:2023`));
    expect(section, `API${point}`).toBeDefined();
    const tests = linksIn(section ?? '').filter((to) => to.endsWith('.test.ts'));
    expect(tests.length, `API${point}`).toBeGreaterThan(0);
  }
});

test('no test against abuse is left out', () => {
  for (const file of globSync('test/abuse/**/*.test.ts', { cwd: root }))
    expect(linksIn(text), file).toContain(`../${file}`);
});
