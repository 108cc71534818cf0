import { workload } from './assumptions.ts';
import { type Costs, mapCost } from './costs.ts';
import { loadOf, midnightOf, type Plan, usefulCores, useOf } from './model.ts';

/** What of the day's requests falls into each hour. The busiest is workload.busiestHour. */
const hours = [1, 1, 1, 1, 1, 2, 4, 7, 11, 14, 15, 11, 8, 8, 8, 6, 4, 3, 2, 1, 1, 1, 1, 1];

export interface Minute {
  minute: number;
  api: number;
  worker: number;
  postgres: number;
  /** Part of what midnight brought that is not done. */
  left: number;
}

/**
 * The first of a month, minute by minute: what midnight brings is worked off with the cores that requests leave, in
 * as many workers as there are.
 */
export function firstOfMonth({ units, workers, cores }: Plan, costs: Costs): Minute[] {
  const busiest = loadOf(units, 'busiest');
  const peak = useOf(busiest, costs);
  const { poll } = costs.requests;
  const polls = mapCost(poll, (value) => (value * busiest.requests.poll) / 1e6);
  const night = midnightOf(units, costs);
  const room = usefulCores(cores);
  let left = 1;
  return Array.from({ length: 24 * 60 }, (_, minute) => {
    const part = (hours[Math.floor(minute / 60)] ?? 0) / 100 / workload.busiestHour;
    const used = (who: 'api' | 'worker' | 'postgres') => (peak[who] - polls[who]) * part + polls[who];
    const [api, worker, postgres] = [used('api'), used('worker'), used('postgres')];
    const done = Math.min(
      left,
      ((workers - worker) * 60) / night.worker,
      (Math.max(0, room - postgres) * 60) / night.postgres,
    );
    left -= done;
    return {
      minute,
      api,
      worker: worker + (done * night.worker) / 60,
      postgres: postgres + (done * night.postgres) / 60,
      left,
    };
  });
}
