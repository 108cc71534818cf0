import { Check } from '../../ui/forms/check.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { type Share, sumOf } from './paid-by-this.ts';

interface Props {
  /** What the payment pays of deposits that it does not name. */
  deposits: Share[];
  amountCents: number;
  currency: string;
  isApart: boolean;
  onChange: (isApart: boolean) => void;
}

/** Offers to name the deposit, because money that names nothing pays rent that falls due later before it. */
export function DepositApart({ deposits, amountCents, currency, isApart, onChange }: Props) {
  const cents = sumOf(deposits, ({ paid_cents }) => paid_cents);
  const part = `${formatMoney(cents, currency)} as ${deposits.length > 1 ? 'payments' : 'a payment'} of its own`;
  return (
    <Check
      name="deposit_apart"
      label={`Record ${cents === amountCents ? 'this' : part} for the deposit`}
      about={
        isApart
          ? 'Then rent that falls due later does not use it.'
          : 'This money will pay rent that falls due later first. Then the deposit is open again.'
      }
      isOn={isApart}
      onChange={onChange}
    />
  );
}
