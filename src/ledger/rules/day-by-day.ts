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
  line: Line;
  share: number;
}

/** A charge that is due. */
interface Line {
  owed: Owed;
  /** The pins, in the order in which they pay. */
  pins: Pin[];
  queue: Queue;
  place: number;
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

  const lines = new Map<Owed, Line>();
  const charges = new Queue();
  const deposits = new Queue();
  /** Money that counts and is not pinned. */
  let free = 0;
  let credit = 0;

  function addLine(owed: Owed): Line {
    const queue = isDeposit(owed) ? deposits : charges;
    const line: Line = { owed, pins: [], queue, place: queue.lines.length, need: 0 };
    queue.lines.push(line);
    lines.set(owed, line);
    const pin = (as: 'named' | 'ofMonth', paid: Paid) => {
      const money = moneyOf.get(paid) as Money;
      money[as] = { money, line, share: 0 };
      line.pins.push(money[as]);
    };
    for (const paid of naming.get(owed.id) ?? []) pin('named', paid);
    const isRentOfMonth = owed.period !== null && rents.get(owed.period) === owed;
    if (isRentOfMonth) for (const paid of ofMonth.get(owed.period) ?? []) pin('ofMonth', paid);
    return line;
  }

  /** Distributes a charge among its pins again. Returns the rents that these payments go to next. */
  function share(line: Line): Line[] {
    const others: Line[] = [];
    let room = line.owed.amount_cents;
    for (const pin of line.pins) {
      const { money } = pin;
      const { amount_cents, named, ofMonth } = money;
      const left = pin === named ? amount_cents : amount_cents - (named?.share ?? 0);
      const given = Math.min(left, room);
      room -= given;
      if (given === pin.share) continue;
      free += pin.share - given;
      pin.share = given;
      if (pin === named && ofMonth) others.push(ofMonth.line);
    }
    line.queue.setNeed(line, room);
    return others;
  }

  return {
    goTo(day) {
      const changed = new Set<Line>();
      // Each rent once, however many of the day's payments go to it.
      const toShare = new Set<Line>();
      const setAmount = (paid: Paid, amount: number) => {
        const money = moneyOf.get(paid) as Money;
        free += amount - money.amount_cents;
        money.amount_cents = amount;
        for (const pin of [money.named, money.ofMonth]) if (pin) toShare.add(pin.line);
      };
      for (let next = coming[due]; next && next.due_on <= day; next = coming[++due])
        toShare.add(addLine(next));
      for (let next = beginning[begun]; next && next.date <= day; next = beginning[++begun])
        if (countsOn(next, day)) setAmount(next, next.amount_cents);
      for (let next = ending[ended]; next && next.day <= day; next = ending[++ended]) setAmount(next.paid, 0);
      for (const line of toShare) {
        toShare.delete(line);
        for (const next of share(line)) toShare.add(next);
        changed.add(line);
      }
      credit = deposits.pay(charges.pay(free, changed), changed);
      return [...changed].map(({ owed }) => owed);
    },
    openOf(owed) {
      const line = lines.get(owed);
      return line === undefined ? 0 : line.queue.openOf(line);
    },
    credit: () => credit,
    add(owed) {
      let place = due;
      for (let next = coming[place]; next && byDueDay(next, owed) < 0; next = coming[++place]);
      coming.splice(place, 0, owed);
    },
  };
}

/** The charges in the order in which they are paid, and how far the money goes. */
class Queue {
  readonly lines: Line[] = [];
  /** Before this position everything is paid, and after it nothing. */
  #end = 0;
  /** The sum of the charges before that position. */
  #before = 0;
  #money = 0;

  setNeed(line: Line, need: number): void {
    if (line.place < this.#end) this.#before += need - line.need;
    line.need = need;
  }

  /** Pays with this much money instead of the previous amount. Returns what is left. */
  pay(money: number, changed: Set<Line>): number {
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
    return this.#end === this.lines.length ? money - this.#before : 0;
  }

  /** Returns the charge at which the money runs out, if any, and notes that it changes. */
  #changes(changed: Set<Line>): Line | undefined {
    const line = this.lines[this.#end];
    if (line) changed.add(line);
    return line;
  }

  openOf({ place, need }: Line): number {
    if (place === this.#end) return this.#before + need - this.#money;
    return place < this.#end ? 0 : need;
  }
}
