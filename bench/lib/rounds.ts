import type { RunOptions } from './suite.ts';

export interface Contender<Sample> {
  name: string;
  /** Round 0 warms up. */
  measure(round: number): Promise<Sample>;
}

/**
 * Measures all contenders in turn, round after round, because a machine is never the same for long: what is compared
 * was measured within the same minutes. Each round begins with another one, so that none always comes after
 * the same neighbour. The first round warms up and is dropped.
 */
export async function alternate<Sample>(
  contenders: Contender<Sample>[],
  { rounds, say }: Pick<RunOptions, 'rounds' | 'say'>,
  show: (sample: Sample) => string,
): Promise<Map<string, Sample[]>> {
  const samples = new Map<string, Sample[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const contender of rotated(contenders, round)) {
      const sample = await contender.measure(round);
      say(`${round === 0 ? 'warm-up' : `round ${round}/${rounds}`}  ${contender.name}: ${show(sample)}`);
      if (round > 0) samples.get(contender.name)?.push(sample);
    }
  }
  return samples;
}

function rotated<Item>(items: Item[], by: number): Item[] {
  const start = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
