import {
  createContext,
  type FormEvent,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { ApiError } from '../../api/client.ts';
import { inPlainWords } from '../../api/plain-words.ts';
import { messageOf } from '../../api/writes.ts';
import { Button } from '../button.tsx';
import { FormValues } from './form-values.ts';
import { LeaveGuard } from './leaving.tsx';

interface FormState {
  errors: Record<string, string[]>;
}
const FormContext = createContext<FormState>({ errors: {} });

export interface FormProps {
  /**
   * Saves; what it throws is shown, at the fields where it belongs to one. `before` is what stood in the fields
   * when the form was opened or last saved.
   */
  onSubmit: (values: FormValues, before: FormValues) => Promise<unknown>;
  submit: string;
  /** Not until something that the form needs is there. */
  isReady?: boolean;
  onCancel?: () => unknown;
  children: ReactNode;
  /** Fields whose errors the form shows itself, in its own way. */
  shows?: string[];
  isWide?: boolean;
  /** Has a page of its own: that is not left with what was typed and not saved, unless the person says so. */
  isPage?: boolean;
}

/**
 * One way for all forms. The fields keep their own text; the server alone judges it, and its word stands at
 * the field it is about. Only a date that the browser keeps to itself is judged here.
 */
export function Form({
  onSubmit,
  submit,
  isReady = true,
  onCancel,
  children,
  shows = [],
  isWide = false,
  isPage = false,
}: FormProps) {
  const [state, setState] = useState<FormState & { message: string }>({ errors: {}, message: '' });
  const [isBusy, setBusy] = useState(false);
  const ref = useRef<HTMLFormElement>(null);
  const before = useRef<FormValues>(null);
  useEffect(() => {
    if (ref.current) before.current = new FormValues(ref.current);
  }, []);

  // Where something is wrong, the first of it is at hand.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is a new state
  useEffect(() => {
    ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [state]);

  const isChanged = () =>
    !!ref.current && !!before.current && !before.current.isSame(new FormValues(ref.current));

  const handle = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A form in a dialog is inside another form for React, though not in the page.
    event.stopPropagation();
    if (isBusy || !isReady) return;
    // A choice that is still being looked up is not in the form yet.
    if (event.currentTarget.querySelector('[role=combobox][aria-busy=true]')) return;
    const errors = wrongDates(event.currentTarget);
    if (Object.keys(errors).length > 0) return setState({ errors, message: '' });
    setBusy(true);
    const values = new FormValues(event.currentTarget);
    try {
      await onSubmit(values, before.current ?? values);
      before.current = values;
      setState({ errors: {}, message: '' });
    } catch (error) {
      setState(problemOf(error, ref.current, shows));
      if (!(error instanceof ApiError)) console.error(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <FormContext value={state}>
      <form ref={ref} onSubmit={handle} noValidate className="flex flex-col gap-4">
        {children}
        {isPage && <LeaveGuard isChanged={isChanged} />}
        {state.message && (
          <p role="alert" className="rounded-md bg-bad-ground px-3 py-2 text-bad">
            {state.message}
          </p>
        )}
        <div className={isWide ? 'flex flex-col pt-2' : 'flex flex-row-reverse justify-start gap-2 pt-2'}>
          <Button
            type="submit"
            kind="main"
            isBusy={isBusy}
            disabled={!isReady}
            className={isWide ? 'sm:h-9' : ''}
          >
            {submit}
          </Button>
          {onCancel && <Button onClick={() => onCancel()}>Cancel</Button>}
        </div>
      </form>
    </FormContext>
  );
}

/** What is wrong with a field, if the server found something. */
export const useFieldError = (name: string): string | undefined =>
  useContext(FormContext).errors[name]?.map(inPlainWords).join(' ');

/** A date that is half typed or that no calendar has reads as none: it must not be saved as such. */
function wrongDates(form: HTMLFormElement): Record<string, string[]> {
  const told = [...form.querySelectorAll('input')].flatMap(({ name, type, validity }) => {
    const words = dateWords[type];
    if (words && validity.badInput) return [[name, [`Must be a complete ${words}.`]]];
    if (words && (validity.rangeUnderflow || validity.rangeOverflow))
      return [[name, ['Must be between the years 1900 and 2999.']]];
    return [];
  });
  return Object.fromEntries(told);
}

const dateWords: Record<string, string> = {
  date: 'date',
  'datetime-local': 'date and time',
  month: 'month',
};

/** Errors of fields that are in the form stand there; all others are told below it. */
function problemOf(error: unknown, form: HTMLFormElement | null, shows: string[]) {
  if (!(error instanceof ApiError)) return { errors: {}, message: messageOf(error) };
  const isShown = (name: string) => shows.includes(name) || !!form?.elements.namedItem(name);
  const errors = Object.fromEntries(Object.entries(error.fieldErrors).filter(([name]) => isShown(name)));
  const others = Object.fromEntries(Object.entries(error.fieldErrors).filter(([name]) => !isShown(name)));
  return { errors, message: messageOf(new ApiError(error.status, error.message, others)) };
}
