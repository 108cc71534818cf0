import { settings } from '../../src/config.ts';

const introduction = `# Settings

Settings are environment variables, or lines of a \`.env\` file; where both have one, the environment wins. Every setting
has a default that works. A wrong value stops the start and says what is allowed.

This page is generated from \`src/config.ts\` (\`npm run generate\`).
`;

/** docs/settings.md. */
export function settingsDocument(): string {
  const rows = Object.entries(settings).map(
    ([name, setting]) =>
      `| \`${name}\` | ${setting.default === '' ? '' : `\`${setting.default}\``} | ${setting.meaning.replaceAll('|', '\\|')} |`,
  );
  return `${[introduction, '| setting | default | meaning |', '|---|---|---|', ...rows].join('\n')}\n`;
}
