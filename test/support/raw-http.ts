import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  /** The names are in lower case. */
  headers: Record<string, string>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  body: any;
}

/** Sends exactly these bytes, which no HTTP client would, and reads the one answer until the server closes. */
export function sendRaw(url: string, ...parts: (string | Uint8Array)[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      for (const part of parts) socket.write(part);
    });
    const chunks: Buffer[] = [];
    const finish = () => {
      try {
        resolve(parse(Buffer.concat(chunks).toString('utf8')));
      } catch (error) {
        reject(error);
      }
    };
    socket.setTimeout(5_000, () => {
      socket.destroy();
      finish();
    });
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      // The answer is complete, although the connection stays open.
      const text = Buffer.concat(chunks).toString('latin1');
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
      const end = text.indexOf('\r\n\r\n');
      if (length !== undefined && end > 0 && text.length >= end + 4 + Number(length)) socket.end();
    });
    socket.on('close', finish);
    socket.on('error', () => undefined);
  });
}

function parse(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
  if (!status) throw new Error(`No HTTP answer: ${JSON.stringify(text.slice(0, 200))}`);
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const body = text.slice(end + 4);
  return { status, headers, text: body, body: body ? JSON.parse(body) : undefined };
}
