/** The plugins of better-auth for a second factor and for passkeys, with our names for their tables. */
export async function loadPlugins() {
  const [{ twoFactor }, { passkey }, { APIError, createAuthEndpoint }, { setSessionCookie }, { z }] =
    await Promise.all([
      import('better-auth/plugins/two-factor'),
      import('@better-auth/passkey'),
      import('better-auth/api'),
      import('better-auth/cookies'),
      import('zod'),
    ]);

  /** A passkey counts as both factors, so its device must have asked for a finger, a face or a PIN. */
  const wantVerifiedUser = (isVerified: boolean | undefined) => {
    if (!isVerified) throw new APIError('BAD_REQUEST', { code: 'USER_NOT_VERIFIED' });
  };

  return [
    twoFactor({
      issuer: 'Tenure',
      // People who sign in by other means only have no password.
      allowPasswordless: true,
      // It counts after comparing, so many simultaneous codes would get past it. We count before (two-factor.ts).
      accountLockout: { enabled: false },
      // The codes that we give it are hashed (recovery-codes.ts) and written with a statement of ours.
      backupCodeOptions: { storeBackupCodes: 'plain', customBackupCodesGenerate: () => [] },
      schema: {
        user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
        twoFactor: {
          modelName: 'two_factors',
          fields: {
            userId: 'user_id',
            backupCodes: 'backup_codes',
            failedVerificationCount: 'failed_verification_count',
            lockedUntil: 'locked_until',
          },
        },
      },
    }),
    passkey({
      rpName: 'Tenure',
      advanced: { webAuthnChallengeCookie: 'passkey' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      registration: {
        afterVerification: ({ verification }) =>
          wantVerifiedUser(verification.registrationInfo?.userVerified),
      },
      authentication: {
        afterVerification: ({ verification }) =>
          wantVerifiedUser(verification.authenticationInfo.userVerified),
      },
      schema: {
        passkey: {
          modelName: 'passkeys',
          fields: {
            userId: 'user_id',
            credentialID: 'credential_id',
            publicKey: 'public_key',
            deviceType: 'device_type',
            backedUp: 'backed_up',
            createdAt: 'created_at',
          },
        },
      },
    }),
    {
      id: 'tenure' as const,
      endpoints: {
        /** Opens a session for somebody we already know: a person who has just changed their password. */
        openSession: createAuthEndpoint.serverOnly(
          { method: 'POST', body: z.object({ userId: z.string() }) },
          async (ctx) => {
            const { internalAdapter } = ctx.context;
            const user = await internalAdapter.findUserById(ctx.body.userId);
            if (!user) throw new APIError('UNAUTHORIZED');
            await setSessionCookie(ctx, { session: await internalAdapter.createSession(user.id), user });
            return ctx.json({ userId: user.id });
          },
        ),
      },
    },
  ] as const;
}
