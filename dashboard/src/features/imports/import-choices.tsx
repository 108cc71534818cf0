import { Check } from '../../ui/forms/check.tsx';
import { SelectField } from '../../ui/forms/field.tsx';
import type { Draft, ImportFile } from './import-draft.ts';

const formats = [
  { value: 'mdy', label: 'Month first: March 4' },
  { value: 'dmy', label: 'Day first: 3 April' },
];

/** The server asks for it if all dates of a file can be read in two ways. */
const asksForFormat = (files: ImportFile[]) =>
  files.some(({ errors }) => errors.some(({ reason }) => reason.includes('mdy or dmy')));

export function ImportChoices({
  draft,
  files,
  onDateFormat,
  onEvents,
  onSkipErrors,
}: {
  draft: Draft;
  files: ImportFile[];
  onDateFormat: (format: Draft['date_format']) => void;
  onEvents: (events: boolean) => void;
  onSkipErrors: (skip: boolean) => void;
}) {
  return (
    <div className="flex flex-col gap-4">
      {(draft.date_format !== null || asksForFormat(files)) && (
        <SelectField
          name="date_format"
          label="Dates such as 03/04/2026"
          className="max-w-64"
          none="As in the file"
          options={formats}
          value={draft.date_format ?? ''}
          onChange={({ target }) => onDateFormat((target.value || null) as Draft['date_format'])}
        />
      )}
      {(draft.skip_errors || files.some(({ rejected }) => rejected !== null)) && (
        <Check
          name="skip_errors"
          label="Leave out rows with errors"
          about="Import the other rows now. Download those with errors, fix them, and import them later."
          isOn={draft.skip_errors}
          onChange={onSkipErrors}
        />
      )}
      <Check
        name="events"
        label="Send events"
        about="Notify webhooks and automations of every record that is created or changed."
        isOn={draft.events}
        onChange={onEvents}
      />
    </div>
  );
}
