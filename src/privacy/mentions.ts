import type { Db } from '../db/connect.ts';
import { formatId } from '../ids.ts';
import { findWhatTenantWas } from './mentions.store.ts';
import { erasedTenant } from './redact.ts';

/** Whether one of these texts, which people wrote for another purpose, mentions a tenant. */
type Mentions = (...texts: string[]) => boolean;

/** Fewer digits cannot be recognised as part of a phone number. */
const fewestDigits = 6;

/**
 * Tenants are recognised by a word of their name, their e-mail address, their phone number or a part of it, their
 * external_id or their id: as these are now, and as they were according to the history. So this is asked before the
 * history is erased. A tenant who was erased before has no name: many texts contain the word "tenant".
 */
export async function mentionsOf(tx: Db, accountId: string, tenantId: string): Promise<Mentions> {
  const was = await findWhatTenantWas(tx, accountId, tenantId);
  const every = (name: keyof typeof erasedTenant): string[] =>
    was.flatMap(({ field, text }) => (field === name && text !== erasedTenant[name] ? text : []));
  const names = [...every('first_name'), ...every('last_name')].flatMap(wordsOf);
  const parts = [formatId('ten', tenantId), ...every('email')].map(plain);
  const phones = every('phone').map(digitsOf);
  const externalIds = every('external_id').map(plain);
  const tellsOf = (text: string): boolean => {
    const words = wordsOf(text);
    const digits = digitsOf(text);
    return (
      names.some((name) => words.includes(name)) ||
      parts.some((part) => text.includes(part)) ||
      externalIds.includes(text) ||
      (digits.length >= fewestDigits && phones.some((phone) => phone.includes(digits)))
    );
  };
  return (...texts) => texts.map(plain).some(tellsOf);
}

const plain = (text: string): string => text.normalize('NFC').toLowerCase().trim();
const wordsOf = (text: string): string[] => plain(text).match(/[\p{L}\p{N}]+/gu) ?? [];
const digitsOf = (text: string): string => text.replace(/\D/g, '');
