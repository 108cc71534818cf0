/** Where to go after signing in. Only ever a path of ours: a link from outside must not send people elsewhere. */
export const safeNext = (next: string | undefined): string =>
  next?.startsWith('/') && !/^\/[/\\]/.test(next) ? next : '/';
