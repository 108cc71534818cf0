import { useRouter } from '@tanstack/react-router';

/** Back to where one came from; who came from outside is led to the list. */
export function useBack(list: string): () => void {
  const { history, navigate } = useRouter();
  return () => {
    if (history.canGoBack()) history.back();
    else void navigate({ to: list });
  };
}
