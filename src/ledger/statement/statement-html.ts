import { createHash } from 'node:crypto';
import { escapeHtml } from '../../system/html.ts';
import type { StatementView } from './ledger.schema.ts';
import { columns, type Row, wordsOf } from './statement-words.ts';

const css = `
:root { color-scheme: light; }
body { margin: 2.5rem auto; max-width: 46rem; padding: 0 1rem; color: #1a1a1a;
  font: 14px/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
header { display: flex; justify-content: space-between; gap: 1rem; align-items: baseline; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1rem; margin: 2rem 0 0.25rem; }
p.account { font-weight: 600; margin: 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1.5rem; margin: 1.5rem 0; }
dt { color: #555; } dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th, td { border-bottom: 1px solid #ddd; padding: 0.35rem 0.5rem; text-align: left; vertical-align: top; }
th { font-weight: 600; border-bottom-color: #999; }
td { overflow-wrap: anywhere; }
th.amount, td.amount { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
th.amount { white-space: normal; } td.date { white-space: nowrap; }
p.result { font-size: 1.1rem; font-weight: 600; margin: 1.5rem 0 0; }
@media print { body { margin: 0; max-width: none; padding: 0; } @page { margin: 18mm; } }
`;

/** The page has its own style, loads nothing else and runs nothing. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A page to print, made from the statement's JSON. */
export async function statementPage(body: string): Promise<{ content: string; policy: string }> {
  const { account, title, about, rows, result, sections } = wordsOf(
    (JSON.parse(body) as { data: StatementView }).data,
  );
  const content = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(`${title}, ${about[0]?.[1].join(', ')}`)}</title>
<style>${css}</style>
</head>
<body>
<header><h1>${title}</h1><p class="account">${escapeHtml(account)}</p></header>
<dl>
${about.map(([name, lines]) => `<dt>${name}</dt><dd>${lines.map(escapeHtml).join('<br>')}</dd>`).join('\n')}
</dl>
<table>
<thead><tr>${columns.map((column) => `<th scope="col"${classOf(column)}>${column}</th>`).join('')}</tr></thead>
<tbody>
${rows.map(rowHtml).join('\n')}
</tbody>
</table>
<p class="result">${escapeHtml(result)}</p>
${sections.map(sectionHtml).join('\n')}
</body>
</html>
`;
  return { content, policy };
}

const classOf = (column: keyof Row): string =>
  column === 'Date' ? ' class="date"' : column === 'Description' ? '' : ' class="amount"';

const rowHtml = (row: Row): string =>
  `<tr>${columns.map((column) => `<td${classOf(column)}>${escapeHtml(row[column])}</td>`).join('')}</tr>`;

const sectionHtml = ({ title, lines }: { title: string; lines: [string, string][] }): string =>
  `<h2>${title}</h2>
<table><tbody>
${lines.map(([text, value]) => `<tr><td>${escapeHtml(text)}</td><td class="amount">${escapeHtml(value)}</td></tr>`).join('\n')}
</tbody></table>`;
