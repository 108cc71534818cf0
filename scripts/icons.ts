import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

/** Draws the icons of the installed app from dashboard/public/favicon.svg, beside it. */
const folder = join(import.meta.dirname, '../dashboard/public');
const logo = await readFile(join(folder, 'favicon.svg'), 'utf8');
/** Systems cut these to a shape of their own, so the ground reaches the edges and the letter is well inside. */
const filled = logo
  .replace('rx="7" ', '')
  .replace('<path ', '<path transform="translate(16 16) scale(.85) translate(-16 -16)" ');

const draw = (svg: string, size: number, name: string) =>
  sharp(Buffer.from(svg), { density: (72 * size) / 32 })
    .resize(size)
    .png({ palette: true, effort: 10 })
    .toFile(join(folder, name));

await draw(logo, 192, 'icon-192.png');
await draw(logo, 512, 'icon-512.png');
await draw(filled, 512, 'icon-maskable-512.png');
await draw(filled, 180, 'apple-touch-icon.png');
