import { readMoney, readNumber, readPercent } from './amounts.ts';

/** The values of a form's fields, as the API expects them. */
export class FormValues {
  private readonly data: FormData;

  constructor(form: HTMLFormElement) {
    this.data = new FormData(form);
  }

  has(name: string): boolean {
    return this.data.has(name);
  }

  text(name: string): string {
    return String(this.data.get(name) ?? '').trim();
  }

  /** As typed, because spaces around a password belong to it. */
  secret(name: string): string {
    return String(this.data.get(name) ?? '');
  }

  /** A date, a choice or an id that may be missing. */
  optional(name: string): string | null {
    return this.text(name) || null;
  }

  /** Text that is not a number is sent as it is, so that the server's error appears at the field. */
  number(name: string): number | string | null {
    return readNumber(this.text(name));
  }

  percent(name: string): number | string | null {
    return readPercent(this.text(name));
  }

  money(name: string, currency: string): number | string | null {
    return readMoney(this.text(name), currency) ?? null;
  }

  /** Whether both have the same values; an additional empty field makes no difference. */
  isSame(other: FormValues): boolean {
    return JSON.stringify(this.filled()) === JSON.stringify(other.filled());
  }

  private filled() {
    return [...this.data].filter(([, value]) => value !== '');
  }

  all(name: string): string[] {
    return this.data.getAll(name).map(String);
  }
}
