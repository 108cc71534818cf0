/** Records as a CSV file: their own fields, and the names of those they refer to. */
export function csvOf(records: object[]): string {
  const rows = records.map((record) => Object.fromEntries(Object.entries(record).flatMap(cellsOf)));
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = rows.map((row) => names.map((name) => cell(row[name] ?? '')).join(','));
  return `\uFEFF${[names.join(','), ...lines].join('\r\n')}\r\n`;
}

function cellsOf([name, value]: [string, unknown]): [string, string][] {
  if (value === null || value === undefined) return [[name, '']];
  if (Array.isArray(value)) return [[name, value.map(nameOf).filter(Boolean).join(', ')]];
  if (typeof value === 'object') return nameOf(value) ? [[`${name}_name`, nameOf(value)]] : [];
  return [[name, String(value)]];
}

const nameOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'name' in value ? String(value.name) : '';

/** Starts like a formula, as in src/csv/cells.ts: a spreadsheet would run it. A number may begin with a minus. */
const formula = /^'*(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/;
const negativeNumber = /^-\d+(\.\d+)?$/;

function cell(text: string): string {
  const safe = formula.test(text) && !negativeNumber.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
}
