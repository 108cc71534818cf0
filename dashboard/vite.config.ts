import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * The Content-Security-Policy allows no inline style elements. Two libraries create them. Both are changed to use
 * constructed style sheets, which the policy allows.
 */
function constructedStyleSheets(): Plugin {
  return {
    name: 'constructed-style-sheets',
    enforce: 'pre',
    transform(code, id) {
      if (!id.includes('/sonner/dist/')) return null;
      const changed = code.replace(
        /function __insertCSS\(code\) \{[\s\S]*?\n\}/,
        'function __insertCSS(code) { const sheet = new CSSStyleSheet(); sheet.replaceSync(code); document.adoptedStyleSheets.push(sheet); }',
      );
      if (changed === code) this.error('sonner now inserts its styles in another way');
      return changed;
    },
  };
}

const compressions = [
  ['gz', (text: Buffer) => promisify(gzip)(text, { level: 9 })],
  ['br', (text: Buffer) => promisify(brotliCompress)(text)],
] as const;

/**
 * Compresses text files once, at the highest level, instead of at every request. This happens in parallel, on every
 * core.
 */
function packed(): Plugin {
  return {
    name: 'packed',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const files = readdirSync(dir, { recursive: true, encoding: 'utf8' });
      const texts = files.filter((name) => /\.(m?js|css|html|svg|webmanifest)$/.test(name));
      const pack = async (file: string) => {
        const text = await readFile(join(dir, file));
        for (const [ending, compress] of compressions)
          await writeFile(join(dir, `${file}.${ending}`), await compress(text));
      };
      await Promise.all(texts.map(pack));
    },
  };
}

const pdfjs = fileURLToPath(new URL('../node_modules/pdfjs-dist', import.meta.url));

/**
 * Fonts, character maps and decoders that pdf.js fetches by name when a document needs them. The version in their
 * address lets them be kept for ever, like all of `assets/`.
 */
function pdfFiles(): Plugin {
  const { version } = JSON.parse(readFileSync(join(pdfjs, 'package.json'), 'utf8')) as { version: string };
  const folder = `assets/pdfjs-${version}`;
  return {
    name: 'pdf-files',
    config: (_config, { command }) => ({
      define: { PDFJS_FILES: JSON.stringify(command === 'build' ? `/${folder}/` : `/@fs/${pdfjs}/`) },
    }),
    generateBundle() {
      // The policy allows no WebAssembly, so each decoder also exists as JavaScript.
      for (const kind of ['cmaps', 'standard_fonts', 'wasm'])
        for (const name of readdirSync(join(pdfjs, kind)).filter((each) => !/\.wasm$|^quickjs/.test(each)))
          this.emitFile({
            type: 'asset',
            fileName: `${folder}/${kind}/${name}`,
            source: readFileSync(join(pdfjs, kind, name)),
          });
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [constructedStyleSheets(), react(), tailwindcss(), pdfFiles(), packed()],
  resolve: {
    alias: { 'react-style-singleton': `${import.meta.dirname}/src/ui/style-singleton.ts` },
  },
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: 'es2023',
    // Inlined files would be data: URLs, which the policy does not allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: Object.fromEntries(
      ['/internal', '/api', '/docs'].map((path) => [path, process.env.TENURE_URL ?? 'http://localhost:3000']),
    ),
  },
});
