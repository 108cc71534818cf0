import { expect, test } from 'vitest';
import { type NameOrder, nameOrderIn, splitPeople } from './names.ts';

const people = (text: string, order: NameOrder = null) => {
  const result = splitPeople(text, order);
  if ('unclear' in result) return `? ${result.unclear}`;
  return result.people.map(({ first_name, last_name }) => `${first_name}|${last_name}`).join(' + ');
};

test.each([
  ['Dev Patel', 'Dev|Patel'],
  ['Patel, Dev', 'Dev|Patel'],
  ['Patel,Dev', 'Dev|Patel'],
  ['Dev Patel, Mina Patel', 'Dev|Patel + Mina|Patel'],
  ['Dev Patel, Mina Shah, Raj Rao', 'Dev|Patel + Mina|Shah + Raj|Rao'],
  ['Patel, Dev & Mina', 'Dev|Patel + Mina|Patel'],
  ['Patel, Dev and Mina', 'Dev|Patel + Mina|Patel'],
  ['Patel, Dev & Mina Shah', 'Dev|Patel + Mina|Shah'],
  ['Patel, Dev & Shah, Mina', 'Dev|Patel + Mina|Shah'],
  ['Dev Patel and Mina Shah', 'Dev|Patel + Mina|Shah'],
  ['Dev & Mina Patel', 'Dev|Patel + Mina|Patel'],
  ['Dev Patel & Mina', 'Dev|Patel + Mina|Patel'],
  ['Dev Patel / Mina Shah', 'Dev|Patel + Mina|Shah'],
  ['Patel, Dev; Shah, Mina', 'Dev|Patel + Mina|Shah'],
  ['Dev Patel; Mina Shah', 'Dev|Patel + Mina|Shah'],
  ['Dev Patel\nMina Shah', 'Dev|Patel + Mina|Shah'],
  ['Patel, Dev, Shah, Mina', 'Dev|Patel + Mina|Shah'],
  ['Smith, John, Jane', 'John|Smith + Jane|Smith'],
  ['Patel, Dev Kumar', 'Dev Kumar|Patel'],
  ['Garcia Lopez, Ana', 'Ana|Garcia Lopez'],
  ['Garcia Lopez, Ana M.', 'Ana M.|Garcia Lopez'],
  ['van der Berg, Jan Willem', 'Jan Willem|van der Berg'],
  ['Ana de la Cruz', 'Ana|de la Cruz'],
  ['José Ortega y Gasset', 'José Ortega y|Gasset'],
  ['Ana y Luis Garcia', 'Ana|Garcia + Luis|Garcia'],
  ['Dev Patel, Jr.', 'Dev|Patel Jr.'],
  ['Patel, Dev, Jr.', 'Dev Jr.|Patel'],
  ['Mr. Dev Patel & Mrs. Mina Patel', 'Dev|Patel + Mina|Patel'],
  ['Dev Patel (Primary), Mina Patel (Co-signer)', 'Dev|Patel + Mina|Patel'],
  ['Herr Jörg Müller und Frau Anna Müller', 'Jörg|Müller + Anna|Müller'],
  ['Smith & Sons LLC', 'Smith & Sons|LLC'],
  ['Acme, Inc.', 'Acme|Inc.'],
  ["O'Neil, Pat", "Pat|O'Neil"],
  ['Madonna', '? Madonna'],
  ['Dev Patel, Dev Patel', 'Dev|Patel'],
])('%j names %s', (text, expected) => {
  expect(people(text)).toBe(expected);
});

test('the other cells of a column tell what a comma means where it can mean both', () => {
  expect(people('Garcia Lopez, Ana Maria', 'last')).toBe('Ana Maria|Garcia Lopez');
  expect(people('Garcia Lopez, Ana Maria', 'first')).toBe('Garcia|Lopez + Ana|Maria');
  expect(people('Dev Patel, Mina', 'first')).toBe('Dev|Patel + Mina|Patel');
  expect(people('Dev Patel, Mina Patel', 'last')).toBe('Dev|Patel + Mina|Patel');
  const last = ['Okafor, Ada', 'Patel, Dev; Shah, Mina'];
  const first = ['Ada Okafor', 'Dev Patel and Mina Shah'];
  const neither = ['Ada', 'Ann Lee, Bo Lee', 'Lind, Bo & Ann', 'a@example.com, b@example.com', 'Acme, Inc.'];
  expect(last.map(nameOrderIn)).toEqual(['last', 'last']);
  expect(first.map(nameOrderIn)).toEqual(['first', 'first']);
  expect(neither.map(nameOrderIn)).toEqual([null, null, null, null, null]);
});

test('a cell of any length is read in no time', () => {
  const long = 'a, '.repeat(3000);
  expect(people(long)).toBeTypeOf('string');
  expect(people(`${'& '.repeat(3000)}x`)).toBeTypeOf('string');
  expect(people('('.repeat(9000))).toBeTypeOf('string');
});
