import './styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { onSignedOut } from './api/client.ts';
import { queryClient } from './api/queries.ts';
import { askSession } from './api/session.ts';
import { router } from './app/router.tsx';
import { Toasts } from './ui/overlays/toasts.tsx';

// The session has ended. Asking for it again updates the page.
onSignedOut(() => void askSession().catch(() => undefined));

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </StrictMode>,
  );
}

// public/sw.js shows a page when there is no connection. Browsers without service workers do without it.
if (import.meta.env.PROD && 'serviceWorker' in navigator)
  addEventListener('load', () => navigator.serviceWorker.register('/sw.js').catch(() => undefined));
