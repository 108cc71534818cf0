import { useBlocker, useNavigate, useRouter } from '@tanstack/react-router';
import { isStartingAfresh } from '../../api/session.ts';
import { Confirm } from '../overlays/confirm.tsx';

/** Asks before a page is left with what was typed on it. */
export function LeaveGuard({ isChanged }: { isChanged: () => boolean }) {
  const { status, proceed, reset } = useBlocker({
    // The link that skips to the content stays on the page.
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

/** Leaves without a question a form that was saved or cancelled. */
export function useLeave(): (to: string) => Promise<void> {
  const navigate = useNavigate();
  return (to) => navigate({ to, ignoreBlocker: true });
}

/** The same, back to where one came from; who came from outside is led to the list. */
export function useBack(list: string): () => void {
  const { history } = useRouter();
  const leaveTo = useLeave();
  return () => {
    if (history.canGoBack()) history.back({ ignoreBlocker: true });
    else void leaveTo(list);
  };
}
