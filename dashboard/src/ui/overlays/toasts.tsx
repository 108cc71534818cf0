import { Toaster } from 'sonner';
import { useIsPhone } from '../media.ts';

/** Where the outcomes of actions appear. */
export function Toasts() {
  return (
    <Toaster
      // On a phone, buttons are at the bottom.
      position={useIsPhone() ? 'top-center' : 'bottom-right'}
      style={{ fontFamily: 'inherit' }}
      duration={4000}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'flex w-full items-start gap-2.5 rounded-lg border border-line bg-raised px-4 py-3 text-ink shadow-pop sm:w-[356px]',
          title: 'font-medium',
          description: 'text-soft',
          icon: 'mt-0.5 [&_svg]:size-4',
          success: '[&_[data-icon]]:text-good',
          error: '[&_[data-icon]]:text-bad',
        },
      }}
    />
  );
}
