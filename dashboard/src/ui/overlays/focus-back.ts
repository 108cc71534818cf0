import { useState } from 'react';

/** For a dialog that is mounted only while open: gives the focus back to the element that opened it. */
export function useFocusBack(): (event: Event) => void {
  const [opener] = useState(findOpener);
  return (event) => {
    event.preventDefault();
    const there = opener?.isConnected ? opener : document.getElementById('main');
    there?.focus();
  };
}

/** A menu is gone when its dialog closes, so its button stands in for it. */
function findOpener(): HTMLElement | null {
  const focused = document.activeElement as HTMLElement | null;
  const menu = focused?.closest('[role="menu"]');
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : focused;
}
