import { Download } from 'lucide-react';
import { csvAddress, type Query } from '../../api/client.ts';
import { buttonClass } from '../button.tsx';
import { useSorted } from './sort.tsx';

/** Downloads the whole list, with the page's filters, as a CSV file. */
export function ExportLink({ path, filter = {} }: { path: string; filter?: Query }) {
  return (
    <a href={csvAddress(path, useSorted(filter))} download className={buttonClass()}>
      <Download aria-hidden="true" />
      Export CSV
    </a>
  );
}
