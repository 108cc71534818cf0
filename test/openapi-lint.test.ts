import { readFileSync } from 'node:fs';
import { lintFromString, loadConfig } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { isLong } from './abuse/fuzz/settings.ts';

/*
 * The linters that integrators run on the document first. Warnings count as well: somebody who sees one wonders what
 * else is wrong. Spectral takes half a minute of a core for what Redocly checks in two seconds, so it only runs in `npm
 * run test:fuzz`.
 */

const file = 'openapi.json';
const source = readFileSync(file, 'utf8');

test('redocly finds nothing in the document (redocly.yaml)', async () => {
  const config = await loadConfig({ configPath: 'redocly.yaml' });
  const problems = await lintFromString({ source, absoluteRef: file, config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
    [],
  );
});

test.runIf(isLong)('spectral finds nothing in the document (spectral:oas)', async () => {
  const linter = new spectral.Spectral();
  // Spectral's own types do not know that this may be given alone.
  linter.setRuleset({ extends: [rulesets.oas] } as spectral.RulesetDefinition);
  const problems = await linter.run(JSON.parse(source));
  expect(problems.map(({ code, message, path }) => [code, message, path.join('.')])).toEqual([]);
});
