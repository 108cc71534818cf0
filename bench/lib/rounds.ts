import { short } from './stats.ts';
import type { RunOptions, Samples } from './suite.ts';

export interface Contender<Key extends string> {
  name: string;
  /** Round 0 warms up, where there is one. */
  measure(round: number): Promise<Record<Key, number>>;
}

/**
 * Measures all contenders in turn, round after round, because a machine is never the same for long: what is compared
 * was measured within the same minutes. Each round begins with another contender, so that none always follows the
 * same neighbour. The first round warms up and is dropped; contenders that warm up by themselves can do without it.
 */
export async function alternate<Key extends string>(
  contenders: Contender<Key>[],
  { rounds, say }: Pick<RunOptions, 'rounds' | 'say'>,
  { warmUp = true }: { warmUp?: boolean } = {},
): Promise<Samples<Key>> {
  const samples: Samples<Key> = new Map(contenders.map(({ name }) => [name, []]));
  for (let round = warmUp ? 0 : 1; round <= rounds; round++) {
    for (const contender of rotated(contenders, round)) {
      const sample = await contender.measure(round);
      const shown = Object.entries<number>(sample).map(([key, value]) => `${key} ${short(value)}`);
      say(`${round === 0 ? 'warm-up' : `round ${round}/${rounds}`}  ${contender.name}: ${shown.join(', ')}`);
      if (round > 0) samples.get(contender.name)?.push(sample);
    }
  }
  return samples;
}

function rotated<Item>(items: Item[], by: number): Item[] {
  const start = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
