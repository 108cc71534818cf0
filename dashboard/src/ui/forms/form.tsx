import {
  createContext,
  type FormEvent,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { ApiError } from '../../api/client.ts';
import { allInPlainWords } from '../../api/plain-words.ts';
import { messageOf } from '../../api/writes.ts';
import { Button } from '../button.tsx';
import { Foot } from '../overlays/dialog.tsx';
import { FormValues } from './form-values.ts';
import { LeaveGuard } from './leaving.tsx';

interface FormState {
  errors: Record<string, string[]>;
}
interface Context extends FormState {
  /** Removes the error of a field, because somebody has changed it. */
  mend(name: string): void;
}
const FormContext = createContext<Context>({ errors: {}, mend: () => undefined });

export interface FormProps {
  /**
   * Saves the form. Errors it throws are shown, at their fields if they have one. `before` has the values from when the
   * form was opened or last saved. False means that somebody is asked first and nothing is saved yet.
   */
  onSubmit: (values: FormValues, before: FormValues) => Promise<unknown>;
  submit: string;
  /** False while the form still needs something in order to be sent. */
  isReady?: boolean;
  onCancel?: () => unknown;
  children: ReactNode;
  /** What comes of it, above the buttons: in a dialog it stays in view with them. */
  outcome?: ReactNode;
  /** Fields whose errors the children show themselves. */
  shows?: string[];
  isWide?: boolean;
  /** Whether the form is a page of its own: leaving it with unsaved changes asks first. */
  isPage?: boolean;
}

/**
 * All forms are this one. Fields keep their own text. Only the server validates it, and its errors appear at their
 * fields. The exceptions are dates: one that the browser withholds because it is incomplete, and a required one that is
 * missing, which the server may take for "no day".
 */
export function Form({
  onSubmit,
  submit,
  isReady = true,
  onCancel,
  children,
  outcome,
  shows = [],
  isWide = false,
  isPage = false,
}: FormProps) {
  const [state, setState] = useState<FormState & { message: string }>({ errors: {}, message: '' });
  // Counts the answers, because not every answer changes the state.
  const [answers, setAnswers] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const ref = useRef<HTMLFormElement>(null);
  const before = useRef<FormValues>(null);
  useEffect(() => {
    if (ref.current) before.current = new FormValues(ref.current);
  }, []);

  // Focuses the first invalid field, even one that is folded away.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    const wrong = ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    wrong?.closest('details')?.setAttribute('open', '');
    wrong?.focus();
  }, [answers]);

  const answer = (next: typeof state) => {
    setState(next);
    setAnswers((count) => count + 1);
  };
  const mend = (name: string) =>
    setState((now) => {
      if (!(name in now.errors)) return now;
      const { [name]: _mended, ...errors } = now.errors;
      return { ...now, errors };
    });

  const isChanged = () =>
    !!ref.current && !!before.current && !before.current.isSame(new FormValues(ref.current));

  const handle = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // For React, a form in a dialog is inside the page's form, although it is not in the DOM.
    event.stopPropagation();
    if (isBusy || !isReady) return;
    // A choice that is still being looked up has no value yet.
    if (event.currentTarget.querySelector('[role=combobox][aria-busy=true]')) return;
    const errors = wrongDates(event.currentTarget);
    if (Object.keys(errors).length > 0) return answer({ errors, message: '' });
    setBusy(true);
    const values = new FormValues(event.currentTarget);
    try {
      const answered = await onSubmit(values, before.current ?? values);
      if (answered !== false) before.current = values;
      answer({ errors: {}, message: '' });
    } catch (error) {
      answer(problemOf(error, ref.current, shows));
      if (!(error instanceof ApiError)) console.error(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <FormContext value={{ errors: state.errors, mend }}>
      <form
        id={id}
        ref={ref}
        onSubmit={handle}
        onInput={({ target }) => mend((target as HTMLInputElement).name)}
        noValidate
        className="flex flex-col gap-4"
      >
        {children}
        {isPage && <LeaveGuard isChanged={isChanged} />}
        <Foot>
          {outcome}
          {state.message && (
            <p role="alert" className="rounded-md bg-bad-ground px-3 py-2 text-bad">
              {state.message}
            </p>
          )}
          <div className={isWide ? 'flex flex-col' : 'flex justify-end gap-2'}>
            {onCancel && <Button onClick={() => onCancel()}>Cancel</Button>}
            <Button
              type="submit"
              // In a dialog it is outside of the form.
              form={id}
              kind="main"
              isBusy={isBusy}
              disabled={!isReady}
              className={isWide ? 'sm:h-9' : ''}
            >
              {submit}
            </Button>
          </div>
        </Foot>
      </form>
    </FormContext>
  );
}

/** The server's error about a field, if there is one. */
export function useFieldError(name: string, currency?: string): string | undefined {
  const texts = useContext(FormContext).errors[name];
  return texts && allInPlainWords(texts, currency);
}

/** Removes the error of a field whose value changes without an input event. */
export const useMend = () => useContext(FormContext).mend;

/** A half-typed or impossible date reads as empty. It must not be saved as such, nor may a required one be empty. */
function wrongDates(form: HTMLFormElement): Record<string, string[]> {
  const wrong = [...form.querySelectorAll('input')].flatMap(({ name, type, validity }) => {
    const words = dateWords[type];
    if (words && validity.badInput) return [[name, [`Must be a complete ${words}.`]]];
    if (words && validity.valueMissing) return [[name, ['Required.']]];
    if (words && (validity.rangeUnderflow || validity.rangeOverflow))
      return [[name, ['Must be between the years 1900 and 2999.']]];
    return [];
  });
  return Object.fromEntries(wrong);
}

const dateWords: Record<string, string> = {
  date: 'date',
  'datetime-local': 'date and time',
  month: 'month',
};

/** Errors of the form's fields appear there, and all others below the form. */
function problemOf(error: unknown, form: HTMLFormElement | null, shows: string[]) {
  if (!(error instanceof ApiError)) return { errors: {}, message: messageOf(error) };
  const isShown = (name: string) => shows.includes(name) || !!form?.elements.namedItem(name);
  const told = Object.entries(error.fieldErrors).flatMap(([name, texts]) =>
    texts.map((text) => placed(name, text, isShown)),
  );
  const [errors = {}, others = {}] = [true, false].map((shown) =>
    gathered(told.filter(([name]) => isShown(name) === shown)),
  );
  return { errors, message: messageOf(new ApiError(error.status, error.message, others)) };
}

/** Parts of a field, such as `first.percent_of_rent: Must be…`, may have fields of their own in the form. */
function placed(name: string, text: string, isShown: (name: string) => boolean): [string, string] {
  const [, path = '', message = ''] = text.match(/^([\w.]+): (.+)$/s) ?? [];
  const part = path
    .split('.')
    .reverse()
    .flatMap((each) => [each, `${each}_value`])
    .find(isShown);
  return part === undefined ? [name, text] : [part, message];
}

function gathered(told: [name: string, text: string][]): Record<string, string[]> {
  const all: Record<string, string[]> = {};
  for (const [name, text] of told) all[name] = [...(all[name] ?? []), text];
  return all;
}
