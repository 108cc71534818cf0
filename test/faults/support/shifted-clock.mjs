// For `node --import`: this process sees another time. CLOCK_FILE has by how many milliseconds it differs from the
// machine's, and is looked at all the time. It is what somebody who sets a machine's clock does to a process.
import { readFileSync } from 'node:fs';

const RealDate = Date;
let shiftMs = 0;

function look() {
  const text = readFileSync(process.env.CLOCK_FILE ?? '', 'utf8');
  // Somebody may just be writing it.
  if (text.endsWith('\n')) shiftMs = Number(text);
}

globalThis.Date = class extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(RealDate.now() + shiftMs);
    else super(...values);
  }

  static now() {
    return RealDate.now() + shiftMs;
  }
};

look();
setInterval(look, 10).unref();
