import { useState } from 'react';
import { recall, remember } from '../api/storage.ts';

export type Theme = 'system' | 'light' | 'dark';

/** The person's choice. public/theme.js applies it before the first paint and whenever it changes. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(stored);
  const choose = (next: Theme) => {
    setTheme(next);
    remember('theme', next === 'system' ? null : next);
    dispatchEvent(new Event('themechange'));
  };
  return [theme, choose];
}

function stored(): Theme {
  const theme = recall('theme');
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}
