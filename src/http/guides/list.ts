import { posix } from 'node:path';

export const guidesPath = '/docs/guides';
export const referencePath = '/docs';
export const stylesPath = `${guidesPath}/guides.css`;
export const indexFile = 'docs/guides/README.md';

export interface Guide {
  /** The last part of the guide's URL. */
  name: string;
  /** The path of its text in the repository. */
  file: string;
  /** Its name in the list beside every page. */
  label: string;
  group: string;
}

const guide = (group: string, name: string, label: string, file = `docs/guides/${name}.md`): Guide => ({
  name,
  file,
  label,
  group,
});

/** In the order of the list. */
export const guides: Guide[] = [
  guide('The API', 'getting-started', 'Getting started'),
  guide('The API', 'what-is-owed', 'What is owed'),
  guide('The API', 'test-mode', 'Try a year of rent'),
  guide('The API', 'authentication', 'Authentication'),
  guide('The API', 'who-did-what', 'Who did what'),
  guide('The API', 'personal-data', 'Personal data'),
  guide('The API', 'files', 'Files'),
  guide('The API', 'pagination', 'Pagination'),
  guide('The API', 'idempotency', 'Idempotency'),
  guide('The API', 'batches', 'Many records at once'),
  guide('The API', 'http', 'Caching and conflicts'),
  guide('The API', 'external-ids', 'Keeping your own ids'),
  guide('The API', 'errors', 'Errors'),
  guide('The API', 'versioning', 'Versions and changes'),
  guide('Webhooks', 'events', 'Events'),
  guide('Webhooks', 'verifying-signatures', 'Verifying signatures'),
  guide('Webhooks', 'delivery', 'Delivery', 'docs/delivery.md'),
  guide('Your tools', 'csv', 'Spreadsheets (CSV)'),
  guide('Your tools', 'zapier', 'Zapier'),
  guide('Your tools', 'mcp', 'AI assistants (MCP)', 'docs/mcp.md'),
];

/** Files that the guides offer for download: code to copy, and vectors to test it with. */
export const files = [
  ...['verify.mjs', 'verify.py', 'verify.php', 'verify.rb', 'verify.go'].map((name) => ({
    path: `${guidesPath}/verify/${name}`,
    file: `docs/verify/${name}`,
    type: 'text/plain',
  })),
  {
    path: `${guidesPath}/signature-vectors.json`,
    file: 'docs/signature-vectors.json',
    type: 'application/json',
  },
];

/** Where files of the repository are found in the product. */
const addresses = new Map<string, string>([
  ['openapi.json', referencePath],
  [indexFile, guidesPath],
  ['docs/guides', guidesPath],
  ...guides.map(({ file, name }) => [file, `${guidesPath}/${name}`] as const),
  ...files.map(({ file, path }) => [file, path] as const),
]);

/**
 * Where a link in a Markdown file leads in the product. A relative link, which a code host understands, leads to the
 * page made from that file. Null if the product has no such page, or if it is not an ordinary link.
 */
export function linkTarget(href: string, file: string): string | null {
  if (/^(https?:\/\/|mailto:|#|\/(?!\/))/i.test(href)) return href;
  if (/^[a-z][\w+.-]*:|^\/\//i.test(href)) return null;
  const [path = '', fragment] = href.split('#', 2);
  const address = addresses.get(posix.join(posix.dirname(file), path).replace(/\/$/, ''));
  if (address === undefined) return null;
  return fragment === undefined ? address : `${address}#${fragment}`;
}
