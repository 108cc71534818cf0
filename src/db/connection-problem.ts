/** TLS errors when a certificate comes from an unknown authority. */
const unknownAuthority = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

/** What pg says if nobody answers in time. */
const noAnswer = /^timeout exceeded when trying to connect|due to connection timeout$/;

/**
 * A sentence on what to do if no connection to the database can be made, because nothing answers at its address or its
 * certificate is not trusted; null for any other error.
 */
export function explainConnection(error: unknown): string | null {
  const { code = '', syscall = '', message = '' } = (error ?? {}) as NodeJS.ErrnoException;
  if (unknownAuthority.has(code))
    return (
      `The database's certificate comes from an authority that this machine does not know (${code}). Name the certificate of its ` +
      'authority in DATABASE_URL: …?sslmode=verify-full&sslrootcert=/path/ca.pem.'
    );
  // If the host has several addresses, there is one error inside for each.
  if (error instanceof AggregateError) return explainConnection(error.errors[0]);
  const isUnreachable = syscall === 'connect' || syscall === 'getaddrinfo' || noAnswer.test(message);
  if (!isUnreachable) return null;
  return `The database cannot be reached (${message}). Is it running, and is its address in DATABASE_URL right?`;
}
