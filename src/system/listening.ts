/** Why a port cannot be listened on, as a sentence that says what to do. */
export function explainListening(
  error: unknown,
  setting: 'PORT' | 'METRICS_PORT',
  { port, host }: { port: number; host: string },
): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new Error(`Port ${port} is taken by another program; stop it, or set ${setting} to another.`);
  if (code === 'EACCES')
    return new Error(`Port ${port} needs more rights than this user has; set ${setting} to one above 1023.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new Error(
      `${host} is not an address of this machine; set HOST to one that is, or to 0.0.0.0 for all of them.`,
    );
  return error;
}
