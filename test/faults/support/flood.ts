import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * This is a process of its own, so that it does not share the test's event loop. It keeps this many connections busy,
 * and sends the next request on each as soon as the last one is answered. It prints a line when it sends no more
 * requests, and when all of them are answered, what came back as JSON. It uses bare sockets, since thousands of
 * connections of a real HTTP client would take more of the machine than the server under test.
 */

export interface FloodOptions {
  port: number;
  connections: number;
  /** How long it continues after all connections are open. */
  ms: number;
  key: string;
}

export interface FloodReport {
  byStatus: Record<string, number>;
  /** Some of the answers that are not as they should be. */
  wrong: string[];
  /** Connections that ended before their answer came. */
  broken: number;
  /** Connections that were refused or reset before they were open. Each was tried again. */
  refused: number;
  /** The part of that time during which every connection was open. */
  allOpen: number;
  /** How long it sent requests, from the first connection on. */
  askedMs: number;
  /** How long the last answer took to come after the last request. */
  lastAnswerMs: number;
  /** The time to an answer, in ms, not counting refusals. */
  p50: number;
  p95: number;
}

const options = JSON.parse(process.argv[2] ?? '{}') as FloodOptions;
const report: FloodReport = {
  byStatus: {},
  wrong: [],
  broken: 0,
  refused: 0,
  allOpen: 0,
  askedMs: 0,
  lastAnswerMs: 0,
  p50: 0,
  p95: 0,
};
const times: number[] = [];
const headers = `Host: localhost\r\nAuthorization: Bearer ${options.key}\r\n`;
const list = `GET /api/v1/properties?limit=20 HTTP/1.1\r\n${headers}\r\n`;
const body = JSON.stringify({ name: 'Flooded', notes: 'x'.repeat(500) });
const create = `POST /api/v1/properties HTTP/1.1\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;

const since = performance.now();
// A busy machine takes long to open them. For a server that never accepts all of them, it does not wait for ever.
let until = since + 60_000;
const isOver = () => performance.now() > until;
const tryAgainMs = 50;
let open = 0;
const watched = watchOpen();
const busy: Promise<void>[] = [];
// A thousand are opened a second. Opening all at once would measure how the kernel queues connections.
while (busy.length < options.connections) {
  const due = Math.min(options.connections, performance.now() - since);
  while (busy.length < due) busy.push(keepBusy(busy.length));
  await sleep(25);
}
report.allOpen = await watched;
process.stdout.write('asks no more\n');
report.askedMs = Math.round(until - since);
await Promise.all(busy);
report.lastAnswerMs = Math.round(performance.now() - until);
times.sort((a, b) => a - b);
report.p50 = times[Math.floor(times.length * 0.5)] ?? 0;
report.p95 = times[Math.floor(times.length * 0.95)] ?? 0;
process.stdout.write(JSON.stringify(report));

async function watchOpen(): Promise<number> {
  let looks = 0;
  let complete = 0;
  while (open < options.connections && !isOver()) await sleep(5);
  if (!isOver()) until = performance.now() + options.ms;
  while (!isOver()) {
    await sleep(20);
    looks++;
    if (open === options.connections) complete++;
  }
  return looks === 0 ? 0 : complete / looks;
}

/** A connection that ends is opened again while there is something to ask. */
async function keepBusy(n: number): Promise<void> {
  let count = n;
  while (!isOver()) {
    if (!(await connection())) await sleep(tryAgainMs);
  }

  /** Resolves when the connection has ended, to whether it was ever open. */
  function connection(): Promise<boolean> {
    return new Promise((resolve) => {
      let askedAt = 0;
      let received = '';
      let isOpen = false;
      const socket: Socket = connect(options.port, '127.0.0.1');
      socket.setEncoding('latin1');
      const ask = () => {
        if (isOver()) return void socket.end();
        askedAt = performance.now();
        socket.write(count++ % 4 === 0 ? create : list);
      };
      socket.on('connect', () => {
        isOpen = true;
        open++;
        ask();
      });
      socket.on('data', (chunk: string) => {
        received += chunk;
        const end = answerEnd(received);
        if (end === null) return;
        note(received.slice(0, end), performance.now() - askedAt);
        received = received.slice(end);
        askedAt = 0;
        ask();
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        if (isOpen) open--;
        else report.refused++;
        if (askedAt !== 0) report.broken++;
        resolve(isOpen);
      });
    });
  }
}

/** Where the first answer in this text ends. Null while it is incomplete. */
function answerEnd(text: string): number | null {
  const head = text.indexOf('\r\n\r\n');
  if (head === -1) return null;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head));
  const end = head + 4 + Number(length?.[1]);
  return text.length >= end ? end : null;
}

function note(answer: string, ms: number): void {
  const status = answer.slice(9, 12);
  report.byStatus[status] = (report.byStatus[status] ?? 0) + 1;
  if (status.startsWith('2')) times.push(ms);
  else if (!isEnvelope(answer, Number(status)) && report.wrong.length < 5) report.wrong.push(answer);
}

function isEnvelope(answer: string, status: number): boolean {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const { error } = JSON.parse(body) as { error?: { code?: number; message?: unknown } };
  // The headers of each answer tell how long to wait at a limit, even those of a refusal.
  if (status === 429 && !/\r\nratelimit: "default";r=0;t=[1-9]/i.test(head)) return false;
  return (
    (status === 429 || status === 503) &&
    error?.code === status &&
    typeof error.message === 'string' &&
    /\r\nretry-after: [1-9]\d*\r\n/i.test(head) &&
    /\r\nx-request-id: req_/i.test(head)
  );
}
