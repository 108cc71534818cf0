import { z } from 'zod';
import { publicId, requiredText, timestamp } from '../fields.ts';
import { givenPassword } from '../users/users.schema.ts';

/** How a person signs in, as far as they can see and change it themselves. */
export const Security = z.object({
  /** False for people who sign in by other means only. */
  has_password: z.boolean(),
  two_factor: z.object({
    enabled: z.boolean(),
    /** False if the secret of the app was lost. Only recovery codes are accepted then. */
    has_app: z.boolean(),
    recovery_codes_left: z.int(),
  }),
  passkeys: z.array(
    z.object({
      id: publicId('psk'),
      name: z.string(),
      /** Whether a password manager keeps it on all of the person's devices. */
      synced: z.boolean(),
      created_at: timestamp,
      last_used_at: timestamp.nullable(),
    }),
  ),
});

/** Apps show codes with spaces, which are not part of them. */
const code = z
  .string('Must be text.')
  .max(40, 'Must be a code.')
  .transform((text) => text.replaceAll(/\s/g, ''))
  .pipe(z.string().min(1, 'Must not be empty.'))
  .meta({ examples: ['492039'] });

export const SignInCode = z.object({
  code,
  trust_device: z.boolean('Must be true or false.').default(false),
});

/** The caller's password. People without one leave it out. */
const ownPassword = givenPassword.optional();

export const AppSetUp = z.object({ password: ownPassword });
/** The secret of the authenticator app: as the address for a QR code, and to type. */
export const AppSecret = z.object({ uri: z.string(), secret: z.string() });
export const CodeOfApp = z.object({ code });
export const Proof = z.object({ password: ownPassword, code });
/** Shown only once, because only their hashes are kept. */
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) });

/* WebAuthn, in the JSON that browsers use (PublicKeyCredential.toJSON). */

const bytes = (most: number) =>
  z
    .string('Must be text.')
    .max(most)
    .regex(/^[\w-]+$/, 'Must be base64url.')
    .meta({ examples: ['AAAA'] });
/** Answers of some security keys contain more than a kilobyte of certificates. */
const mostBytes = 8_000;

const credential = <Shape extends z.ZodRawShape>(response: Shape) =>
  z.object({
    id: bytes(1400),
    rawId: bytes(1400),
    type: z.literal('public-key'),
    response: z.object(response),
    clientExtensionResults: z.object({}).default({}),
  });

/** The answer is passed on in the form that the browser's own function expects. */
export const PasskeyOptions = z.looseObject({ challenge: z.string() });

export const PasskeySignIn = z.object({
  credential: credential({
    clientDataJSON: bytes(mostBytes),
    authenticatorData: bytes(mostBytes),
    signature: bytes(mostBytes),
  }),
});

const passkeyName = requiredText(100);
export const PasskeyBegin = z.object({ password: ownPassword });
export const PasskeyCreate = z.object({
  name: passkeyName,
  credential: credential({
    clientDataJSON: bytes(mostBytes),
    attestationObject: bytes(mostBytes),
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
});
export const PasskeyPatch = z.object({ name: passkeyName });

export type Security = z.output<typeof Security>;
export type AppSecret = z.output<typeof AppSecret>;
export type RecoveryCodes = z.output<typeof RecoveryCodes>;
