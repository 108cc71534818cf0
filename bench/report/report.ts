import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { SuiteResult } from '../lib/suite.ts';
import { renderPage } from './markdown.ts';
import { drawPlot } from './plot.ts';

interface Places {
  root: string;
  page: string;
  images: string;
}

/** Writes the page and its plots from results; returns how many bars are missed. */
export function writeReport(results: SuiteResult[], { root, page, images }: Places): number {
  mkdirSync(join(root, images), { recursive: true });
  mkdirSync(dirname(join(root, page)), { recursive: true });
  for (const { sections } of results) {
    for (const plot of sections.flatMap((section) => section.plots ?? []))
      writeFileSync(join(root, images, `bench-${plot.name}.svg`), drawPlot(plot));
  }
  // What profiles showed, written by hand.
  const notes = readFileSync(join(root, 'bench/findings.md'), 'utf8');
  writeFileSync(join(root, page), renderPage(results, relative(dirname(page), images), notes));
  return results.flatMap(({ bars }) => bars).filter(({ met }) => met === false).length;
}
