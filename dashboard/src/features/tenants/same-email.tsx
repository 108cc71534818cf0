import { useState } from 'react';
import { get } from '../../api/client.ts';
import type { Tenant } from '../../api/records.ts';
import { TextLink } from '../../ui/lists/names.tsx';
import { fullName } from '../../ui/words.ts';

/** Couples share an address, so a second tenant with the same one is possible, but somebody must have meant it. */
export function useSameEmail(self?: Tenant) {
  const [asked, setAsked] = useState<{ email: string; other: Tenant } | null>(null);
  return {
    /** The tenant that somebody is asked about. */
    other: asked?.other ?? null,
    forget: () => setAsked(null),
    /** Whether another tenant has this address and nobody has been asked about it yet. */
    async mustAsk(email: string): Promise<boolean> {
      const isSame = email.toLowerCase() === (self?.email ?? '').toLowerCase();
      if (isSame || !isAddress.test(email) || email === asked?.email) return false;
      const found = await get<Tenant[]>('/tenants', { email, limit: 2 });
      const other = found.find(({ id }) => id !== self?.id);
      if (other) setAsked({ email, other });
      return other !== undefined;
    },
  };
}

/** Text that is not an address is left for the server to refuse. */
const isAddress = /^\S+@\S+$/;

/** Shows the other tenant. */
export const SameEmailNote = ({ of: other, action }: { of: Tenant; action: string }) => (
  <div role="alert" className="rounded-md border border-warn px-3 py-2.5">
    <p className="font-medium">Is this the same person?</p>
    <p className="text-soft">
      <TextLink to={`/tenants/${other.id}`}>{fullName(other)}</TextLink> has this email address too
      {other.property && ` and lives in ${other.property.name}, ${other.unit?.name}`}. If they are two people,
      choose “{action}”.
    </p>
  </div>
);
