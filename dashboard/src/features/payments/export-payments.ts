import { toast } from 'sonner';
import { type Query, request } from '../../api/client.ts';
import type { Noun, Payment, Records } from '../../api/records.ts';
import { count, fullName, paymentMethod, paymentStatus } from '../../ui/words.ts';

/** Every payment that fits the filters, as a file for a spreadsheet. */
export async function exportPayments(filters: Query): Promise<void> {
  const payments = await all('payments', filters);
  if (payments.length === 0) {
    toast.info('There is nothing to export with these filters.');
    return;
  }
  const [tenants, properties, units] = await Promise.all([
    names('tenants', fullName),
    names('properties', ({ name }) => name),
    names('units', ({ name }) => name),
  ]);
  const row = (payment: Payment) => [
    payment.paid_on,
    tenants.get(payment.tenant_id) ?? '',
    properties.get(payment.property_id ?? '') ?? '',
    units.get(payment.unit_id ?? '') ?? '',
    payment.amount,
    payment.currency,
    paymentStatus[payment.status].word,
    paymentMethod[payment.method],
    payment.period ?? '',
    payment.reference ?? '',
    payment.memo ?? '',
    payment.id,
  ];
  const heading = 'Paid on,Tenant,Property,Unit,Amount,Currency,Status,Method,For,Reference,Memo,Id';
  const lines = [heading, ...payments.map((payment) => row(payment).map(cell).join(','))];
  download(`payments-${new Date().toISOString().slice(0, 10)}.csv`, lines.join('\r\n'));
  toast.success(`${count(payments.length, 'payment')} exported`);
}

async function all<N extends Noun>(noun: N, filter: Query = {}): Promise<Records[N][]> {
  const records: Records[N][] = [];
  let cursor: string | undefined;
  do {
    const page = await request<Records[N][]>('GET', `/${noun}`, {
      query: { ...filter, limit: 1000, cursor },
    });
    records.push(...page.data);
    cursor = page.next ?? undefined;
  } while (cursor);
  return records;
}

async function names<N extends Noun>(
  noun: N,
  nameOf: (record: Records[N]) => string,
): Promise<Map<string, string>> {
  return new Map((await all(noun)).map((record) => [record.id, nameOf(record)]));
}

/** A text that a spreadsheet would take for a formula is led by an apostrophe: names come from outside. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function download(name: string, text: string): void {
  // The mark at the start tells Excel that this is UTF-8.
  const url = URL.createObjectURL(new Blob([`\uFEFF${text}`], { type: 'text/csv;charset=utf-8' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
