import { useState } from 'react';
import { today } from '../../ui/date.tsx';
import { DaysInput } from '../../ui/forms/day-input.tsx';
import { SelectFilter } from '../../ui/lists/filters.tsx';

interface Props {
  from: string | undefined;
  to: string | undefined;
  onChange: (range: { from: string | undefined; to: string | undefined }) => void;
}

/** Preset ranges, and two dates for a custom one. */
export function DateRange({ from, to, onChange }: Props) {
  const presets = presetsAt(today());
  // A custom range stays custom even while its dates happen to match a preset.
  const [isAsked, setAsked] = useState(false);
  const preset = presets.find((range) => range.from === from && range.to === to);
  const isCustom = !!(from || to) && (isAsked || !preset);
  const change: Props['onChange'] = (range) => {
    setAsked(true);
    onChange(range);
  };
  return (
    <>
      <SelectFilter
        label="Paid"
        value={isCustom ? 'custom' : preset?.name}
        options={[
          ...presets.map(({ name }) => ({ value: name, label: name })),
          { value: 'custom', label: 'Custom range' },
        ]}
        onChange={(name) => {
          const chosen = presets.find((range) => range.name === name);
          setAsked(name === 'custom');
          onChange(
            name === 'custom'
              ? { from: presets[0]?.from, to: today() }
              : { from: chosen?.from, to: chosen?.to },
          );
        }}
      />
      {isCustom && <DaysInput labels={['Paid from', 'Paid to']} days={{ from, to }} onChange={change} />}
    </>
  );
}

function presetsAt(date: string) {
  const year = Number(date.slice(0, 4));
  const month = Number(date.slice(5, 7)) - 1;
  const day = (y: number, m: number, d: number) => new Date(Date.UTC(y, m, d)).toISOString().slice(0, 10);
  return [
    { name: 'This month', from: day(year, month, 1), to: day(year, month + 1, 0) },
    { name: 'Last month', from: day(year, month - 1, 1), to: day(year, month, 0) },
    { name: 'This year', from: day(year, 0, 1), to: day(year, 11, 31) },
    { name: 'Last year', from: day(year - 1, 0, 1), to: day(year - 1, 11, 31) },
  ];
}
