import { escapeHtml } from '../../system/html.ts';
import { type Guide, guides, guidesPath, referencePath, stylesPath } from './list.ts';

interface Page {
  title: string;
  summary: string;
  content: string;
  /** The guide's name; null for other pages. */
  name: string | null;
}

/** The layout of all pages. The list comes after the text, where a small screen shows it. */
export function layout({ title, summary, content, name }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Tenure</title>
<meta name="description" content="${escapeHtml(summary)}">
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="${stylesPath}">
</head>
<body>
<header>
<a class="name" href="/">Tenure</a>
<nav aria-label="Documentation">
<a href="${guidesPath}">Guides</a>
<a href="${referencePath}">API reference</a>
</nav>
</header>
<div class="page">
<main>
${content}${neighbours(name)}</main>
<nav class="guides" aria-label="Guides">
${groups(name)}
</nav>
</div>
</body>
</html>
`;
}

export const notFoundContent = (): string => `<h1>No such guide</h1>
<p>There is no page at this address. These are the guides:</p>
<ul>
${guides.map(({ name, label }) => `<li><a href="${guidesPath}/${name}">${escapeHtml(label)}</a></li>`).join('\n')}
</ul>
<p>Every request and every field is in the <a href="${referencePath}">API reference</a>.</p>
`;

function groups(current: string | null): string {
  return [...new Set(guides.map(({ group }) => group))]
    .map((group) => {
      const items = guides.filter((guide) => guide.group === group).map((guide) => item(guide, current));
      return `<h2>${escapeHtml(group)}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
    })
    .join('\n');
}

function item({ name, label }: Guide, current: string | null): string {
  const here = name === current ? ' aria-current="page"' : '';
  return `<li><a href="${guidesPath}/${name}"${here}>${escapeHtml(label)}</a></li>`;
}

function neighbours(name: string | null): string {
  const at = guides.findIndex((guide) => guide.name === name);
  if (at < 0) return '';
  const link = (guide: Guide | undefined, kind: string, word: string) =>
    guide
      ? `<a rel="${kind}" href="${guidesPath}/${guide.name}"><span>${word}</span>${escapeHtml(guide.label)}</a>`
      : '';
  return `<nav class="neighbours" aria-label="Previous and next">${link(guides[at - 1], 'prev', 'Previous')}${link(guides[at + 1], 'next', 'Next')}</nav>\n`;
}
