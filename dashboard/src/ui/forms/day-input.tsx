import { useEffect, useRef, useState } from 'react';
import { cx } from '../class-names.ts';
import { controlClass } from './field.tsx';

/** A filter by day. While somebody types 2026, it ignores 0002, 0020 and 0202. */
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

/** A range of days. While one end is being typed it may pass the other, which moves along and then comes back. */
export function DaysInput({
  labels: [first, last],
  days: { from, to },
  onChange,
}: {
  labels: [first: string, last: string];
  days: Days;
  onChange: (days: Days) => void;
}) {
  const atFocus = useRef<Days>({ from, to });
  const keep = () => {
    atFocus.current = { from, to };
  };
  const changeFrom = (next: string) => {
    const { to } = atFocus.current;
    onChange({ from: next, to: to && next > to ? next : to });
  };
  const changeTo = (next: string) => {
    const { from } = atFocus.current;
    onChange({ from: from && from > next ? next : from, to: next });
  };
  return (
    <div className="flex w-full items-center gap-2 sm:w-auto">
      <DayInput label={first} value={from ?? ''} onFocus={keep} onChange={changeFrom} />
      <span aria-hidden="true">–</span>
      <DayInput label={last} value={to ?? ''} onFocus={keep} onChange={changeTo} />
    </div>
  );
}
