import { Plus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { readMoney, readNumber } from '../../ui/forms/amounts.ts';
import { controlClass } from '../../ui/forms/field.tsx';
import { useFieldError } from '../../ui/forms/form.tsx';
import type { FormValues } from '../../ui/forms/form-values.ts';

const headings = 'text-sm font-medium text-soft';
/** On a phone, the name has a line of its own. */
const grid =
  'grid grid-cols-[1fr_1fr_2fr_36px] items-center gap-2 *:first:col-span-full sm:grid-cols-[minmax(0,1fr)_56px_56px_96px_32px] sm:*:first:col-span-1';

/** The units of a new property, one per row. Enter adds the next row. */
export function UnitRows({ currency }: { currency: string }) {
  const [rows, setRows] = useState([0]);
  const last = useRef(0);
  const error = useFieldError('units');
  const add = () => setRows((before) => [...before, ++last.current]);
  return (
    <fieldset className="mt-2 border-t border-line pt-4">
      <legend className="sr-only">Units</legend>
      <h2 className="font-semibold">Units</h2>
      <p className="mb-3 text-soft">What you rent out: a flat, a house, a shop. You can add more later.</p>
      <div className="flex flex-col gap-4 sm:gap-2">
        <div aria-hidden="true" className={`${grid} ${headings} max-sm:hidden`}>
          <span>Unit</span>
          <span>Beds</span>
          <span>Baths</span>
          <span>Rent ({currency})</span>
        </div>
        {rows.map((row, index) => (
          <UnitRow
            key={row}
            number={index + 1}
            onNext={add}
            onRemove={() => setRows((before) => before.filter((other) => other !== row))}
          />
        ))}
      </div>
      {error && (
        <p role="alert" className="mt-2 text-sm text-bad">
          {error}
        </p>
      )}
      <Button icon={<Plus />} onClick={add} className="mt-3">
        Another unit
      </Button>
    </fieldset>
  );
}

/** On a phone, where rows have no headings above them, an empty field says what belongs there. */
const unheaded = `${controlClass} sm:placeholder:text-transparent`;
const details = [
  {
    name: 'unit_bedrooms',
    label: 'Bedrooms',
    placeholder: 'Beds',
    inputMode: 'numeric',
    className: unheaded,
  },
  {
    name: 'unit_bathrooms',
    label: 'Bathrooms',
    placeholder: 'Baths',
    inputMode: 'decimal',
    className: unheaded,
  },
  {
    name: 'unit_rent',
    label: 'Rent',
    placeholder: 'Rent',
    inputMode: 'decimal',
    className: `${unheaded} text-right`,
  },
] as const;

function UnitRow({ number, onNext, onRemove }: { number: number; onNext: () => void; onRemove: () => void }) {
  const isFirst = number === 1;
  return (
    <div className={grid}>
      <input
        name="unit_name"
        aria-label={`Unit ${number}`}
        placeholder={isFirst ? '1A' : undefined}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: the person has just added the row
        autoFocus={!isFirst}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.currentTarget.value.trim() === '') return;
          event.preventDefault();
          onNext();
        }}
        className={controlClass}
      />
      {details.map(({ label, ...input }) => (
        <input key={label} aria-label={`${label}, unit ${number}`} {...input} />
      ))}
      {!isFirst && (
        <IconButton label={`Remove unit ${number}`} onClick={onRemove}>
          <X />
        </IconButton>
      )}
    </div>
  );
}

/** Reads the rows that are not empty. `rows` has their numbers. */
export function readUnits(values: FormValues, currency: string) {
  const [names, beds, baths, rents] = ['unit_name', 'unit_bedrooms', 'unit_bathrooms', 'unit_rent'].map(
    (name) => values.all(name).map((text) => text.trim()),
  ) as [string[], string[], string[], string[]];
  const filled = names
    .map((name, index) => ({
      row: index + 1,
      unit: {
        name,
        bedrooms: readNumber(beds[index] ?? ''),
        bathrooms: readNumber(baths[index] ?? ''),
        market_rent_cents: readMoney(rents[index] ?? '', currency) ?? null,
      },
    }))
    .filter(({ unit }) => Object.values(unit).some((value) => value !== '' && value !== null));
  return { units: filled.map(({ unit }) => unit), rows: filled.map(({ row }) => row) };
}

/** The server numbers the units that it received, but people see rows. */
export async function aboutRows<Data>(writing: Promise<Data>, rows: number[]): Promise<Data> {
  try {
    return await writing;
  } catch (error) {
    if (!(error instanceof ApiError && error.fieldErrors.units)) throw error;
    const units = error.fieldErrors.units.map((message) => inWords(message, rows));
    throw new ApiError(error.status, error.message, { ...error.fieldErrors, units });
  }
}

const fieldWords: Record<string, string> = {
  name: 'name',
  bedrooms: 'bedrooms',
  bathrooms: 'bathrooms',
  market_rent_cents: 'rent',
};

/** `[1].name: Must not be empty.` becomes `Unit 2, name: Must not be empty.` */
const inWords = (message: string, rows: number[]): string =>
  message.replace(
    /^\[(\d+)\](?:\.(\w+))?:/,
    (_, index, field) => `Unit ${rows[Number(index)]}${field ? `, ${fieldWords[field] ?? field}` : ''}:`,
  );
