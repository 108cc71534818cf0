/**
 * Where to go after signing in: only ever to a path of ours, because a link from outside must not send people to
 * another site. Browsers ignore tabs and line breaks in addresses, so one of them could hide a second slash.
 */
export const safeNext = (next: string | undefined): string =>
  next && /^\/(?![/\\])[^\t\n\r]*$/.test(next) ? next : '/';
