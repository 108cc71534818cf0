import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const documents = ['*.md', 'docs/**/*.md', 'db/*.md', 'bench/README.md', 'integrations/*/*.md'].flatMap(
  (pattern) => globSync(pattern),
);

/** The anchors that a code host gives to headings. */
const anchorsOf = (markdown: string) =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(/\s/g, '-'),
  );

test.each(documents)('the links of %s lead somewhere', (document) => {
  const text = readFileSync(document, 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  for (const link of links.filter((each) => !/^(https?:|\/)/.test(each))) {
    const [file = '', anchor] = link.split('#');
    const path = file === '' ? document : join(dirname(document), file);
    expect(existsSync(path), link).toBe(true);
    if (anchor) expect(anchorsOf(readFileSync(path, 'utf8')), link).toContain(anchor);
  }
});

test('the README fits on 120 lines, and texts into 120 columns (but for rows of tables)', () => {
  expect(readFileSync('README.md', 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(120);
  for (const document of documents.filter((each) => each !== 'db/schema.md'))
    for (const line of readFileSync(document, 'utf8').split('\n'))
      if (!line.startsWith('|')) expect(line.length, `${document}: ${line}`).toBeLessThanOrEqual(120);
});

test('the map in ARCHITECTURE.md names all folders of src and the files beside them, and no others', () => {
  const [, map = ''] = /^src\/\n((?: .*\n)+)/m.exec(readFileSync('ARCHITECTURE.md', 'utf8')) ?? [];
  // Each line has one or several names and then, after two spaces, what is there.
  const names = [...map.matchAll(/^ {2}(\S+(?: \S+)*)/gm)].flatMap(([, first = '']) => first.split(' '));
  const paths = names.flatMap((name) => {
    const [, before, inside, after] = /^(.*)\{(.*)\}(.*)$/.exec(name) ?? ['', '', '', name];
    return (inside ?? '')
      .split(',')
      .map((each) => join('src', `${before}${each}${after}`).replace(/\/$/, ''));
  });
  const files = globSync('src/**/*.ts').filter((path) => !path.endsWith('.test.ts'));
  const there = new Set(files.map((path) => (dirname(path) === 'src' ? path : dirname(path))));
  expect(paths.toSorted()).toEqual([...there].toSorted());
});
