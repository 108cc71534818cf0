import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** Lines wait for company this long, or until there are so many characters of them. */
const gatherMs = 100;
const gatherMost = 64 * 1024;

/**
 * One JSON line per thing that happened, on standard output. Secrets are never passed to it.
 *
 * Lines are gathered and written a few times a second: written one by one, each cost its request about as long as all
 * else that is done for it here. An ending process writes what is left.
 */
export function createLog(level: string): Log {
  return pino({ level, base: undefined, timestamp }, new Gathered());
}

const all = new Set<Gathered>();

function watchForEnd(): void {
  const passAll = () => {
    for (const gathered of all) gathered.pass();
  };
  process.on('beforeExit', passAll);
  process.on('exit', passAll);
}

class Gathered implements DestinationStream {
  readonly #output: ReturnType<typeof pino.destination>;
  #lines: string[] = [];
  #length = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    // Before the output watches for the end too, after which it takes no more.
    if (all.size === 0) watchForEnd();
    all.add(this);
    this.#output = pino.destination({ dest: 1, sync: false, contentMode: 'buffer' });
  }

  write(line: string): void {
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= gatherMost) this.pass();
    else this.#timer ??= setTimeout(() => this.pass(), gatherMs).unref();
  }

  flushSync(): void {
    this.pass();
    this.#output.flushSync();
  }

  pass(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines.length === 0) return;
    const text = this.#lines.join('');
    this.#lines = [];
    this.#length = 0;
    // As bytes: the output would look at each character of a text three times.
    this.#output.write(Buffer.from(text) as unknown as string);
  }
}

/**
 * A line whose fields are JSON already, such as `"a":1,"b":null`: for what happens thousands of times a second, where
 * finding out the type of every field takes longer than the rest.
 */
export function writeInfo(log: Log, fields: string, message: string): void {
  const { [pino.symbols.streamSym]: output } = log as unknown as {
    [pino.symbols.streamSym]: DestinationStream;
  };
  output.write(`{"level":30${timestamp()},${fields},"msg":"${message}"}\n`);
}

let lastMs = 0;
let lastText = '';

/** Many lines are of the same millisecond. */
function timestamp(): string {
  const now = Date.now();
  if (now !== lastMs) {
    lastMs = now;
    lastText = `,"time":"${new Date(now).toISOString()}"`;
  }
  return lastText;
}
