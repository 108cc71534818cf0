import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import vectors from '../docs/signature-vectors.json' with { type: 'json' };

/*
 * The code that docs/delivery.md gives to receivers, held against the test vectors: in Node always, in the
 * other languages where they are installed.
 */

type Verify = (rawBody: string | Buffer, header: string, secret: string, now: number) => boolean;
const sample = new URL('../docs/verify/verify.mjs', import.meta.url).href;
const { verifyWebhook } = (await import(sample)) as { verifyWebhook: Verify };

interface Case {
  body: string;
  header: string;
  secret: string;
  now: number;
  valid: boolean;
}

const cases: Case[] = vectors.flatMap(({ secrets, timestamp: t, body, header }) =>
  secrets.flatMap((secret) => {
    const fits = { body, header, secret, now: t };
    const [, ...signatures] = header.split(',');
    return [
      { ...fits, valid: true },
      { ...fits, now: t + 300, valid: true },
      { ...fits, now: t - 300, valid: true },
      { ...fits, now: t + 301, valid: false },
      { ...fits, now: t - 301, valid: false },
      { ...fits, body: `${body} `, valid: false },
      { ...fits, secret: `${secret}0`, valid: false },
      { ...fits, header: header.replace(`t=${t}`, `t=${t + 1}`), valid: false },
      { ...fits, header: signatures.join(), valid: false },
      { ...fits, header: `t=${t}`, valid: false },
      { ...fits, header: `t=${t},v1=,v0=${signatures[0]?.slice(3)}`, valid: false },
      { ...fits, header: `t=abc,${signatures.join()}`, valid: false },
      { ...fits, header: '', valid: false },
    ];
  }),
);
const expected = cases.map(({ valid }) => valid);
const input = JSON.stringify(cases);
const folder = join(import.meta.dirname, '../docs/verify');
let scratch: string;

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'tenure-verify-'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const isMissing = (program: string, ...args: string[]) => spawnSync(program, args).status !== 0;

/** Runs a program that reads the cases as JSON and prints its verdicts as JSON. */
function verdicts(program: string, args: string[], cwd = folder): unknown {
  return JSON.parse(execFileSync(program, args, { input, cwd, encoding: 'utf8' }));
}

test('Node', () => {
  expect(cases.map(({ body, header, secret, now }) => verifyWebhook(body, header, secret, now))).toEqual(
    expected,
  );
  const asBytes = cases.map(({ body, header, secret, now }) =>
    verifyWebhook(Buffer.from(body), header, secret, now),
  );
  expect(asBytes).toEqual(expected);
});

test.skipIf(isMissing('python3', '--version'))('Python', () => {
  const script = `
import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, '.')
from verify import verify_webhook
cases = json.load(sys.stdin)
print(json.dumps([verify_webhook(c['body'].encode(), c['header'], c['secret'], c['now']) for c in cases]))`;
  expect(verdicts('python3', ['-c', script])).toEqual(expected);
});

test.skipIf(isMissing('php', '--version'))('PHP', () => {
  const script = `
require 'verify.php';
$cases = json_decode(stream_get_contents(STDIN), true);
echo json_encode(array_map(fn($c) => verify_webhook($c['body'], $c['header'], $c['secret'], $c['now']), $cases));`;
  expect(verdicts('php', ['-r', script])).toEqual(expected);
});

test.skipIf(isMissing('ruby', '--version'))('Ruby', () => {
  const script = `
require 'json'
require './verify'
cases = JSON.parse($stdin.read)
puts JSON.generate(cases.map { |c| verify_webhook(c['body'], c['header'], c['secret'], now: c['now']) })`;
  expect(verdicts('ruby', ['-e', script])).toEqual(expected);
});

test.skipIf(isMissing('go', 'version'))('Go', { timeout: 120_000 }, () => {
  mkdirSync(join(scratch, 'verify'));
  cpSync(join(folder, 'verify.go'), join(scratch, 'verify/verify.go'));
  writeFileSync(join(scratch, 'go.mod'), 'module example.com/check\n\ngo 1.19\n');
  writeFileSync(
    join(scratch, 'main.go'),
    `package main

import (
	"encoding/json"
	"os"
	"time"

	"example.com/check/verify"
)

func main() {
	var cases []struct {
		Body, Header, Secret string
		Now                  int64
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	verdicts := []bool{}
	for _, c := range cases {
		verdicts = append(verdicts, verify.Webhook([]byte(c.Body), c.Header, c.Secret, time.Unix(c.Now, 0)))
	}
	json.NewEncoder(os.Stdout).Encode(verdicts)
}
`,
  );
  expect(verdicts('go', ['run', '.'], scratch)).toEqual(expected);
});
