import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * The page is served with a Content-Security-Policy that allows no inline style elements. Two libraries
 * make such elements; both are led to constructed style sheets, which the policy allows.
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
      if (changed === code) this.error('sonner inserts its styles in another way now');
      return changed;
    },
  };
}

/** Text is packed once here, as small as it gets, and not at every request; the server sends what is there. */
function packed(): Plugin {
  return {
    name: 'packed',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const files = readdirSync(dir, { recursive: true, encoding: 'utf8' });
      for (const file of files.filter((name) => /\.(js|css|html|svg)$/.test(name))) {
        const text = readFileSync(join(dir, file));
        writeFileSync(join(dir, `${file}.gz`), gzipSync(text, { level: 9 }));
        writeFileSync(join(dir, `${file}.br`), brotliCompressSync(text));
      }
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [constructedStyleSheets(), react(), tailwindcss(), packed()],
  resolve: {
    alias: { 'react-style-singleton': `${import.meta.dirname}/src/ui/style-singleton.ts` },
  },
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: 'es2023',
    // Inlined files would be data: addresses, which the policy does not allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: Object.fromEntries(
      ['/internal', '/api', '/docs'].map((path) => [path, process.env.TENURE_URL ?? 'http://localhost:3000']),
    ),
  },
});
