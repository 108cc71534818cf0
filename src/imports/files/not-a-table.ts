import type { Source } from '../../csv/source.ts';

const howToSave =
  'Save it as CSV and import that: in Excel with File, Save As, CSV UTF-8; in Google Sheets and LibreOffice with File, Download or Save As, CSV.';

/** The first bytes of files that people take for tables but that we cannot read. */
const beginnings: { bytes: string; is: string }[] = [
  { bytes: '\xd0\xcf\x11\xe0', is: 'an old Excel workbook (XLS), or one with a password' },
  { bytes: '%PDF', is: 'a PDF' },
  { bytes: '{\\rtf', is: 'a text document (RTF)' },
];
/** Some products name a web page like a spreadsheet. */
const page = /^\s*(<\?xml|<!doctype html|<html|<table)/i;

/** Judges by its first bytes what is wrong with a file that is not text with rows; null if it may be one. */
export function notATable(bytes: Buffer): string | null {
  const first = bytes.toString('latin1');
  const known = beginnings.find(({ bytes }) => first.startsWith(bytes));
  if (known) return `The file is ${known.is}, not CSV or XLSX. ${howToSave}`;
  return page.test(first.replace(/^\xef\xbb\xbf/, ''))
    ? `The file is a web page or XML, not CSV or XLSX. Open it in a spreadsheet program. ${howToSave}`
    : null;
}

export async function firstBytes(source: Source): Promise<Buffer> {
  for await (const chunk of source.open()) return chunk.subarray(0, 100);
  return Buffer.alloc(0);
}
