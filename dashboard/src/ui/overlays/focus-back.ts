import { useState } from 'react';

/** For a dialog that is mounted only while open: returns the focus to the element that opened it. */
export function useFocusBack(): (event: Event) => void {
  const [opener] = useState(findOpener);
  return (event) => {
    event.preventDefault();
    const there = opener?.isConnected ? opener : document.getElementById('main');
    there?.focus();
  };
}

/** A menu is gone when its dialog closes, so the menu's button gets the focus instead. */
function findOpener(): HTMLElement | null {
  const focused = document.activeElement as HTMLElement | null;
  const menu = focused?.closest('[role="menu"]');
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : focused;
}
