/**
 * Where to go after signing in. Only ever a path of ours: a link from outside must not send people elsewhere. In
 * addresses browsers skip tabs and line breaks, so that one of them could hide a second slash.
 */
export const safeNext = (next: string | undefined): string =>
  next && /^\/(?![/\\])[^\t\n\r]*$/.test(next) ? next : '/';
