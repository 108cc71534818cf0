import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { ApiError } from '../../api/client.ts';
import { post } from '../../api/writes.ts';

/** Browsers support passkeys only on https and localhost. */
export const canUsePasskeys = (): boolean => isSecureContext && 'PublicKeyCredential' in window;

export async function signInWithPasskey(): Promise<void> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const optionsJSON = await post<PublicKeyCredentialRequestOptionsJSON>('/sign-in/passkey/options');
  const credential = await orExplain(startAuthentication({ optionsJSON }));
  await post('/sign-in/passkey', { credential });
}

export async function createPasskey(name: string, password: string | undefined): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = await post<PublicKeyCredentialCreationOptionsJSON>('/passkeys/options', { password });
  const credential = await orExplain(startRegistration({ optionsJSON }));
  await post('/passkeys', { name, credential });
}

/** Browsers tell pages little about why it failed. */
async function orExplain<Credential>(asking: Promise<Credential>): Promise<Credential> {
  try {
    return await asking;
  } catch (error) {
    throw new ApiError(0, words[(error as Error).name] ?? 'Your browser could not use a passkey here.');
  }
}

const words: Record<string, string> = {
  NotAllowedError: 'No passkey was used. Try again, and confirm it when your browser asks.',
  InvalidStateError: 'This device already has a passkey for you.',
  SecurityError: 'Passkeys do not work at this address. Tell whoever runs this service to set PUBLIC_URL.',
};
