import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * The Content-Security-Policy allows no inline style elements. Two libraries create them; both are changed to use
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

/** Compresses text files once, at the highest level, instead of at every request. */
function packed(): Plugin {
  return {
    name: 'packed',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const files = readdirSync(dir, { recursive: true, encoding: 'utf8' });
      for (const file of files.filter((name) => /\.(js|css|html|svg|webmanifest)$/.test(name))) {
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
