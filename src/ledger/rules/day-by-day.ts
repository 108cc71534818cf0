import {
  byDate,
  byDueDay,
  compare,
  countsOn,
  type Entries,
  isDeposit,
  type Owed,
  type Paid,
  rentsByMonth,
} from './allocation.ts';

/*
 * What is open of each charge, from day to day. The result is that of allocate() for each day, but each day starts from
 * the previous one, so the cost depends on what changes: thousands of charges take milliseconds.
 */

interface DayByDay {
  /** Moves on to the end of a later day. Returns the charges whose open amount may have changed. */
  goTo(day: string): Iterable<Owed>;
  openOf(owed: Owed): number;
  /** Unapplied credit. */
  credit(): number;
  /** Adds a charge that is due on a later day. */
  add(owed: Owed): void;
}

/** A payment or credit. */
interface Money {
  /** Zero as long as it does not count. */
  amount_cents: number;
  /** The parts that go to the charge it names, and to the rent of its month. */
  named?: Pin;
  ofMonth?: Pin;
}

/** A part of a payment that is reserved for one charge. */
interface Pin {
  money: Money;
  charge: DueCharge;
  share: number;
}

/** A charge that is due. */
interface DueCharge {
  owed: Owed;
  /** The pins, in the order in which they pay. */
  pins: Pin[];
  queue: Queue;
  position: number;
  /** What is left to pay after the pins. */
  need: number;
}

export function dayByDay(entries: Entries): DayByDay {
  const coming = entries.owed.toSorted(byDueDay);
  const beginning = entries.paid.toSorted(byDate);
  const ending = beginning
    .flatMap((paid) => (paid.reversed_on === null ? [] : [{ paid, day: paid.reversed_on }]))
    .sort((a, b) => compare(a.day, b.day));
  const moneyOf = new Map(beginning.map((paid): [Paid, Money] => [paid, { amount_cents: 0 }]));
  const naming = Map.groupBy(beginning, ({ charge_id }) => charge_id);
  const ofMonth = Map.groupBy(beginning, ({ period }) => period);
  const rents = rentsByMonth(coming);
  let [due, begun, ended] = [0, 0, 0];

  const dueCharges = new Map<Owed, DueCharge>();
  const charges = new Queue();
  const deposits = new Queue();
  /** Money that counts and is not pinned. */
  let free = 0;
  let credit = 0;

  function addCharge(owed: Owed): DueCharge {
    const queue = isDeposit(owed) ? deposits : charges;
    const charge: DueCharge = { owed, pins: [], queue, position: queue.charges.length, need: 0 };
    queue.charges.push(charge);
    dueCharges.set(owed, charge);
    const pin = (as: 'named' | 'ofMonth', paid: Paid) => {
      const money = moneyOf.get(paid) as Money;
      money[as] = { money, charge, share: 0 };
      charge.pins.push(money[as]);
    };
    for (const paid of naming.get(owed.id) ?? []) pin('named', paid);
    const isRentOfMonth = owed.period !== null && rents.get(owed.period) === owed;
    if (isRentOfMonth) for (const paid of ofMonth.get(owed.period) ?? []) pin('ofMonth', paid);
    return charge;
  }

  /** Distributes a charge among its pins again. Returns the rents that these payments go to next. */
  function share(charge: DueCharge): DueCharge[] {
    const others: DueCharge[] = [];
    let room = charge.owed.amount_cents;
    for (const pin of charge.pins) {
      const { money } = pin;
      const { amount_cents, named, ofMonth } = money;
      const left = pin === named ? amount_cents : amount_cents - (named?.share ?? 0);
      const given = Math.min(left, room);
      room -= given;
      if (given === pin.share) continue;
      free += pin.share - given;
      pin.share = given;
      if (pin === named && ofMonth) others.push(ofMonth.charge);
    }
    charge.queue.setNeed(charge, room);
    return others;
  }

  return {
    goTo(day) {
      const changed = new Set<DueCharge>();
      // Each rent once, however many of the day's payments go to it.
      const toShare = new Set<DueCharge>();
      const setAmount = (paid: Paid, amount: number) => {
        const money = moneyOf.get(paid) as Money;
        free += amount - money.amount_cents;
        money.amount_cents = amount;
        for (const pin of [money.named, money.ofMonth]) if (pin) toShare.add(pin.charge);
      };
      for (let next = coming[due]; next && next.due_on <= day; next = coming[++due])
        toShare.add(addCharge(next));
      for (let next = beginning[begun]; next && next.date <= day; next = beginning[++begun])
        if (countsOn(next, day)) setAmount(next, next.amount_cents);
      for (let next = ending[ended]; next && next.day <= day; next = ending[++ended]) setAmount(next.paid, 0);
      for (const charge of toShare) {
        toShare.delete(charge);
        for (const next of share(charge)) toShare.add(next);
        changed.add(charge);
      }
      credit = deposits.pay(charges.pay(free, changed), changed);
      return [...changed].map(({ owed }) => owed);
    },
    openOf(owed) {
      const charge = dueCharges.get(owed);
      return charge === undefined ? 0 : charge.queue.openOf(charge);
    },
    credit: () => credit,
    add(owed) {
      let index = due;
      for (let next = coming[index]; next && byDueDay(next, owed) < 0; next = coming[++index]);
      coming.splice(index, 0, owed);
    },
  };
}

/** The charges in the order in which they are paid, and how far the money goes. */
class Queue {
  readonly charges: DueCharge[] = [];
  /** Before this position everything is paid, and after it nothing. */
  #end = 0;
  /** The sum of the charges before that position. */
  #before = 0;
  #money = 0;

  setNeed(charge: DueCharge, need: number): void {
    if (charge.position < this.#end) this.#before += need - charge.need;
    charge.need = need;
  }

  /** Pays with this much money instead of the previous amount. Returns what is left. */
  pay(money: number, changed: Set<DueCharge>): number {
    this.#money = money;
    let next = this.#changes(changed);
    while (next && this.#before + next.need <= money) {
      this.#before += next.need;
      this.#end++;
      next = this.#changes(changed);
    }
    while (this.#before > money) {
      this.#end--;
      this.#before -= this.#changes(changed)?.need ?? 0;
    }
    return this.#end === this.charges.length ? money - this.#before : 0;
  }

  /** Returns the charge at which the money runs out, if any, and notes that it changes. */
  #changes(changed: Set<DueCharge>): DueCharge | undefined {
    const charge = this.charges[this.#end];
    if (charge) changed.add(charge);
    return charge;
  }

  openOf({ position, need }: DueCharge): number {
    if (position === this.#end) return this.#before + need - this.#money;
    return position < this.#end ? 0 : need;
  }
}
