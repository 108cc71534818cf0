import { useState } from 'react';
import { toast } from 'sonner';
import { queryClient } from '../../api/queries.ts';
import { messageOf, patiently } from '../../api/writes.ts';
import { Button } from '../button.tsx';
import { count } from '../words.ts';
import type { Outcome } from './selection.tsx';

/** How many requests run at a time, so that a long selection is soon done but leaves room for others. */
const atOnce = 4;
/** As many as the server accepts. */
const mostInRequest = 1_000;

/** The chosen rows of a list, and what happens to them. */
export interface Chosen<Row> {
  rows: Row[];
  keyOf: (row: Row) => string;
  /** Leaves only these chosen. */
  keep: (keys: string[]) => void;
  /** Reports what was refused. The list shows it, because those rows may no longer be part of it. */
  report: (outcome: Outcome) => void;
}

/** Does the same to each of many rows, and shows what was refused, row by row. The action must be safe to repeat. */
export function useBulk<Row>(
  { keyOf, keep, report }: Omit<Chosen<Row>, 'rows'>,
  nameOf: (row: Row) => string,
) {
  const [done, setDone] = useState<number | null>(null);
  const run = async (rows: Row[], work: (row: Row) => Promise<unknown>, doneWord: string) => {
    const failures: Outcome['failures'] = [];
    const waiting = [...rows];
    setDone(0);
    const workNext = async (): Promise<void> => {
      const row = waiting.shift();
      if (row === undefined) return;
      try {
        await patiently(() => work(row));
      } catch (error) {
        failures.push({ key: keyOf(row), name: nameOf(row), message: messageOf(error) });
      }
      setDone((before) => (before ?? 0) + 1);
      return workNext();
    };
    await Promise.all(Array.from({ length: atOnce }, workNext));
    finish(rows, failures, doneWord);
  };
  /** The same in one request, which answers for each row: null, or why it was refused. */
  const runTogether = async (
    rows: Row[],
    send: (rows: Row[]) => Promise<(string | null)[]>,
    doneWord: string,
  ) => {
    const failures: Outcome['failures'] = [];
    setDone(0);
    for (let at = 0; at < rows.length; at += mostInRequest) {
      const some = rows.slice(at, at + mostInRequest);
      try {
        const refusals = await patiently(() => send(some));
        for (const [index, message] of refusals.entries()) {
          const row = some[index];
          if (row !== undefined && message !== null)
            failures.push({ key: keyOf(row), name: nameOf(row), message });
        }
      } catch (error) {
        setDone(null);
        // Nobody knows what happened to these, so they stay chosen. Sending them again is the same request, done once.
        keep(rows.slice(at).map(keyOf));
        if (failures.length > 0) report({ total: countOf(rows.slice(0, at)), failures });
        throw error;
      }
      setDone(at + some.length);
    }
    finish(rows, failures, doneWord);
  };
  /** Something may be done to a row in several steps. */
  const countOf = (rows: Row[]) => new Set(rows.map(keyOf)).size;
  const finish = (rows: Row[], failures: Outcome['failures'], doneWord: string) => {
    setDone(null);
    keep(failures.map(({ key }) => key));
    void queryClient.invalidateQueries();
    if (failures.length > 0) report({ total: countOf(rows), failures });
    else toast.success(`${count(countOf(rows), 'row')} ${doneWord}`);
  };
  return { run, runTogether, isBusy: done !== null, done };
}

/** A button for all chosen rows to which it applies. It says how many those are, if not all. */
export function BulkButton<Row>({
  label,
  doing,
  done,
  chosen,
  nameOf,
  fits = () => true,
  work,
}: {
  label: string;
  doing: string;
  done: string;
  chosen: Chosen<Row>;
  nameOf: (row: Row) => string;
  fits?: (row: Row) => boolean;
  work: (row: Row) => Promise<unknown>;
}) {
  const bulk = useBulk(chosen, nameOf);
  const fitting = chosen.rows.filter(fits);
  const isAll = fitting.length === chosen.rows.length;
  return (
    <Button
      disabled={fitting.length === 0}
      isBusy={bulk.isBusy}
      onClick={() => bulk.run(fitting, work, done)}
    >
      {bulk.isBusy
        ? `${doing} ${bulk.done} of ${fitting.length}…`
        : `${label}${isAll ? '' : ` (${fitting.length})`}`}
    </Button>
  );
}
