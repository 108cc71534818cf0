import { useEffect, useState } from 'react';
import { cx } from './class-names.ts';
import { controlClass } from './field.tsx';

/** A day among the filters. While a year is typed, 0002 and 0020 are not days to look at. */
export function DayInput({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (date: string) => void;
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
      onBlur={() => setText(value)}
      className={cx(controlClass, 'sm:w-36')}
    />
  );
}
