import { expect, test } from 'vitest';
import { joinNames, type NameOrder, nameOrderIn, splitPeople } from './names.ts';

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
  ['José Ortega y Gasset', 'José|Ortega y Gasset'],
  ['Ortega y Gasset, José', 'José|Ortega y Gasset'],
  ['José Ortega y Gasset & Ana Ruiz', 'José|Ortega y Gasset + Ana|Ruiz'],
  ['Artur Costa e Silva', 'Artur|Costa e Silva'],
  ['Ana y Luis Gómez', 'Ana|Gómez + Luis|Gómez'],
  ['Gómez, Ana y Luis', 'Ana|Gómez + Luis|Gómez'],
  ['Ana y Luis y Eva Gómez', 'Ana|Gómez + Luis|Gómez + Eva|Gómez'],
  ['García, Ana y López, Luis', 'Ana|García + Luis|López'],
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
  ['Sam Lee/Kim Park', 'Sam|Lee + Kim|Park'],
  ['Sam Lee/ Kim Park /Bo Day', 'Sam|Lee + Kim|Park + Bo|Day'],
  ['Lee, Sam/Park, Kim', 'Sam|Lee + Kim|Park'],
  ['Sam/Kim Park', 'Sam|Park + Kim|Park'],
  ['Lee, Sam/Kim', 'Sam|Lee + Kim|Lee'],
  ['Lee/Park, Sam/Kim', 'Sam|Lee + Kim|Park'],
  ['Lee/Park, Sam', 'Sam|Lee/Park'],
  ['Sam Lee (tenant/payer)', 'Sam|Lee'],
  ['Sam Lee (tenant (payer))', 'Sam|Lee'],
  ['Sam Lee and/or Kim Park', 'Sam|Lee + Kim|Park'],
  ['Sam Lee c/o Kim Park', 'Sam Lee c/o Kim|Park'],
  ['N/A', '? N/A'],
  ['Lee, Sam w/ Ann Wong', 'Sam|Lee + Ann|Wong'],
  ['Sam Lee w/Ann Wong', 'Sam|Lee + Ann|Wong'],
  ['Sam Lee with Ann', 'Sam|Lee + Ann|Lee'],
  ['1) Ana Cole 2) Ben Day', 'Ana|Cole + Ben|Day'],
  ['1. Ana Cole, 2. Ben Day and 3. Di Fox', 'Ana|Cole + Ben|Day + Di|Fox'],
  ['(1) Cole, Ana (2) Day, Ben', 'Ana|Cole + Ben|Day'],
  ['Smith, John A. & Mary B.', 'John A.|Smith + Mary B.|Smith'],
  ['John A & Mary B Smith', 'John A|Smith + Mary B|Smith'],
  ['Ramesh K & Suresh P', 'Ramesh|K + Suresh|P'],
  ['M. et Mme Jean Dupont', 'Jean|Dupont'],
  ['M. et Mme DUPONT Jean', 'Jean|Dupont'],
  ['M. Jean Dupont et Mme Anne Petit', 'Jean|Dupont + Anne|Petit'],
  ['M. Night', 'M.|Night'],
  ['Sr. Juan Pérez y Sra. Ana Ruiz', 'Juan|Pérez + Ana|Ruiz'],
  ['Mr. & Mrs. Dev Patel', 'Dev|Patel'],
  ['Mr/Mrs Dev Patel', 'Dev|Patel'],
  ['Patel, Mr. Dev & Mrs. Mina', 'Dev|Patel + Mina|Patel'],
  ['Patel, Dev, Mr.', 'Dev|Patel'],
  ['MARTIN Paul et DURAND Sophie', 'Paul|Martin + Sophie|Durand'],
  ['DE LA CRUZ Ana', 'Ana|De La Cruz'],
  ["O'NEIL-ROY Pat", "Pat|O'Neil-Roy"],
  ['LEE Ann', 'Ann|Lee'],
  ['Paul MARTIN', 'Paul|MARTIN'],
  ['Ana GARCIA LOPEZ', 'Ana|GARCIA LOPEZ'],
  ['MARTIN PAUL', 'MARTIN|PAUL'],
  ['JP Smith', 'JP|Smith'],
  ['KFC Restaurant', 'KFC|Restaurant'],
  ['Dev PATEL III', 'Dev|PATEL III'],
])('%j names %s', (text, expected) => {
  expect(people(text)).toBe(expected);
});

// Nothing shows which of the two words is the first name, but a title is not a person.
test('titles are not people', () => {
  expect(people('M. et Mme Dupont Jean')).toBe('Dupont|Jean');
});

test.each([
  ['Di and Ed', 'Fox and Gil', 'Di|Fox + Ed|Gil'],
  ['Di/Ed', 'Fox/Gil', 'Di|Fox + Ed|Gil'],
  ['Di, Ed', 'Fox, Gil', 'Di|Fox + Ed|Gil'],
  ['Di & Ed', 'Fox & Gil', 'Di|Fox + Ed|Gil'],
  ['Di and Ed', 'Fox / Gil', 'Di|Fox + Ed|Gil'],
  ['Di and Ed', 'Fox', 'Di|Fox + Ed|Fox'],
  ['Mary Ann, Ed', 'Fox', 'Mary Ann|Fox + Ed|Fox'],
  ['Ana y Luis', 'Gómez', 'Ana|Gómez + Luis|Gómez'],
  ['Di & Ed Gil', 'Fox', 'Di|Fox + Ed|Gil'],
  ['Di, Jr.', 'Fox', 'Di Jr.|Fox'],
  ['José', 'Ortega y Gasset', 'José|Ortega y Gasset'],
])('the cells %j and %j name %s', (first, last, expected) => {
  const joined = joinNames(first, last).map(({ first_name, last_name }) => `${first_name}|${last_name}`);
  expect(joined.join(' + ')).toBe(expected);
});

test('the other cells of a column show what a comma means if it can mean both', () => {
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

test('a cell of any length is read quickly', () => {
  const long = 'a, '.repeat(3000);
  expect(people(long)).toBeTypeOf('string');
  expect(people(`${'& '.repeat(3000)}x`)).toBeTypeOf('string');
  expect(people('('.repeat(9000))).toBeTypeOf('string');
});
