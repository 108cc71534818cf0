import { hash } from 'node:crypto';

/**
 * The keys that have occurred in a file, each with the line of the first occurrence. It keeps 48 bits of a hash, and
 * the line: a million keys take about 20 MB, and a Map of the texts would take ten times as much. The chance that two
 * of a million keys collide is 0.2 %, and callers check the database before they believe a match.
 */
export class SeenKeys {
  #hashes = new Float64Array(1024);
  #lines = new Uint32Array(1024);
  #size = 0;
  /** For keys that occurred more than once, how often. */
  #repeats = new Map<number, number>();

  /** Notes the key. Returns how often it occurred before, and the line of the first occurrence. */
  add(key: string, line: number): { count: number; line: number } {
    if (this.#size > this.#hashes.length / 2) this.#grow();
    const code = hash('md5', key, 'buffer').readUIntBE(0, 6) + 1;
    const slot = this.#slotOf(code);
    if (this.#hashes[slot] === 0) {
      this.#hashes[slot] = code;
      this.#lines[slot] = line;
      this.#size += 1;
      return { count: 0, line: 0 };
    }
    const count = (this.#repeats.get(code) ?? 0) + 1;
    this.#repeats.set(code, count);
    return { count, line: this.#lines[slot] ?? 0 };
  }

  #slotOf(code: number): number {
    const mask = this.#hashes.length - 1;
    let slot = code % this.#hashes.length;
    while (this.#hashes[slot] !== 0 && this.#hashes[slot] !== code) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [hashes, lines] = [this.#hashes, this.#lines];
    this.#hashes = new Float64Array(hashes.length * 2);
    this.#lines = new Uint32Array(hashes.length * 2);
    hashes.forEach((code, at) => {
      if (code === 0) return;
      const slot = this.#slotOf(code);
      this.#hashes[slot] = code;
      this.#lines[slot] = lines[at] ?? 0;
    });
  }
}
