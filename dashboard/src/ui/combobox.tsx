import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { Popover } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useDeferredValue, useEffect, useId, useState } from 'react';
import { cx } from './class-names.ts';
import { controlClass, Field } from './field.tsx';

export interface Option {
  value: string;
  label: string;
  about?: ReactNode;
}

// biome-ignore lint/suspicious/noExplicitAny: any query will do whose data become options
type OptionsQuery = UseQueryOptions<any, Error, Option[], any>;

export interface ComboboxProps {
  name: string;
  label: string;
  hint?: ReactNode;
  className?: string;
  /** The query that finds what fits the text typed. */
  find: (text: string) => OptionsQuery;
  selected: Option | null;
  onSelect: (option: Option | null) => void;
  placeholder?: string;
  nothing?: string;
  autoFocus?: boolean;
  disabled?: boolean;
}

/** Picks one of many by typing a part of its name: arrow keys and Enter, or a tap. */
export function Combobox({ name, label, hint, className, ...rest }: ComboboxProps) {
  return (
    <Field name={name} label={label} hint={hint} className={className}>
      {(control) => (
        <>
          <input type="hidden" name={name} value={rest.selected?.value ?? ''} />
          <ComboboxInput {...rest} label={label} control={{ ...control, name: undefined }} />
        </>
      )}
    </Field>
  );
}

interface InputProps extends Omit<ComboboxProps, 'name' | 'hint' | 'className'> {
  control?: object;
}

/** The same without its label around it; then the label is only told to assistive technology. */
export function ComboboxInput(props: InputProps) {
  const { find, selected, onSelect, placeholder, nothing = 'Nothing found', label, control, ...rest } = props;
  const listId = useId();
  const [text, setText] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const typed = useDeferredValue(useSettled(text ?? '', 120));
  const isOpen = text !== null;
  const { data: options = [], isFetching } = useQuery({ ...find(typed.trim()), enabled: isOpen });

  const close = () => setText(null);
  const choose = (option: Option) => {
    onSelect(option);
    close();
  };
  const leave = () => {
    if (text?.trim() === '' && selected) onSelect(null);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!isOpen) return setText('');
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((index) => (index + step + options.length) % Math.max(options.length, 1));
    } else if (event.key === 'Enter' && isOpen) {
      const option = options[active];
      event.preventDefault();
      if (option) choose(option);
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
          type="text"
          role="combobox"
          autoComplete="off"
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && options[active] ? `${listId}-${active}` : undefined}
          placeholder={placeholder}
          {...(control ?? { 'aria-label': label })}
          {...rest}
          value={text ?? selected?.label ?? ''}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
          }}
          onClick={() => {
            if (!isOpen) setText('');
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
          // The list must not take the focus out of the field.
          onMouseDown={(event) => event.preventDefault()}
          onInteractOutside={(event) => event.preventDefault()}
          className="pop-in z-50 max-h-72 w-(--radix-popover-trigger-width) min-w-48 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-pop"
        >
          <div role="listbox" id={listId} aria-label={label}>
            {options.map((option, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: keys are heard by the field
              <div
                key={option.value}
                id={`${listId}-${index}`}
                role="option"
                aria-selected={index === active}
                onClick={() => choose(option)}
                onPointerMove={() => setActive(index)}
                className="flex items-baseline justify-between gap-3 rounded px-2 py-1.5 aria-selected:bg-hover"
              >
                <span className="min-w-0 truncate">{option.label}</span>
                {option.about && <span className="min-w-0 truncate text-sm text-soft">{option.about}</span>}
              </div>
            ))}
          </div>
          {options.length === 0 && (
            <p className="px-2 py-1.5 text-soft">{isFetching ? 'Searching…' : nothing}</p>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** The value once it has stayed the same for a moment: not every letter needs a request. */
export function useSettled<Value>(value: Value, delayMs: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}
