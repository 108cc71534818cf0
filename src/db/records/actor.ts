import { raw } from '../sql.ts';
import { type Field, json, objectJson, present, text, word } from './json.ts';

/** The JSON of an actor, from the columns actor_type, actor_id and actor_name. */
export function actorJson(alias: string): Field {
  const type = `case ${alias}.actor_type when 'import_by_key' then 'import' else ${alias}.actor_type end`;
  const prefix = `case when ${alias}.actor_type in ('key', 'import_by_key') then 'key_' else 'usr_' end`;
  const fields = [
    present(word(raw(type), 'type')),
    word(raw(`${prefix} || encode(uuid_send(${alias}.actor_id), 'hex')`), 'id'),
    present(text(`${alias}.actor_name`, 'name')),
  ];
  return present(json(objectJson(fields), 'actor'));
}
