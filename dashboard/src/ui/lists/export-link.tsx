import { Download } from 'lucide-react';
import { csvAddress, type Query } from '../../api/client.ts';
import { buttonClass } from '../button.tsx';

/** What the page lists, all of it and with the same filters, as a file for a spreadsheet. */
export function ExportLink({ path, filter }: { path: string; filter?: Query }) {
  return (
    <a href={csvAddress(path, filter)} download className={buttonClass()}>
      <Download aria-hidden="true" />
      Export CSV
    </a>
  );
}
