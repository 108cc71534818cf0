import { expect } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { formatId, newId } from '../../src/ids.ts';
import { dayOne } from './ledger-facts.ts';
import * as model from './ledger-model.ts';
import type { History, Step } from './ledger-steps.ts';
import type { Answer, Client, Service } from './service.ts';
import { startClock, turnDays } from './turn-days.ts';

type Lease = model.Lease & { tenant_ids: string[]; settings: model.Settings };
type Payment = model.Payment & { tenant_id: string; lease_id: string; isGiven: boolean };
type OfLease<Kind> = Kind & { lease_id: string };
/** A charge as the API shows it. */
export type ApiCharge = OfLease<Required<model.Charge>> & {
  source: string;
  voided_on: string | null;
  status: string;
  open_cents: number;
};
type Step_<Name extends Step['do']> = Extract<Step, { do: Name }>;

/** Thousands of answers would be compressed and decompressed, which is not what is tested. */
const uncompressed = { 'accept-encoding': 'identity' };

/**
 * An account to which things happen through the API. It keeps what was entered, not what was calculated from it: the
 * model does that.
 */
export class Books {
  readonly leases: Lease[] = [];
  /** Charges made by hand, or as the fee for a returned payment. An empty id is not known yet. */
  readonly charges: OfLease<model.Charge>[] = [];
  readonly recurring: OfLease<model.Recurring>[] = [];
  readonly payments: Payment[] = [];
  readonly credits: OfLease<model.Credit>[] = [];
  readonly refunds: { id: string; lease_id: string; amount_cents: number; refunded_on: string }[] = [];
  /** Scheduled charges that a person voided, by lease and by what they are. */
  readonly taken = new Set<string>();
  /** Scheduled charges that somebody named or that got a late fee, by id. Others may have replaced them by now. */
  readonly #scheduled = new Map<string, ApiCharge>();
  /** Ids of charges that a person voided. */
  readonly #voided = new Set<string>();
  /** Late fees that a person voided. */
  readonly #waived: { rent: string; day: string }[] = [];
  readonly account: model.Settings;
  readonly property: model.Settings;
  readonly client: Client;
  readonly timeZone: string;
  readonly postDays: number;
  readonly #service: Service;
  /** How often each request was answered in which way. */
  readonly #answers: Map<string, number>;
  readonly #propertyId = newId();
  readonly #unitIds = [newId(), newId()];
  readonly #tenantIds = [newId(), newId()];
  readonly #calendar: Intl.DateTimeFormat;
  #now: Date;

  constructor(service: Service, client: Client, history: History, answers: Map<string, number>) {
    const { timeZone, minute, postDays } = history;
    this.#answers = answers;
    this.#service = service;
    this.client = client;
    this.timeZone = timeZone;
    this.postDays = postDays;
    this.#calendar = new Intl.DateTimeFormat('en-CA', { timeZone });
    this.#now = new Date(Date.parse(dayOne) + minute * 60_000);
    this.account = [{ on: this.today, value: 'none' }];
    this.property = [{ on: this.today, value: 'inherit' }];
  }

