import { useEffect, useState } from 'react';
import { cx } from './class-names.ts';
import { controlClass } from './field.tsx';

/** A day among the filters. While a year is typed, 0002 and 0020 are not days to look at. */
export function DayInput({
  label,
  value,
  onChange,
  onFocus,
}: {
  label: string;
  value: string;
  onChange: (date: string) => void;
  onFocus?: () => void;
}) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return (
    <input
      type="date"
      aria-label={label}
      value={text}
      min="1900-01-01"
      max="2999-12-31"
      onChange={({ target }) => {
        setText(target.value);
        if (target.value !== '' && target.validity.valid) onChange(target.value);
      }}
      onFocus={onFocus}
      onBlur={() => setText(value)}
      className={cx(controlClass, 'sm:w-36')}
    />
  );
}

interface Days {
  from: string | undefined;
  to: string | undefined;
}

/** Two days in their order. One that is typed is another day after each of its parts: meanwhile the other gives way, and comes back. */
export function DaysInput({
  labels: [first, last],
  days: { from, to },
  onChange,
}: {
  labels: [first: string, last: string];
  days: Days;
  onChange: (days: Days) => void;
}) {
  const [kept, setKept] = useState<Days>({ from, to });
  const keep = () => setKept({ from, to });
  return (
    <div className="flex w-full items-center gap-2 sm:w-auto">
      <DayInput
        label={first}
        value={from ?? ''}
        onFocus={keep}
        onChange={(next) => onChange({ from: next, to: kept.to && next > kept.to ? next : kept.to })}
      />
      <span aria-hidden="true">–</span>
      <DayInput
        label={last}
        value={to ?? ''}
        onFocus={keep}
        onChange={(next) => onChange({ from: kept.from && kept.from > next ? next : kept.from, to: next })}
      />
    </div>
  );
}
