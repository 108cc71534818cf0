import { useBlocker, useNavigate, useRouter } from '@tanstack/react-router';
import { isStartingAfresh } from '../../api/session.ts';
import { Confirm } from '../overlays/confirm.tsx';

/** Asks before somebody leaves a page with unsaved changes. */
export function LeaveGuard({ isChanged }: { isChanged: () => boolean }) {
  const { status, proceed, reset } = useBlocker({
    // The link that skips to the content does not leave the page.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isChanged(),
    enableBeforeUnload: () => isChanged() && !isStartingAfresh(),
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Confirm title="Leave without saving?" action="Leave" onConfirm={async () => proceed()} onClose={reset}>
      Your changes on this page will be lost.
    </Confirm>
  );
}

/** Leaves a saved or cancelled form without asking. */
export function useLeave(): (to: string) => Promise<void> {
  const navigate = useNavigate();
  return (to) => navigate({ to, ignoreBlocker: true });
}

/** The same, to the page before; or to the list, for those who came from outside. */
export function useBack(list: string): () => void {
  const { history } = useRouter();
  const leaveTo = useLeave();
  return () => {
    if (history.canGoBack()) history.back({ ignoreBlocker: true });
    else void leaveTo(list);
  };
}