  /** Makes a property with two units, and two tenants. Making them is not what is tested. */
  async open(): Promise<void> {
    const { accountId } = this.client;
    const [now, property] = [this.#now, this.#propertyId];
    this.#service.app.now = () => this.#now;
    await this.#service.database.db.query(sql`
      with account as (
        update accounts set time_zone = ${this.timeZone}, post_days_before_due = ${this.postDays}
        where id = ${accountId}),
      property as (
        insert into properties (account_id, id, name, type, status, created_at, updated_at)
        values (${accountId}, ${property}, 'Maple Court', 'other', 'active', ${now}, ${now})),
      tenants as (
        insert into tenants (account_id, id, first_name, last_name, created_at, updated_at)
        select ${accountId}, id, 'Ada', 'Okafor', ${now}, ${now} from unnest(${this.#tenantIds}::uuid[]) id)
      insert into units (account_id, id, property_id, name, offline, created_at, updated_at)
      select ${accountId}, id, ${property}, id::text, false, ${now}, ${now} from unnest(${this.#unitIds}::uuid[]) id`);
    await startClock(this.#service, accountId, this.timeZone);
  }

  get today(): string {
    return this.#calendar.format(this.#now);
  }

  /** Charges due up to this day are posted. */
  get through(): string {
    return model.plus(this.today, this.postDays);
  }

  async makeLease({ terms, unit, tenants, lateFees }: History['leases'][number]): Promise<void> {
    const made = await this.#send('POST', '/leases', {
      ...terms,
      unit_id: formatId('unit', this.#unitIds[unit] ?? ''),
      tenant_ids: tenants.map((at) => formatId('ten', this.#tenantIds[at] ?? '')),
      late_fees: lateFees,
    });
    if (!made) return;
    expect(made).toMatchObject(terms);
    this.leases.push({ ...made, settings: [{ on: this.today, value: lateFees }] });
  }

  async setAccountPolicy(value: model.Settings[number]['value']): Promise<void> {
    const late_fees = typeof value === 'string' ? null : value;
    if (await this.#send('PATCH', '/account', { late_fees }))
      this.account.push({ on: this.today, value: late_fees ?? 'none' });
  }

  /** Deposits are paid today, each payment naming its deposit: money that names no charge pays rent first. */
  async payDeposits(): Promise<void> {
    const usual = { day: 0, status: 'paid' as const, isForeign: false, ofMonth: null, ofLease: null };
    for (const [ofCharge, { kind, lease_id, amount_cents }] of (await this.chargesNow()).entries()) {
      const lease = this.leases.find(({ id }) => id === lease_id);
      const tenant = this.#tenantIds.findIndex((id) => lease?.tenant_ids.includes(formatId('ten', id)));
      if (kind === 'deposit')
        await this.#pay({ do: 'pay', payment: { ...usual, tenant, amount_cents, ofCharge } });
    }
  }

  /** Does what a step says, as far as that is possible: there may be no payment to return, or no deposit to refund. */
  async take(step: Step): Promise<void> {
    switch (step.do) {
      case 'wait':
        this.#now = new Date(this.#now.getTime() + step.days * 86_400_000);
        this.#service.app.now = () => this.#now;
        await turnDays(this.#service, this.client.accountId);
        return;
      case 'pay':
        return this.#pay(step);
      case 'settle':
        return this.#settle(step);
      case 'correct':
        return this.#correct(step);
      case 'change':
        return this.#change(step);
      case 'renew':
        return this.#renew(step);
      case 'charge':
        return this.#charge(step);
      case 'void charge':
        return this.#voidCharge(step);
      case 'credit':
        return this.#credit(step);
      case 'void credit':
        return this.#voidCredit(step);
      case 'refund':
        return this.#refund(step);
      case 'repeat':
        return this.#repeat(step);
      case 'change repeat':
        return this.#changeRepeat(step);
      case 'policy': {
        if (step.level === 'account') return this.setAccountPolicy(step.value);
        const path = `/properties/${formatId('prop', this.#propertyId)}`;
        if (await this.#send('PATCH', path, { late_fees: step.value }))
          this.property.push({ on: this.today, value: step.value });
      }
    }
  }

  async #pay({ payment: { tenant, day, isForeign, ofMonth, ofCharge, ofLease, ...rest } }: Step_<'pay'>) {
    const tenant_id = formatId('ten', this.#tenantIds[tenant] ?? '');
    const theirs = this.leases.filter(({ tenant_ids }) => tenant_ids.includes(tenant_id));
    const paid_on = this.#day(day);
    const charge = ofCharge === null ? undefined : at(await this.chargesNow(), ofCharge);
    const lease = charge ? theirs.find(({ id }) => id === charge.lease_id) : at(theirs, ofLease);
    const charge_id = lease && charge ? charge.id : null;
    this.#note(charge);
    const isGiven = lease !== undefined && (ofLease !== null || charge_id !== null);
    const made = await this.#send('POST', '/payments', {
      ...rest,
      tenant_id,
      paid_on,
      currency: isForeign ? 'EUR' : 'USD',
      period: ofMonth === null ? null : model.plusMonths(paid_on, ofMonth).slice(0, 7),
      ...(isGiven ? { lease_id: lease.id } : {}),
      ...(charge_id ? { charge_id } : {}),
    });
    if (made) this.payments.push({ reversed_on: null, charge_id: null, ...made, isGiven });
  }

  async #settle({ payment: index, to, after, fee }: Step_<'settle'>) {
    const payment = at(this.payments, index);
    const next = { pending: ['paid', 'failed', 'voided'], paid: ['returned', 'refunded', 'voided'] } as const;
    if (!payment || !(payment.status === 'pending' || payment.status === 'paid')) return;
    const status = next[payment.status][to];
    const isReversed = status === 'returned' || status === 'refunded';
    const reversed_on = model.plus(payment.paid_on, after);
    const fee_cents = status === 'returned' ? fee : null;
    const changed = await this.#send('PATCH', `/payments/${payment.id}`, {
      status,
      ...(isReversed ? { reversed_on } : {}),
      ...(fee_cents === null ? {} : { fee_cents }),
    });
    if (!changed) return;
    Object.assign(payment, changed);
    if (fee_cents !== null)
      this.charges.push({
        id: '',
        lease_id: changed.lease_id,
        kind: 'returned_payment',
        amount_cents: fee_cents,
        due_on: reversed_on,
        period: null,
      });
  }

  async #correct({ payment: index, amount_cents, day }: Step_<'correct'>) {
    const payment = at(this.payments, index);
    if (!payment) return;
    const change = { amount_cents, paid_on: this.#day(day) };
    if (await this.#send('PATCH', `/payments/${payment.id}`, change)) Object.assign(payment, change);
  }

  async #change({ lease: index, change }: Step_<'change'>) {
    const lease = at(this.leases, index);
    if (!lease) return;
    const dated = (value: unknown, key: string): unknown => {
      if (key === 'rent_changes')
        return (value as [number, number][])
          .map(([day, rent_cents]) => ({ from: this.#day(day), rent_cents }))
          .sort((a, b) => (a.from < b.from ? -1 : 1));
      return /_on$|_date$|_from$/.test(key) && typeof value === 'number' ? this.#day(value) : value;
    };
    const patch = Object.fromEntries(Object.entries(change).map(([key, value]) => [key, dated(value, key)]));
    const changed = await this.#send('PATCH', `/leases/${lease.id}`, patch);
    if (!changed) return;
    expect(changed).toMatchObject(patch);
    Object.assign(lease, changed);
    if ('late_fees' in patch)
      lease.settings.push({ on: this.today, value: patch.late_fees as model.Settings[number]['value'] });
  }

  async #renew({ lease: index, end, from, rent_cents }: Step_<'renew'>) {
    const lease = at(this.leases, index);
    if (!lease) return;
    const terms = { end_date: this.#day(end), from: this.#day(from), rent_cents };
    const changed = await this.#send('POST', `/leases/${lease.id}/renew`, terms);
    if (!changed) return;
    expect(changed.end_date).toBe(terms.end_date);
    expect(changed.rent_changes).toContainEqual({ from: terms.from, rent_cents });
    Object.assign(lease, changed);
  }

  async #charge({ lease: index, day, hasPeriod, kind, amount_cents }: Step_<'charge'>) {
    const lease = at(this.leases, index);
    if (!lease) return;
    const due_on = this.#day(day);
    const period = hasPeriod && kind === 'rent' ? due_on.slice(0, 7) : null;
    const made = await this.#send('POST', '/charges', {
      lease_id: lease.id,
      kind,
      amount_cents,
      due_on,
      period,
    });
    if (made) this.charges.push(made);
  }

  async #voidCharge({ charge: index }: Step_<'void charge'>) {
    const before = await this.chargesNow();
    const charge = at(before, index);
    if (!charge || !(await this.#send('POST', `/charges/${charge.id}/void`, { reason: 'Our mistake' })))
      return;
    this.#voided.add(charge.id);
    if (charge.source === 'schedule') this.taken.add(`${charge.lease_id} ${whatItIs(charge)}`);
    if (charge.late_fee_for) {
      this.#waived.push({ rent: charge.late_fee_for, day: charge.due_on });
      this.#note(before.find(({ id }) => id === charge.late_fee_for));
    }
    const made = this.charges.findIndex(
      ({ id, ...each }) => id === charge.id || (id === '' && isLike(each, charge)),
    );
    if (made !== -1) this.charges.splice(made, 1);
  }

  async #credit({ lease: index, day, ofCharge, reason, amount_cents }: Step_<'credit'>) {
    const lease = at(this.leases, index);
    if (!lease) return;
    const of = ofCharge === null ? undefined : at(await this.chargesNow(), ofCharge);
    const charge_id = of?.lease_id === lease.id ? of.id : null;
    this.#note(of);
    const credited_on = this.#day(day);
    const body = { lease_id: lease.id, reason, amount_cents, credited_on, charge_id };
    const made = await this.#send('POST', '/credits', body);
    if (made) this.credits.push(made);
  }

  async #voidCredit({ credit: index }: Step_<'void credit'>) {
    const credit = at(this.credits, index);
    if (credit && (await this.#send('POST', `/credits/${credit.id}/void`, { reason: 'Our mistake' })))
      this.credits.splice(this.credits.indexOf(credit), 1);
  }

  async #refund({ lease: index, day, amount_cents }: Step_<'refund'>) {
    const lease = at(this.leases, index);
    if (!lease) return;
    const refund = { amount_cents, refunded_on: this.#day(day) };
    const made = await this.#send('POST', `/leases/${lease.id}/deposit-refunds`, refund);
    if (made) this.refunds.push({ ...refund, id: made.id, lease_id: lease.id });
  }

  async #repeat({ lease: index, day, days, do: _, ...rest }: Step_<'repeat'>) {
    const lease = at(this.leases, index);
    if (!lease) return;
    const starts_on = this.#day(day);
    const ends_on = days === null ? null : model.plus(starts_on, days);
    const made = await this.#send('POST', '/recurring-charges', {
      ...rest,
      lease_id: lease.id,
      starts_on,
      ends_on,
    });
    if (made) this.recurring.push({ ...made, amount_changes: [] });
  }

  async #changeRepeat({ recurring: index, from, amount_cents }: Step_<'change repeat'>) {
    const recurring = at(this.recurring, index);
    if (!recurring) return;
    const day = this.#day(from);
    const patch = amount_cents === null ? { ends_on: day } : { amount_cents, from: day };
    const changed = await this.#send('PATCH', `/recurring-charges/${recurring.id}`, patch);
    if (!changed) return;
    if (amount_cents === null) recurring.ends_on = day;
    else
      recurring.amount_changes = [
        ...recurring.amount_changes.filter((change) => change.from < day),
        { from: day, amount_cents },
      ];
  }

  #note(charge: ApiCharge | undefined): void {
    if (charge?.source === 'schedule') this.#scheduled.set(charge.id, charge);
  }

  /** Of the charges that stand, the one that is meant by an id: itself, or the one that was made in its place. */
  meant(id: string | null, standing: ApiCharge[]): string | null {
    const replacement = standing.find(
      (each) =>
        (each.source === 'schedule' || each.period !== null) && this.#isReplacedBy(id, each.lease_id, each),
    );
    return replacement?.id ?? id;
  }

  isWaived(leaseId: string, rent: model.Charge, day: string): boolean {
    return this.#waived.some((fee) => {
      if (fee.rent === rent.id) return fee.day === day;
      const was = this.#scheduled.get(fee.rent);
      const after = was ? model.daysFrom(was.due_on, fee.day) : -1;
      return this.#isReplacedBy(fee.rent, leaseId, rent) && model.plus(rent.due_on, after) === day;
    });
  }

