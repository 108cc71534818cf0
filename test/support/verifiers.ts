import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * The code that docs/delivery.md gives to receivers, run in its own language. Each program is started once and judges
 * all cases. Bodies and headers are passed to it in base64, so that they can be any bytes.
 */

export interface SignatureCase {
  body: Uint8Array;
  /** One character for each byte, as Node passes it. */
  header: string;
  secret: string;
  now: number;
}

interface Verifier {
  language: string;
  isMissing: boolean;
  verdicts(cases: SignatureCase[]): Promise<unknown>;
}

const folder = join(import.meta.dirname, '../../docs/verify');
const isMissing = (program: string, ...args: string[]) => spawnSync(program, args).status !== 0;

/** Runs a program that reads the cases as JSON and prints its verdicts as JSON. */
function run(program: string, args: string[], cases: SignatureCase[], cwd = folder): unknown {
  const input = JSON.stringify(
    cases.map(({ body, header, secret, now }) => ({
      body: Buffer.from(body).toString('base64'),
      header: Buffer.from(header, 'latin1').toString('base64'),
      secret,
      now,
    })),
  );
  return JSON.parse(execFileSync(program, args, { input, cwd, encoding: 'utf8', maxBuffer: 2 ** 26 }));
}

const python = `
import base64, json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, '.')
from verify import verify_webhook
raw = base64.b64decode
def text(bytes): return bytes.decode(errors='surrogateescape')
cases = json.load(sys.stdin)
print(json.dumps([verify_webhook(raw(c['body']), text(raw(c['header'])), c['secret'], c['now']) for c in cases]))`;

const php = `
require 'verify.php';
$raw = 'base64_decode';
$cases = json_decode(stream_get_contents(STDIN), true);
echo json_encode(array_map(fn($c) => verify_webhook($raw($c['body']), $raw($c['header']), $c['secret'], $c['now']), $cases));`;

const ruby = `
require 'json'
require './verify'
def raw(text) = text.unpack1('m0')
def text(bytes) = bytes.force_encoding('UTF-8')
cases = JSON.parse($stdin.read)
puts JSON.generate(cases.map { |c| verify_webhook(raw(c['body']), text(raw(c['header'])), c['secret'], now: c['now']) })`;

const go = `package main

import (
	"encoding/json"
	"os"
	"time"

	"example.com/check/verify"
)

func main() {
	var cases []struct {
		Body, Header []byte
		Secret       string
		Now          int64
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	verdicts := []bool{}
	for _, c := range cases {
		verdicts = append(verdicts, verify.Webhook(c.Body, string(c.Header), c.Secret, time.Unix(c.Now, 0)))
	}
	json.NewEncoder(os.Stdout).Encode(verdicts)
}
`;

export const verifiers: Verifier[] = [
  {
    language: 'Node',
    isMissing: false,
    async verdicts(cases) {
      const { verifyWebhook } = (await import(join(folder, 'verify.mjs'))) as {
        verifyWebhook(body: Uint8Array, header: string, secret: string, now: number): boolean;
      };
      return cases.map(({ body, header, secret, now }) => verifyWebhook(body, header, secret, now));
    },
  },
  {
    language: 'Python',
    isMissing: isMissing('python3', '--version'),
    verdicts: async (cases) => run('python3', ['-c', python], cases),
  },
  {
    language: 'PHP',
    isMissing: isMissing('php', '--version'),
    verdicts: async (cases) => run('php', ['-r', php], cases),
  },
  {
    language: 'Ruby',
    isMissing: isMissing('ruby', '--version'),
    verdicts: async (cases) => run('ruby', ['-e', ruby], cases),
  },
  { language: 'Go', isMissing: isMissing('go', 'version'), verdicts: async (cases) => runGo(cases) },
];

function runGo(cases: SignatureCase[]): unknown {
  const scratch = mkdtempSync(join(tmpdir(), 'tenure-verify-'));
  try {
    mkdirSync(join(scratch, 'verify'));
    cpSync(join(folder, 'verify.go'), join(scratch, 'verify/verify.go'));
    writeFileSync(join(scratch, 'go.mod'), 'module example.com/check\n\ngo 1.19\n');
    writeFileSync(join(scratch, 'main.go'), go);
    return run('go', ['run', '.'], cases, scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
