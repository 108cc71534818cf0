import type { SecretBox } from '../secrets/secret-box.ts';
import { readTaggedId, writeTaggedId } from '../secrets/tagged-id.ts';

/*
 * The token in an invitation link is the invitation's id with a tag that only the holder of SECRET_KEY can make. So
 * nothing that grants access is stored, not even a hash, and the link can be shown again. The token is used up together
 * with the invitation.
 */

const use = 'invitation';

export const writeToken = (id: string, secrets: SecretBox): string => writeTaggedId(id, use, secrets);

/** The invitation's id, or null if the token is not one of ours. */
export const readToken = (token: string, secrets: SecretBox): string | null =>
  readTaggedId(token, use, secrets);
