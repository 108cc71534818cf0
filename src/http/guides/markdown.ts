import { Marked, type RendererObject, type Tokens } from 'marked';
import { escapeHtml } from '../../system/html.ts';
import { linkTarget } from './list.ts';

export interface Rendered {
  html: string;
  title: string;
  /** Its first paragraph, as plain text. */
  summary: string;
}

/**
 * Renders a Markdown file as HTML. `address` is this service's address, which the samples call
 * `http://localhost:3000`. HTML in the text is shown as text.
 */
export function renderMarkdown(markdown: string, file: string, address: string): Rendered {
  const here = markdown.replaceAll('http://localhost:3000', () => address);
  const marked = new Marked({ renderer: renderer(file) });
  const tokens = marked.lexer(here);
  const first = (type: string) => tokens.find((token) => token.type === type) as Tokens.Text | undefined;
  return {
    html: marked.parser(tokens),
    title: plainText(first('heading')?.text ?? file),
    summary: plainText(first('paragraph')?.text ?? ''),
  };
}

function renderer(file: string): RendererObject {
  const taken = new Map<string, number>();
  return {
    heading({ tokens, depth }) {
      const text = this.parser.parseInline(tokens);
      if (depth === 1) return `<h1>${text}</h1>\n`;
      const id = anchor(this.parser.parseInline(tokens, this.parser.textRenderer), taken);
      return `<h${depth} id="${id}">${text}<a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`;
    },
    code({ text, lang = '' }) {
      if (lang === 'mermaid') return transitions(text);
      // The tabindex lets a keyboard scroll it.
      const content = lang === 'console' ? consoleLines(text) : escapeHtml(text);
      return `<pre tabindex="0"><code>${content}\n</code></pre>\n`;
    },
    table(token) {
      const cells = (tag: string, row: Tokens.TableCell[]) =>
        `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>\n`;
      const body = token.rows.map((row) => cells('td', row)).join('');
      return `<div class="wide" tabindex="0"><table><thead>${cells('th', token.header)}</thead><tbody>${body}</tbody></table></div>\n`;
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const target = linkTarget(href, file);
      return target === null ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
    },
    image: ({ text }) => escapeHtml(text),
    html: ({ text }) => (/^\s*<!--[\s\S]*-->\s*$/.test(text) ? '' : escapeHtml(text)),
  };
}

/** Anchors as code hosts make them, so that links to sections work in both. */
function anchor(text: string, taken: Map<string, number>): string {
  const slug = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
  const before = taken.get(slug) ?? 0;
  taken.set(slug, before + 1);
  return before === 0 ? slug : `${slug}-${before}`;
}

/** Commands stand out from their output, and the prompt is not copied with them. */
function consoleLines(text: string): string {
  let typing = false;
  return text
    .split('\n')
    .map((line) => {
      const starts = line.startsWith('$ ');
      const typed = starts || typing;
      typing = typed && line.endsWith('\\');
      if (!typed) return escapeHtml(line);
      const prompt = starts ? '<span class="prompt">$ </span>' : '';
      return `${prompt}<b>${escapeHtml(starts ? line.slice(2) : line)}</b>`;
    })
    .join('\n');
}

/** Renders a state diagram as a table of its transitions: drawing it would need a script. */
function transitions(diagram: string): string {
  const rows = [...diagram.matchAll(/^\s*(\S+) --> (\S+)(?: : (.*))?$/gm)].map(
    ([, from = '', to = '', why = '']) => {
      const cells = [from.replace('[*]', '(start)'), to.replace('[*]', '(end)'), why];
      return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>\n`;
    },
  );
  return `<div class="wide" tabindex="0"><table><thead><tr><th>from</th><th>to</th><th>when</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>\n`;
}

const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ');
