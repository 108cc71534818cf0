import { cx } from '../../ui/class-names.ts';
import { today } from '../../ui/date.tsx';
import { controlClass } from '../../ui/field.tsx';
import { SelectFilter } from '../../ui/filters.tsx';

interface Props {
  from: string | undefined;
  to: string | undefined;
  onChange: (range: { from: string | undefined; to: string | undefined }) => void;
}

/** Ready-made ranges, and the two dates for all others. */
export function DateRange({ from, to, onChange }: Props) {
  const presets = presetsAt(today());
  const preset = presets.find((range) => range.from === from && range.to === to);
  const isCustom = !preset && (from || to);
  return (
    <>
      <SelectFilter
        label="Paid"
        value={preset?.name ?? (isCustom ? 'custom' : undefined)}
        options={[
          ...presets.map(({ name }) => ({ value: name, label: name })),
          { value: 'custom', label: 'From – to' },
        ]}
        onChange={(name) => {
          const chosen = presets.find((range) => range.name === name);
          if (chosen) onChange({ from: chosen.from, to: chosen.to });
          else
            onChange(
              name === 'custom'
                ? { from: presets[0]?.from, to: today() }
                : { from: undefined, to: undefined },
            );
        }}
      />
      {isCustom && (
        <div className="flex w-full items-center gap-2 sm:w-auto">
          <input
            type="date"
            aria-label="Paid from"
            value={from ?? ''}
            max={to}
            onChange={(event) => onChange({ from: event.target.value || undefined, to })}
            className={cx(controlClass, 'sm:w-36')}
          />
          <span aria-hidden="true">–</span>
          <input
            type="date"
            aria-label="Paid to"
            value={to ?? ''}
            min={from}
            onChange={(event) => onChange({ from, to: event.target.value || undefined })}
            className={cx(controlClass, 'sm:w-36')}
          />
        </div>
      )}
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
