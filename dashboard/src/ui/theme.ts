import { useState } from 'react';

export type Theme = 'system' | 'light' | 'dark';

/** The reader's choice; public/theme.js applies it, before the first paint and whenever it changes. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(read);
  const choose = (next: Theme) => {
    setTheme(next);
    try {
      if (next === 'system') localStorage.removeItem('theme');
      else localStorage.setItem('theme', next);
    } catch {
      // Storage can be forbidden; then the choice lasts as long as the page.
    }
    dispatchEvent(new Event('themechange'));
  };
  return [theme, choose];
}

function read(): Theme {
  try {
    const stored = localStorage.getItem('theme');
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}
