import { Search, SlidersHorizontal, X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Button, IconButton } from '../button.tsx';
import { cx } from '../class-names.ts';
import { controlClass, selectClass } from '../forms/field.tsx';
import { useIsPhone } from '../media.ts';
import { usePhoneBar } from '../page.tsx';
import { useSettled } from '../settled.ts';
import { useSort } from './sort.tsx';

export { useFilters } from './use-filters.ts';

/** On a phone, a button in the bar opens it. While closed, it only shows that something is filtered. */
export function FilterBar({
  children,
  onClear,
  save,
  total,
}: {
  children: ReactNode;
  onClear?: (() => void) | undefined;
  /** Saves what is chosen as a view. */
  save?: ReactNode;
  /** How many records match. For a phone, which does not show it beside the title. */
  total?: ReactNode;
}) {
  const bar = usePhoneBar();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const isShown = !bar || isOpen;
  return (
    <>
      {bar &&
        createPortal(
          <IconButton
            label="Search and filter"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={() => setOpen(!isOpen)}
            className={cx((isOpen || onClear) && 'text-accent-ink')}
          >
            <SlidersHorizontal />
          </IconButton>,
          bar,
        )}
      {(isShown || onClear) && (
        <div id={id} className="mb-2 flex flex-wrap items-center gap-2 sm:mb-4 print:hidden">
          {isShown && children}
          {onClear && (
            <Button kind="quiet" icon={<X />} onClick={onClear}>
              Clear filters
            </Button>
          )}
          {isShown && save}
          {bar && total}
        </div>
      )}
    </>
  );
}

interface FilterProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

export function SearchFilter({ label, value, onChange }: FilterProps) {
  const [text, setText] = useState(value ?? '');
  const settled = useSettled(text, 200);
  const typed = useRef(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed changes the filter
  useEffect(() => {
    if (settled.trim() === (value ?? '')) return;
    typed.current = settled.trim() || undefined;
    onChange(typed.current);
  }, [settled]);
  // Changed from outside: by the button that clears it, by a view, or by going back.
  useEffect(() => {
    if (value !== typed.current) setText(value ?? '');
    typed.current = value;
  }, [value]);
  return (
    <div className="relative w-full sm:w-52">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-4 text-faint"
      />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className={cx(controlClass, 'pl-8 sm:pl-8')}
      />
    </div>
  );
}

export function SelectFilter({
  label,
  value,
  options,
  onChange,
  none = 'all',
}: FilterProps & {
  options: { value: string; label: string }[];
  /** Shown when nothing is chosen. */
  none?: string;
}) {
  return (
    <div className="min-w-0 grow basis-[40%] sm:w-auto sm:grow-0 sm:basis-auto">
      <select
        aria-label={label}
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value || undefined)}
        className={cx(selectClass, value ? 'border-accent! text-accent-ink!' : 'text-soft!')}
      >
        <option value="">{`${label}: ${none}`}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A few choices side by side: `All · Active · Ended`. */
export function Segments({
  label,
  value,
  options,
  onChange,
}: FilterProps & { options: { value: string | undefined; label: string }[] }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot wrap its content as this does
    <div
      role="group"
      aria-label={label}
      className="flex max-w-full gap-0.5 overflow-x-auto rounded-lg bg-side p-0.5 [scrollbar-width:none] sm:flex-wrap dark:bg-raised"
    >
      {options.map((option) => (
        <button
          key={option.label}
          type="button"
          aria-pressed={value === option.value}
          onClick={() => onChange(option.value)}
          className="h-8 shrink-0 rounded-md px-3 font-medium text-soft hover:text-ink aria-pressed:bg-ground aria-pressed:text-ink aria-pressed:shadow-[0_0_0_1px_var(--line)] sm:h-7"
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}

/** For a phone, where a list has no column headings. */
export function SortSelect({ columns }: { columns: { name: string; sort?: string }[] }) {
  const { sort, onSort } = useSort();
  const options = columns.flatMap(({ name, sort: field }) =>
    field
      ? [
          { value: field, label: `${name}, ascending` },
          { value: `-${field}`, label: `${name}, descending` },
        ]
      : [],
  );
  if (!useIsPhone() || options.length === 0) return null;
  return (
    <SelectFilter label="Sort by" none="newest first" value={sort} options={options} onChange={onSort} />
  );
}
