import { Printer } from 'lucide-react';
import { Button } from './button.tsx';

/** Prints the page, or one section of it. styles.css says what is not for paper. */
export const PrintButton = ({ label = 'Print', sheet }: { label?: string; sheet?: string }) => (
  <Button icon={<Printer />} onClick={() => print(sheet)}>
    {label}
  </Button>
);

function print(sheet: string | undefined): void {
  if (sheet !== undefined) {
    document.documentElement.dataset.sheet = sheet;
    addEventListener('afterprint', () => delete document.documentElement.dataset.sheet, { once: true });
  }
  window.print();
}
