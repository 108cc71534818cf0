import { strToU8, zipSync } from 'fflate';

/** A cell of a sheet: a text, a number, or either with the format that shows it. */
export type SheetCell = string | number | { value: number; format: string };

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** A workbook as spreadsheet programs write it. Empty rows and empty cells are left out. */
export function workbook(sheets: Record<string, SheetCell[][]>, more: Record<string, string> = {}): Buffer {
  const [texts, formats] = [new Map<string, number>(), new Map<string, number>()];
  const numberOf = (list: Map<string, number>, text: string): number => {
    const number = list.get(text) ?? list.size;
    list.set(text, number);
    return number;
  };
  const cellXml = (cell: SheetCell, reference: string): string => {
    if (cell === '') return '';
    if (typeof cell === 'string') return `<c r="${reference}" t="s"><v>${numberOf(texts, cell)}</v></c>`;
    if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
    return `<c r="${reference}" s="${numberOf(formats, cell.format) + 1}"><v>${cell.value}</v></c>`;
  };
  const names = Object.keys(sheets);
  const sheetXml = names.map((name) => {
    const rows = (sheets[name] ?? []).map((cells, at) => {
      const xml = cells.map((cell, column) => cellXml(cell, `${letterOf(column)}${at + 1}`)).join('');
      return xml === '' ? '' : `<row r="${at + 1}">${xml}</row>`;
    });
    return `<worksheet xmlns="main"><sheetData>${rows.join('')}</sheetData></worksheet>`;
  });
  const parts: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<workbook xmlns:r="r"><workbookPr/><sheets>${names
      .map((name, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names
      .map(
        (_, at) =>
          `<Relationship Id="rId${at + 1}" Type="x/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
      )
      .join('')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst>${[...texts.keys()].map((text) => `<si><t>${escaped(text)}</t></si>`).join('')}</sst>`,
    'xl/styles.xml': `<styleSheet><numFmts>${[...formats.keys()]
      .map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escaped(code)}"/>`)
      .join('')}</numFmts><cellXfs><xf numFmtId="0"/>${[...formats.keys()]
      .map((_, at) => `<xf numFmtId="${164 + at}"/>`)
      .join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(sheetXml.map((xml, at) => [`xl/worksheets/sheet${at + 1}.xml`, xml])),
    ...more,
  };
  return Buffer.from(
    zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)]))),
  );
}

const letterOf = (column: number): string =>
  (column >= 26 ? letterOf(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26));

/** A day as a sheet counts it. */
export const dayNumber = (day: string): number => Date.parse(day) / 86_400_000 + 25_569;
