import { useState } from 'react';

/** For a dialog that is there only while it is open: what it was opened from has the focus again afterwards. */
export function useFocusBack(): (event: Event) => void {
  const [opener] = useState(findOpener);
  return (event) => {
    event.preventDefault();
    const there = opener?.isConnected ? opener : document.getElementById('main');
    there?.focus();
  };
}

/** From a menu, which is gone by then, its button. */
function findOpener(): HTMLElement | null {
  const focused = document.activeElement as HTMLElement | null;
  const menu = focused?.closest('[role="menu"]');
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : focused;
}
