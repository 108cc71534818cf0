import { useState } from 'react';

/** For a dialog that is mounted only while open: returns the focus to the element that opened it, or near it. */
export function useFocusBack(): (event: Event) => void {
  const [opener] = useState(findOpener);
  // Where it was cannot be seen any more once it is gone.
  const [section] = useState(() => opener?.closest('section') ?? null);
  return (event) => {
    event.preventDefault();
    if (!opener?.isConnected) return focusNear(section);
    opener.focus();
    whenGone(opener, () => document.activeElement === document.body && focusNear(section));
  };
}

/** The heading of the section, if that is still there. */
function focusNear(section: HTMLElement | null): void {
  const heading = section?.isConnected ? section.querySelector<HTMLElement>('h2') : null;
  if (heading) heading.tabIndex = -1;
  (heading ?? document.getElementById('main'))?.focus();
}

/**
 * What a dialog did may take its opener away, such as the row of a charge that was voided, but only when the page has
 * been read again. Somebody who has moved on by then is left where they are.
 */
function whenGone(opener: HTMLElement, then: () => void): void {
  const observer = new MutationObserver(() => {
    if (opener.isConnected && document.activeElement === opener) return;
    observer.disconnect();
    if (!opener.isConnected) then();
  });
  observer.observe(document.body, { childList: true, subtree: true });
}

/** A menu is gone when its dialog closes, so the menu's button gets the focus instead. */
function findOpener(): HTMLElement | null {
  const focused = document.activeElement as HTMLElement | null;
  const menu = focused?.closest('[role="menu"]');
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : focused;
}
