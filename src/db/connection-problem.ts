/** TLS errors when a certificate comes from an unknown authority. */
const unknownAuthority = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

/** A sentence on what to do about a database whose certificate is not trusted; null for any other error. */
export function explainCertificate(error: unknown): string | null {
  const { code = '' } = (error ?? {}) as NodeJS.ErrnoException;
  if (!unknownAuthority.has(code)) return null;
  return (
    `The database's certificate comes from an authority that this machine does not know (${code}). Name the certificate of its ` +
    'authority in DATABASE_URL: …?sslmode=verify-full&sslrootcert=/path/ca.pem.'
  );
}
