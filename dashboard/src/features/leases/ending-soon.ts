import { today } from '../../ui/date.tsx';
import { running } from '../../ui/words.ts';

/** The leases that the home page counts as ending, as a filter of their list. */
export const endingSoon = () => ({ status: running, ends_by: inDays(60) });

const inDays = (days: number): string =>
  new Date(Date.parse(today()) + days * 86_400_000).toISOString().slice(0, 10);
