import type { HistoryActor, HistoryEntry } from '../../api/records.ts';

/** The name of the actor, or its kind if it has no name. */
export function actorWords({ type, name }: HistoryActor): string {
  if (type === 'key') return `API key ${name}`;
  if (type === 'import') return `Import by ${name}`;
  if (type === 'clock') return 'Tenure';
  return name;
}

const words: Record<HistoryEntry['action'], string> = {
  created: 'created this',
  updated: 'changed',
  deleted: 'deleted this',
  erased: 'erased personal data',
  started: 'the lease started',
  expiring: 'the end of the lease is near',
  noted: 'noted',
};

export const whatHappened = ({ action, changes }: HistoryEntry): string =>
  action === 'updated' && changes?.length === 0 ? 'changed a hidden field' : words[action];
