import { Download, X } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { Button } from '../button.tsx';
import { Dialog } from '../overlays/dialog.tsx';
import { count } from '../words.ts';
import { csvOf, download } from './selection-file.ts';

/** The rows that somebody has ticked, by their keys. */
export interface Selection {
  isChosen: (key: string) => boolean;
  toggle: (key: string) => void;
  /** Ticks all rows that are shown, or none. */
  toggleAll: (keys: string[]) => void;
}

/** The chosen rows of a list. With another list or filter, nothing is chosen. */
export function useSelection(
  of: string,
): Selection & { keys: ReadonlySet<string>; keep: (keys: string[]) => void; clear: () => void } {
  const [chosen, setChosen] = useState<{ of: string; keys: ReadonlySet<string> }>({ of, keys: new Set() });
  const keys = chosen.of === of ? chosen.keys : nothing;
  // The same object until another row is chosen, so that rows are not drawn again while more are loaded.
  return useMemo(() => {
    const set = (changed: Iterable<string>) => setChosen({ of, keys: new Set(changed) });
    return {
      keys,
      isChosen: (key) => keys.has(key),
      toggle: (key) => set(keys.has(key) ? [...keys].filter((each) => each !== key) : [...keys, key]),
      toggleAll: (all) => set(all.every((key) => keys.has(key)) ? [] : all),
      keep: (left) => set(left),
      clear: () => set([]),
    };
  }, [of, keys]);
}

const nothing: ReadonlySet<string> = new Set();

export function RowCheck({
  label,
  isOn,
  onChange,
}: {
  label: string;
  isOn: boolean | 'some';
  onChange: () => void;
}) {
  return (
    <input
      type="checkbox"
      aria-label={label}
      checked={isOn === true}
      ref={(input) => {
        if (input) input.indeterminate = isOn === 'some';
      }}
      onChange={onChange}
      // Above the link that covers the row.
      className="relative z-1 block size-4 cursor-pointer accent-accent before:absolute before:-inset-2.5"
    />
  );
}

/** Actions on the chosen rows. It stays in view. */
export function SelectionBar<Row extends object>({
  rows,
  file,
  onClear,
  children,
}: {
  rows: Row[];
  /** The name of the file that they are exported to. */
  file: string;
  onClear: () => void;
  children?: ReactNode;
}) {
  if (rows.length === 0) return null;
  return (
    <section
      aria-label="Chosen rows"
      className="sticky bottom-3 z-20 mt-3 flex flex-wrap items-center gap-2 rounded-lg border border-line-strong bg-raised px-3 py-2 shadow-pop"
    >
      <span role="status" className="figures mr-2 font-medium">
        {count(rows.length, 'row')} chosen
      </span>
      {children}
      <Button icon={<Download />} onClick={() => download(`${file}.csv`, csvOf(rows))}>
        Export these
      </Button>
      <Button kind="quiet" icon={<X />} onClick={onClear}>
        Clear
      </Button>
    </section>
  );
}

/** The result for many rows. */
export interface Outcome {
  total: number;
  failures: { key: string; name: string; message: string }[];
}

/** What was refused, row by row. */
export function Failures({ of: { total, failures }, onClose }: { of: Outcome; onClose: () => void }) {
  const refused = new Set(failures.map(({ key }) => key)).size;
  return (
    <Dialog
      title={`${refused.toLocaleString()} of ${count(total, 'row')} could not be changed`}
      description="The others are done."
      done="Close"
      onClose={onClose}
    >
      <ul className="divide-y divide-line">
        {failures.map(({ key, name, message }) => (
          <li key={`${key} ${name}`} className="py-2">
            <div className="font-medium wrap-anywhere">{name}</div>
            <div className="text-sm text-bad wrap-anywhere">{message}</div>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
