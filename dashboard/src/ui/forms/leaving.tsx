import { useBlocker, useNavigate, useRouter } from '@tanstack/react-router';
import { isStartingAfresh } from '../../api/session.ts';
import { Confirm } from '../overlays/confirm.tsx';

/** Asks before somebody leaves a page with unsaved changes. */
export function LeaveGuard({ isChanged }: { isChanged: () => boolean }) {
  const { status, proceed, reset } = useBlocker({
    // The link that skips to the content does not leave the page.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isChanged(),
    enableBeforeUnload: () => isChanged() && !isStartingAfresh() && !isLeaving,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Confirm title="Leave without saving?" action="Leave" onConfirm={async () => proceed()} onClose={reset}>
      Your changes on this page will be lost.
    </Confirm>
  );
}

/** While the code of the next page is fetched, the form is still there but has nothing left to save. */
let isLeaving = false;

/** Leaves a saved or cancelled form without asking. */
export function useLeave(): (to: string) => Promise<void> {
  const navigate = useNavigate();
  return async (to) => {
    isLeaving = true;
    await navigate({ to, ignoreBlocker: true }).finally(() => {
      isLeaving = false;
    });
  };
}

/** Leaves for the previous page, or for the list if somebody came from outside. */
export function useBack(list: string): () => void {
  const { history } = useRouter();
  const leaveTo = useLeave();
  return () => {
    if (history.canGoBack()) history.back({ ignoreBlocker: true });
    else void leaveTo(list);
  };
}
