import './styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { onSignedOut } from './api/client.ts';
import { queryClient } from './api/queries.ts';
import { startAfresh } from './api/session.ts';
import { router } from './app/router.tsx';
import { Toasts } from './ui/toasts.tsx';

// A session that ended: the page asks who is signed in, and the router leads to the sign-in and back.
onSignedOut(async () => {
  await startAfresh().catch(() => undefined);
  await router.invalidate();
});

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
