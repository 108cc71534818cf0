import type { MaintenanceRequest } from '../../api/records.ts';
import { unfinished } from '../../ui/words.ts';

type State = MaintenanceRequest['status'];

const moves: Record<State, readonly State[]> = {
  open: [...unfinished, 'completed', 'cancelled'],
  scheduled: [...unfinished, 'completed', 'cancelled'],
  in_progress: [...unfinished, 'completed', 'cancelled'],
  on_hold: [...unfinished, 'completed', 'cancelled'],
  completed: ['open'],
  cancelled: [],
};

/** The statuses a request can move to. */
export const movesFrom = (status: State): State[] => moves[status].filter((other) => other !== status);
export const mayMove = (from: State, to: State): boolean => movesFrom(from).includes(to);
