import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { Popover } from 'radix-ui';
import {
  type KeyboardEvent,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { messageOf } from '../../api/writes.ts';
import { cx } from '../class-names.ts';
import { useSettled } from '../settled.ts';
import { type Active, ComboboxOptions, type Option, optionId } from './combobox-options.tsx';
import { controlClass, Field } from './field.tsx';
import { useMend } from './form.tsx';

export type { Option };

// biome-ignore lint/suspicious/noExplicitAny: any query will do whose data become options
type OptionsQuery = UseQueryOptions<any, Error, Option[], any>;

export interface ComboboxProps {
  name: string;
  label: string;
  hint?: ReactNode;
  className?: string;
  /** The query that finds options for the typed text. */
  find: (text: string) => OptionsQuery;
  selected: Option | null;
  onSelect: (option: Option | null) => void;
  placeholder?: string;
  nothing?: string;
  autoFocus?: boolean;
  disabled?: boolean;
}

/** Picks one of many by typing part of its name, then with arrow keys and Enter, or a tap. */
export function Combobox({ name, label, hint, className, ...rest }: ComboboxProps) {
  const mend = useMend();
  const select = (option: Option | null) => {
    mend(name);
    rest.onSelect(option);
  };
  return (
    <Field name={name} label={label} hint={hint} className={className}>
      {(control) => (
        <>
          <input type="hidden" name={name} value={rest.selected?.value ?? ''} />
          <ComboboxInput
            {...rest}
            onSelect={select}
            label={label}
            control={{ ...control, name: undefined }}
          />
        </>
      )}
    </Field>
  );
}

interface InputProps extends Omit<ComboboxProps, 'name' | 'hint' | 'className'> {
  control?: object;
}

/** Only the input. Its label is for assistive technology. */
export function ComboboxInput(props: InputProps) {
  const { find, selected, onSelect, placeholder, nothing = 'Nothing found', label, control, ...rest } = props;
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  // Null until something is typed or deleted after it opened.
  const [text, setText] = useState<string | null>(null);
  const [moved, setMoved] = useState<Active | null>(null);
  const [wasEntered, setEntered] = useState(false);
  // A second Enter may follow just after the first has closed the list. It must not wait for anything.
  const isEntered = wasEntered && isOpen;
  const wanted = text ?? '';
  const typed = useDeferredValue(useSettled(wanted, 120));
  const found = useQuery({ ...find(typed.trim()), enabled: isOpen });
  const options = found.data ?? [];
  // Until then the options belong to an earlier text.
  const isFresh = typed === wanted && !found.isPending && !found.isPlaceholderData;
  const untouched = text === null && selected;
  const active = moved ?? {
    index: untouched ? options.findIndex(({ value }) => value === selected.value) : 0,
    isPointed: false,
  };

  const change = (to: string | null) => {
    setOpen(true);
    setText(to);
    setMoved(null);
    setEntered(false);
  };
  const close = () => {
    change(null);
    setOpen(false);
  };
  const choose = (option: Option) => {
    if (option.value !== selected?.value) onSelect(option);
    close();
  };
  const leave = () => {
    // Enter was pressed before the options came, so the choice is made when they arrive.
    if (isEntered) return;
    if (text?.trim() === '' && selected) onSelect(null);
    close();
  };

  useEffect(() => {
    if (!isEntered || !isFresh) return;
    if (text?.trim() === '' && !moved && selected) {
      onSelect(null);
      return close();
    }
    const option = options[active.index];
    if (option) choose(option);
    else if (untouched || document.activeElement !== input.current) close();
    else setEntered(false);
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!isOpen) return change(null);
      setEntered(false);
      setMoved({ index: neighbour(active.index, event.key, options.length), isPointed: false });
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      setEntered(true);
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };

  return (
    <Popover.Root open={isOpen} onOpenChange={(open) => !open && close()}>
      <Popover.Anchor asChild>
        <input
          ref={input}
          type="text"
          role="combobox"
          autoComplete="off"
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-busy={isEntered || undefined}
          aria-activedescendant={isOpen && options[active.index] ? optionId(listId, active.index) : undefined}
          placeholder={placeholder}
          {...(control ?? { 'aria-label': label })}
          {...rest}
          value={text ?? selected?.label ?? ''}
          onChange={(event) => change(event.target.value)}
          onClick={(event) => {
            if (isOpen) return;
            change(null);
            // Typing replaces what was chosen.
            event.currentTarget.select();
          }}
          onFocus={(event) => event.target.select()}
          onBlur={leave}
          onKeyDown={onKeyDown}
          className={cx(
            controlClass,
            'placeholder:text-soft',
            'bg-[url(/chevron.svg)] bg-[length:16px] bg-[position:right_8px_center] bg-no-repeat pr-8 sm:pr-8',
          )}
        />
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          role="presentation"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          // The list must not take the focus from the input.
          onMouseDown={(event) => event.preventDefault()}
          onInteractOutside={(event) => event.preventDefault()}
          className="pop-in z-50 max-h-72 w-(--radix-popover-trigger-width) min-w-48 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-pop"
        >
          <ComboboxOptions
            id={listId}
            label={label}
            options={options}
            active={active}
            onChoose={choose}
            onPoint={(index) => setMoved({ index, isPointed: true })}
          />
          {options.length === 0 && (
            <p className="px-2 py-1.5 text-soft">
              {found.isError ? messageOf(found.error) : isFresh ? nothing : 'Searching…'}
            </p>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** The next or previous index, wrapping around; from -1, which is none, the first or last. */
const neighbour = (index: number, key: 'ArrowDown' | 'ArrowUp', count: number): number =>
  (key === 'ArrowDown' ? index + 1 : Math.max(index, 0) - 1 + count) % Math.max(count, 1);
