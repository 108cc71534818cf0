import { expect } from 'vitest';
import type { Answer, Service } from './service.ts';

/*
 * The samples of our documents are real: they are run against a server, in order, and must give the answers that are
 * shown. Ids, keys and secrets differ from run to run, so each one that is shown stands for the one that came in its
 * place. Answers may be shown over several lines, and with … where something is left out.
 */

interface Block {
  lang: string;
  text: string;
}

export interface Step {
  command: string;
  output: string;
}

/** The fenced blocks of a Markdown file. */
export function blocksOf(markdown: string): Block[] {
  const fences = /^```([^\n]*)\n([\s\S]*?)^```$/gm;
  return [...markdown.matchAll(fences)].map(([, lang = '', text = '']) => ({ lang, text }));
}

/** The commands of a console block, each with the output that is shown for it. */
export function stepsOf({ text }: Block): Step[] {
  const steps = /^\$ ((?:\\\n|'[^']*'|"[^"]*"|[^'"\n])*)\n((?:(?!\$ ).*\n)*)/gm;
  return [...text.matchAll(steps)].map(([, command = '', output = '']) => ({
    command,
    output,
  }));
}

/** By each name that is shown, the one that came in its place. */
export type Names = Map<string, string>;

const named =
  /\b(?:[a-z]+_[0-9a-f]{32}|whsec_[0-9a-f]{64}|svc_live_[0-9A-Za-z]{43}|(?<=cursor=)[\w-]{40})(?![\w-])/g;

export const translate = (text: string, names: Names): string =>
  text.replace(named, (name) => names.get(name) ?? name);

/** Makes a curl command's request, and compares the answer with the one that is shown. */
export async function runCurl(
  service: Service,
  step: Step,
  { names, variables }: { names: Names; variables: Record<string, string> },
): Promise<void> {
  const curl = readCurl(shellWords(translate(step.command, names), variables));
  const answer = await service.request(curl.method, curl.url.replace('http://localhost:3000/', '/'), {
    headers: curl.headers,
    ...(curl.body === undefined ? {} : { raw: curl.body }),
  });
  const [shownHead, shownBody] = curl.showsHead ? splitHead(step.output) : ['', step.output];
  if (curl.showsHead) expectHead(shownHead, answer, service.url, names);
  expectOutput(shownBody, answer.text, names, step.command);
}

interface Curl {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
  showsHead: boolean;
}

/** Knows the options that our documents use, and refuses all others. */
function readCurl([program, ...words]: string[]): Curl {
  // The headers that curl sends by itself.
  const curl: Curl = { url: '', method: '', headers: { accept: '*/*' }, body: undefined, showsHead: false };
  if (program !== 'curl') throw new Error(`Not curl: ${program}`);
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-si') curl.showsHead = true;
    else if (word === '-X') curl.method = words.shift() ?? '';
    else if (word === '-d') curl.body = words.shift() ?? '';
    else if (word === '-H') {
      const [, name = '', value = ''] = /^([\w-]+): (.*)$/.exec(words.shift() ?? '') ?? [];
      curl.headers[name.toLowerCase()] = value;
    } else if (/^https?:/.test(word) && curl.url === '') curl.url = word;
    else if (word !== '-s') throw new Error(`An option of curl that the test does not know: ${word}`);
  }
  if (curl.body !== undefined) curl.headers['content-type'] ??= 'application/x-www-form-urlencoded';
  curl.method ||= curl.body === undefined ? 'GET' : 'POST';
  return curl;
}

/** Splits a command as the shell does: quotes, variables and continued lines. */
export function shellWords(command: string, variables: Record<string, string>): string[] {
  const expanded = (text: string) => text.replace(/\$(\w+)/g, (_, name: string) => variables[name] ?? '');
  const words = command.replaceAll('\\\n', ' ').matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g);
  return [...words].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"|([^'"]+)/g, (_, literal, quoted, bare) =>
      literal === undefined ? expanded(quoted ?? bare) : literal,
    ),
  );
}

function splitHead(output: string): [string, string] {
  const at = output.indexOf('\n\n');
  return at < 0 ? [output, ''] : [output.slice(0, at), output.slice(at + 2)];
}

function expectHead(shown: string, { status, headers }: Answer, url: string, names: Names): void {
  const [first = '', ...lines] = shown.trim().split('\n');
  expect(first).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`));
  for (const line of lines.filter((line) => line !== '…')) {
    const [name = ''] = line.split(':', 1);
    const real = `${name}: ${headers.get(name)?.replace(url, 'http://localhost:3000')}`;
    learn(line, real, names);
    expect(plainText(real)).toBe(plainText(line));
  }
}

/** Compares the output with what is shown, and remembers what the names stand for. */
export function expectOutput(shown: string, real: string, names: Names, command: string): void {
  if (!/^\s*[{[]/.test(shown)) {
    learn(shown, real, names);
    expect(withoutLeftOut(plainText(real.trimEnd()), shown), command).toBe(plainText(shown.trimEnd()));
    return;
  }
  const leftOut = /,?\s*…(?=\s*[}\]])|…,/g;
  const expected: unknown = JSON.parse(shown.replace(leftOut, ''));
  const got: unknown = JSON.parse(real);
  learnJson(expected, got, names);
  if (shown.includes('…')) {
    expect(plainJson(got), command).toMatchObject(plainJson(expected) as object);
    expectInOrder(expected, got, command);
  } else expect(plainJson(got), command).toEqual(plainJson(expected));
}

/** A reader takes what is shown for a shortened answer, so its fields come in the answer's order. */
function expectInOrder(shown: unknown, real: unknown, command: string): void {
  if (typeof shown !== 'object' || typeof real !== 'object' || shown === null || real === null) return;
  const names = Object.keys(shown);
  expect(names, command).toEqual(Object.keys(real).filter((name) => names.includes(name)));
  for (const [name, value] of Object.entries(shown))
    expectInOrder(value, (real as Record<string, unknown>)[name], command);
}

/** The text with … where that is shown: at the ends of lines. */
function withoutLeftOut(real: string, shown: string): string {
  const lines = plainText(shown).split('\n');
  return real
    .split(/\r?\n/)
    .map((line, at) => {
      const start = /^(.*)…$/.exec(lines[at] ?? '')?.[1];
      return start !== undefined && line.startsWith(start) ? `${start}…` : line;
    })
    .join('\n');
}

function learnJson(shown: unknown, real: unknown, names: Names): void {
  if (typeof shown === 'string' && typeof real === 'string') learn(shown, real, names);
  if (typeof shown !== 'object' || typeof real !== 'object' || shown === null || real === null) return;
  for (const [key, value] of Object.entries(shown))
    learnJson(value, (real as Record<string, unknown>)[key], names);
}

function learn(shown: string, real: string, names: Names): void {
  const found = real.match(named) ?? [];
  (shown.match(named) ?? []).forEach((name, at) => {
    const before = names.get(name);
    if (before !== undefined) expect(found[at], `${name} again`).toBe(before);
    else if (found[at] !== undefined) names.set(name, found[at]);
  });
}

/** What differs from run to run is replaced by its kind. */
const plainText = (text: string): string =>
  text
    .replaceAll(named, (name) => (/^[a-z]+_/.test(name) ? name.replace(/_.*/, '_id') : 'cursor'))
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(/(?<=Password {2})\w+/g, 'password')
    .replaceAll(/(?<="default";r=)\d+;t=\d+/g, 'left');

export const plainJson = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, value) => {
      // It is today's date if none was given.
      if (key === 'paid_on') return 'a day';
      return typeof value === 'string' ? plainText(value) : value;
    }),
  );