  #isReplacedBy(id: string | null, leaseId: string, charge: model.Charge): boolean {
    const was = this.#scheduled.get(id ?? '');
    if (was === undefined || was.lease_id !== leaseId || this.#voided.has(was.id)) return false;
    return whatItIs(was) === whatItIs(charge);
  }

  /** The charges that were not voided, oldest first. */
  async chargesNow(): Promise<ApiCharge[]> {
    return (await this.ask<ApiCharge[]>('/charges?limit=1000'))
      .filter((each) => each.voided_on === null)
      .reverse();
  }

  async ask<Found>(path: string): Promise<Found> {
    this.#service.app.now = () => this.#now;
    const answer = await this.client.get(path, uncompressed);
    expect(answer.status, `GET ${path}: ${answer.text}`).toBe(200);
    return answer.body.data;
  }

  #day(distance: number): string {
    return model.plus(this.today, distance);
  }

  /** Returns the record, or null if the step could not be taken. */
  async #send(method: 'POST' | 'PATCH', path: string, body: unknown) {
    this.#service.app.now = () => this.#now;
    const answer: Answer = await (method === 'POST'
      ? this.client.post(path, body, uncompressed)
      : this.client.patch(path, body, uncompressed));
    const kind = `${method} ${path.replace(/\w+_[0-9a-f]{32}/, ':id')} ${answer.status}`;
    this.#answers.set(kind, (this.#answers.get(kind) ?? 0) + 1);
    if (answer.status >= 300)
      expect([400, 409], `${kind}: ${answer.text}\n${JSON.stringify(body)}`).toContain(answer.status);
    return answer.status < 300 ? answer.body.data : null;
  }
}

/** The item at this index, which begins again at the start after the last item. */
function at<Item>(items: Item[], index: number | null): Item | undefined {
  return index === null || items.length === 0 ? undefined : items[index % items.length];
}

/** The model's name for a scheduled charge. */
export function whatItIs({ kind, period, recurring_charge_id, due_on }: model.Charge): string {
  if (recurring_charge_id) return `${recurring_charge_id} ${due_on}`;
  return kind === 'rent' ? `rent ${period}` : kind;
}

const isLike = (one: Omit<OfLease<model.Charge>, 'id'>, other: OfLease<model.Charge>): boolean =>
  one.lease_id === other.lease_id &&
  one.kind === other.kind &&
  one.due_on === other.due_on &&
  one.amount_cents === other.amount_cents;
