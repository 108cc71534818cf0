import { Link } from '@tanstack/react-router';
import { ArrowRight, Check } from 'lucide-react';
import type { Home } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { cx } from '../../ui/class-names.ts';
import { ImportLink } from '../../ui/lists/bare.tsx';
import { Section } from '../../ui/page.tsx';

type Step = Exclude<keyof Home['setup'], 'complete'>;

const steps: { step: Step; title: string; about: string; to: string; search?: Record<string, string> }[] = [
  {
    step: 'property',
    title: 'Add a property',
    about: 'A building or a house, with its units.',
    to: '/properties/new',
  },
  {
    step: 'unit',
    title: 'Add a unit',
    about: 'What you rent out. Add it on the page of its property.',
    to: '/properties',
  },
  {
    step: 'tenant',
    title: 'Add a tenant',
    about: 'Who rents from you. You can add their lease in the same form.',
    to: '/tenants/new',
  },
  {
    step: 'lease',
    title: 'Add a lease',
    about: 'Who rents which unit, from when, and for how much.',
    to: '/leases/new',
  },
  {
    step: 'payment',
    title: 'Record a payment',
    about: 'The first rent you received.',
    to: '/payments',
    search: { record: 'new' },
  },
];

/** Five steps for a newcomer, with the next one highlighted. */
export function Setup({ setup }: { setup: Home['setup'] }) {
  const canWrite = useCanWrite();
  const next = steps.find(({ step }) => !setup[step])?.step;
  const done = steps.filter(({ step }) => setup[step]).length;
  if (!canWrite) return null;
  return (
    <Section title="Get started" about={`${done} of ${steps.length} done`}>
      <ol className="max-w-[640px] border-t border-line">
        {steps.map(({ step, title, about, to, search }, index) => {
          const isDone = setup[step];
          return (
            <li
              key={step}
              className={cx(
                'relative flex items-center gap-4 border-b border-line py-3',
                !isDone && 'hover:bg-hover',
              )}
            >
              <span
                className={cx(
                  'flex size-6 shrink-0 items-center justify-center rounded-full border text-sm',
                  isDone
                    ? 'border-transparent bg-accent-ground text-accent-ink'
                    : 'border-line-strong text-soft',
                  step === next && 'border-accent! text-accent-ink!',
                )}
              >
                {isDone ? <Check aria-label="Done" className="size-3.5" /> : index + 1}
              </span>
              <div className="min-w-0 grow">
                {isDone ? (
                  <span className="text-soft">{title}</span>
                ) : (
                  <Link
                    to={to}
                    search={(search ?? {}) as never}
                    className="font-medium after:absolute after:inset-0"
                  >
                    {title}
                  </Link>
                )}
                {!isDone && <div className="text-soft">{about}</div>}
              </div>
              {step === next && <ArrowRight aria-hidden="true" className="size-4 text-accent-ink" />}
            </li>
          );
        })}
      </ol>
      <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2">
        <ImportLink />
        <span className="text-soft">
          Properties, tenants, leases and balances from a rent roll or any other table.
        </span>
      </div>
    </Section>
  );
}
