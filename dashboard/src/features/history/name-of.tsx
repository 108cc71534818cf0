import { useRecord } from '../../api/queries.ts';
import { TextLink } from '../../ui/lists/names.tsx';
import { fullName } from '../../ui/words.ts';

const nouns = { ten: 'tenants', prop: 'properties', unit: 'units' } as const;

export const isNamed = (prefix: string): prefix is keyof typeof nouns => prefix in nouns;

const nameLifeMs = 5 * 60_000;

/**
 * The name of a record that a history knows only by its id, which is rare. It is fetched when first shown, and kept,
 * because names rarely change.
 */
export function NameOf({ prefix, id }: { prefix: keyof typeof nouns; id: string }) {
  const noun = nouns[prefix];
  const { data } = useRecord(noun, id, nameLifeMs);
  if (!data) return <span aria-hidden="true" className="skeleton inline-block h-3.5 w-24 align-middle" />;
  const name = 'name' in data ? data.name : fullName(data);
  return noun === 'units' ? name : <TextLink to={`/${noun}/${id}`}>{name}</TextLink>;
}
