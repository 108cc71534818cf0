import { settings } from '../../src/config.ts';

/** The README's table of settings. */
export function settingsTable(): string {
  const rows = Object.entries(settings).map(
    ([name, setting]) =>
      `| \`${name}\` | ${setting.default === '' ? '' : `\`${setting.default}\``} | ${setting.meaning.replaceAll('|', '\\|')} |`,
  );
  return ['| setting | default | meaning |', '|---|---|---|', ...rows].join('\n');
}
