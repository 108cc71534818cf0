import { useSyncExternalStore } from 'react';

const phone = matchMedia('(max-width: 767px)');

export const useIsPhone = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      phone.addEventListener('change', listener);
      return () => phone.removeEventListener('change', listener);
    },
    () => phone.matches,
  );
