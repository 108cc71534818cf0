import { alternate } from '../lib/rounds.ts';
import { percentile } from '../lib/stats.ts';
import { ratioBar, type Suite, section } from '../lib/suite.ts';
import { openStage, startContender } from '../webhooks/measure.ts';
import { commitToReceipt } from '../webhooks/pace.ts';

interface Scene {
  name: string;
  hanging: number;
  /** For each of them. */
  queued: number;
}

const scenes: Scene[] = [
  { name: 'quiet', hanging: 0, queued: 0 },
  { name: 'one hanging, 10,000 queued', hanging: 1, queued: 10_000 },
  { name: 'ten hanging, 1,000 queued each', hanging: 10, queued: 1_000 },
];

const healthy = 20;

export const suite: Suite = {
  title: 'Fairness',
  rounds: 5,
  async run({ quick, rounds, say }) {
    await using stage = await openStage('fairness');
    const { postgres, receiver, versions } = stage;
    const { url } = await postgres.createDatabase('fairness');
    const given = { database: url, mode: 'start', endpoints: healthy };
    await using service = await startContender(stage, 'tenure-service', given);
    const pace = { perSecond: 25, count: quick ? 20 : 100 };
    const measure = async ({ hanging, queued }: Scene) => {
      await service.call('hang', { count: hanging, queued: quick ? queued / 10 : queued });
      const waits = await commitToReceipt(service, receiver, pace, healthy);
      // Everything that hangs is gone before the next scene begins.
      await service.call('release');
      await receiver.hangUp();
      await service.call('idle');
      return { p50: percentile(waits, 0.5), p95: percentile(waits, 0.95) };
    };
    const contenders = scenes.map((scene) => ({ name: scene.name, measure: () => measure(scene) }));
    const samples = await alternate(contenders, { rounds, say });
    const text = 'p95 of healthy endpoints to the quiet one';
    return {
      intro,
      settings: {
        'healthy endpoints': healthy,
        'events a round': pace.count,
        'events a second': pace.perSecond,
        'slots of the worker': 128,
      },
      versions,
      bars: scenes
        .slice(1)
        .map(({ name }) => ratioBar(`${text}, ${name}`, samples, 'p95', [name, 'quiet'], ['≤', 2])),
      sections: [section('Healthy endpoints beside hanging ones', samples, { p50: 'p50 ms', p95: 'p95 ms' })],
    };
  },
};

const intro = `Does an endpoint that hangs delay the others? Every delivery to twenty healthy endpoints is timed from
commit to receipt: alone, and beside endpoints that take requests, never answer and have a backlog. The promise is a
p95 within twice the quiet one, beside one such endpoint and beside ten.`;
