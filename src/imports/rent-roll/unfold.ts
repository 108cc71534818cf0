import { unguardText } from '../../csv/cells.ts';
import { type Row, readRows } from '../../csv/rows.ts';
import { TimeSlice } from '../../system/time-slices.ts';
import { emailsIn, phonesIn, shareEmails } from '../cells/contacts.ts';
import { type DateOrder, orderIn, readDate } from '../cells/dates.ts';
import { joinNames, type PersonName, splitPeople } from '../cells/names.ts';
import { readAddress, readPropertyName } from '../cells/property-names.ts';
import { quote, squareFeet } from '../cells/readers.ts';
import { isNoDate } from '../cells/words.ts';
import { dateHabitIn } from '../files/date-habits.ts';
import { oneWordName } from '../kinds/people.ts';
import { lower, samePhone } from '../kinds/same.ts';
import type { RowError } from '../report.ts';
import type { Column, Survey } from '../survey.ts';
import { isIso, leaseTerms, type Terms } from './terms.ts';
import { dayInTitle, nameInTitle, propertyInTitle } from './titles.ts';
import {
  groupHeading,
  isCountText,
  isFootText,
  isMonthly,
  isOffline,
  isSaidVacant,
  isTotalText,
  isVacant,
  maybeName,
  readBedBath,
  splitVacantUnit,
  standingIn,
} from './words.ts';

/** A record that the sheet is about, made from one or several of its rows. */
export interface Entity {
  /** The line at which errors about it are reported. */
  line: number;
  lines: Set<number>;
  /** What the sheet says about it, by the fields of its kind. */
  cells: Record<string, string>;
  /** The records that it belongs to, which are made first. */
  of: Entity[];
  /** Whether the sheet does not say when the lease began. */
  startIsAssumed?: boolean;
}

/** What a sheet is about. */
export interface Unfolded {
  properties: Entity[];
  units: Entity[];
  tenants: Entity[];
  leases: Entity[];
  errors: RowError[];
  /** What was assumed or left out, and why. */
  notes: Map<string, number>;
  rows: number;
  skipped: number;
  /** What a row takes from the rows above it. */
  filled: Map<number, { property: string; unit: string }>;
  /** The day that the sheet shows, if a title names it. */
  asOf: string | null;
}

/** A larger portfolio has to come in several files. Each row is kept in memory until its records are written. */
const mostRows = 100_000;

/** Finds the properties, units, tenants and leases that the rows of a sheet are about. */
export async function unfold(survey: Survey, leftOut: ReadonlySet<number>, today: string): Promise<Unfolded> {
  const sheet = new Sheet(survey, today);
  const slice = new TimeSlice();
  for await (const row of readRows(survey.source, survey.format)) {
    if (slice.isOver()) await slice.next();
    if (row.line <= survey.headerLine) continue;
    sheet.take(row, leftOut.has(row.line));
    if (sheet.result.rows > mostRows) {
      sheet.fail(
        row.line,
        null,
        `The file has more than ${mostRows.toLocaleString('en-US')} rows; split it.`,
      );
      break;
    }
  }
  return sheet.result;
}

type Cells = Record<string, string>;

class Sheet {
  readonly result: Unfolded = {
    properties: [],
    units: [],
    tenants: [],
    leases: [],
    errors: [],
    notes: new Map(),
    rows: 0,
    skipped: 0,
    filled: new Map(),
    asOf: null,
  };
  readonly #columns: Column[];
  readonly #byField: Map<string, { column: Column; at: number }>;
  readonly #today: string;
  /** The day for which the sheet was made, if a title names it. */
  readonly #asOf: string | null;
  /** Whether day or month comes first if one cell has both days of a lease. */
  readonly #dateOrder: DateOrder | null;
  /**
   * The property of rows that name none: from the last row that has nothing but a property's name, or from the title.
   */
  #group: string | null;
  /** The title of the sheet, if no other name is found. */
  readonly #title: string | null;
  #last: { property: string; unit: string } | null = null;
  readonly #entities = new Map<string, Entity>();
  readonly #terms = new Map<Entity, Terms>();

  constructor(survey: Survey, today: string) {
    this.#columns = survey.columns;
    this.#byField = new Map(
      survey.columns.flatMap((column, at) => (column.field ? [[column.field.name, { column, at }]] : [])),
    );
    this.#today = today;
    const titles = survey.before.map(({ cells }) => cells.map((cell) => cell.trim()).filter(Boolean));
    this.#group = propertyInTitle(titles);
    this.#title = nameInTitle(titles);
    this.#dateOrder = orderOfPeriods(
      survey,
      (this.#byField.get('lease_dates') ?? this.#byField.get('lease_type'))?.at,
    );
    this.#asOf = dayInTitle(titles, survey);
    this.result.asOf = this.#asOf;
  }

  take(row: Row, isLeftOut: boolean): void {
    const texts = row.cells.map((cell) => unguardText(cell).trim());
    const filled = texts.flatMap((text, at) => (text === '' ? [] : [{ text, at }]));
    const [first] = filled;
    if (first === undefined) return;
    const cells = this.#read(texts);
    if (this.#isNoRecord(texts, filled, cells)) {
      this.result.skipped += 1;
      return;
    }
    if (this.#isGroup(filled, cells)) {
      this.#group = first.text.replace(groupHeading, '');
      this.#last = null;
      this.result.skipped += 1;
      return;
    }
    this.result.rows += 1;
    this.#takeRecord(row.line, cells, isLeftOut);
  }

  fail(line: number, field: string | null, reason: string): void {
    const header = field === null ? null : (this.#byField.get(field)?.column.header ?? field);
    this.result.errors.push({ line, column: header, reason });
  }

  #note(text: string): void {
    this.result.notes.set(text, (this.result.notes.get(text) ?? 0) + 1);
  }

  #has(field: string): boolean {
    return this.#byField.has(field);
  }

  #read(texts: string[]): Cells {
    const cells: Cells = {};
    for (const [field, { column, at }] of this.#byField) {
      const text = texts[at] ?? '';
      const isNothing = column.field?.written !== 'names' && /^([-–—]+|n\/?a|#n\/a|null)$/i.test(text);
      if (text === '' || isNothing) continue;
      cells[field] = column.field?.written === 'date' ? this.#isoDate(column, text) : text;
    }
    // `Lease Term` may be Fixed, or 6/15/2025 - 6/14/2027.
    const period =
      cells.lease_dates ?? (/\d[./-]\d/.test(cells.lease_type ?? '') ? cells.lease_type : undefined);
    const dates = period === undefined ? {} : this.#datesIn(period);
    return withAddress({ ...dates, ...cells });
  }

  /** `2/1/2026 - 1/31/2027`, `06/15/2025 – At-will`, `01.03.2019 bis unbefristet`. */
  #datesIn(text: string): Cells {
    const [, start = '', end = ''] =
      /^(.{4,40}?)(?:\s+(?:-|–|—|to|through|thru|until|bis|au|al|a|hasta)\s+|\s*[–—]\s*)(.{0,40})$/i.exec(
        text.replace(/^(?:from|vom|von|du|del?)\s+/i, ''),
      ) ?? [];
    const order = orderIn(start) ?? orderIn(end) ?? this.#dateOrder;
    const iso = (part: string) => {
      const reading = readDate(part, order);
      return reading.kind === 'date' ? reading.date : part;
    };
    return {
      ...(start === '' ? {} : { start_date: iso(start.trim()) }),
      ...(end.trim() === '' ? {} : { end_date: iso(end.trim()) }),
    };
  }

  /**
   * Different columns may write dates in different ways; from here on they are all written in one. What is not a date
   * is reported later.
   */
  #isoDate(column: Column, text: string): string {
    const reading = column.field?.read(text, column.style);
    return reading && 'value' in reading && typeof reading.value === 'string' ? reading.value : text;
  }

  /** Totals, the header of another page, and the footer of a report are not records. */
  #isNoRecord(texts: string[], filled: { text: string; at: number }[], cells: Cells): boolean {
    const [first] = filled;
    const text = first?.text ?? '';
    const same = filled.filter(({ text: one, at }) => lower(one) === lower(this.#columns[at]?.header)).length;
    if (same > 1 && same >= filled.length / 2) return true;
    // There may be a count in the column of the names.
    const named = cells.tenants ?? cells.last_name;
    const isNamed = named !== undefined && !isCountText(named);
    if (isTotalText(text) && !(isNamed && cells.unit !== undefined && cells.unit !== text)) return true;
    if (!isNamed && texts.some(isCountText)) return true;
    const isVacantRow = cells.unit !== undefined && isVacant(cells.tenants ?? '');
    if (filled.length <= 4 && !isVacantRow && texts.some(isFootText)) return true;
    const names = [
      'property',
      'property_id',
      'unit',
      'unit_id',
      'unit_address',
      'address',
      'tenants',
      'first_name',
      'last_name',
    ];
    const isNameless = !names.some((name) => cells[name] !== undefined) && filled.length > 1;
    // A report may list other charges below each tenant.
    if (isNameless && filled.some(({ text: one }) => /\p{L}{2}/u.test(one)))
      this.#note('Lines that name neither a unit nor a tenant are left out.');
    return isNameless;
  }

  /** Whether a row has nothing but the name of a property, above its units. */
  #isGroup(filled: { text: string; at: number }[], cells: Cells): boolean {
    const [first] = filled;
    if (first === undefined) return false;
    const isMarked = groupHeading.test(first.text) || /^-+>/.test(first.text);
    // Counts and totals may follow the name, but no person and nothing that is let.
    if (isMarked) return cells.tenants === undefined && cells.start_date === undefined;
    if (filled.length > 1) return false;
    const field = this.#columns[first.at]?.field?.name;
    if (field === 'property') return this.#has('unit');
    if (this.#has('property')) return field === undefined && first.at === 0;
    return field === 'unit' ? !looksLikeUnit(first.text) : field !== 'tenants' || first.at === 0;
  }

  #takeRecord(line: number, cells: Cells, isLeftOut: boolean): void {
    const property = this.#propertyOf(cells);
    if (property === null) {
      if (!isLeftOut) this.fail(line, 'property', noProperty);
      return;
    }
    const { name: unitName, vacant: isVacantUnit } = this.#unitOf(cells, property);
    this.result.filled.set(line, { property, unit: unitName });
    this.#last = { property, unit: unitName };
    if (isLeftOut) return;
    const parts = readPropertyName(property);
    const propertyEntity = this.#entity('properties', lower(cells.property_id ?? parts.name), line, []);
    this.#fill(propertyEntity, {
      ...(cells.property_id === undefined ? {} : { external_id: cells.property_id }),
      name: parts.name,
      type: cells.property_type,
      address_line2: cells.address_line2,
      address: this.#streetIn(cells) ?? parts.address ?? splitAddress(cells.unit_address).street,
      city: cells.city ?? parts.city,
      state: cells.state ?? parts.state,
      postal_code: cells.postal_code ?? parts.postal_code,
      country: cells.country,
    });
    const people = this.#peopleIn(line, cells, isVacantUnit);
    if (people === null) return;
    const unit = this.#entity('units', `${lower(parts.name)} ${lower(cells.unit_id ?? unitName)}`, line, [
      propertyEntity,
    ]);
    // `2,5` rooms is not a number of bathrooms.
    const isMere = /^\d+[.,]\d+$/.test(cells.bedrooms ?? '');
    const rooms = readBedBath(cells.bed_bath ?? (isMere ? '' : cells.bedrooms) ?? '');
    const isOff =
      [cells.status, cells.tenant_status].some((text) => isOffline(text ?? '')) ||
      (people.length === 0 && isOffline(cells.tenants ?? ''));
    this.#fill(unit, {
      name: unitName,
      ...(cells.unit_id === undefined ? {} : { external_id: cells.unit_id }),
      bedrooms: rooms.bedrooms ?? (isMere ? cells.bedrooms?.replace(/[.,].*$/, '') : cells.bedrooms),
      bathrooms: cells.bathrooms ?? rooms.bathrooms,
      area_sqft: cells.area_sqft ?? squareFeet(cells.area_sqm),
      // The rent asked for a vacant unit is often in the column with the others' rent.
      market_rent:
        cells.market_rent ??
        (people.length === 0 && !this.#has('market_rent') ? nonZero(cells.rent) : undefined),
      ...(isOff ? { offline: 'yes' } : {}),
    });
    if (people.length === 0 && cells.notes !== undefined)
      this.#note('Notes beside vacant units are left out: notes are kept with tenants.');
    if (people.length > 0) this.#takeLease(line, cells, unit, this.#tenants(line, cells, people));
  }

  /** The property that a row itself names, or that it is listed under, or whose cell was merged with the one above. */
  #propertyOf(cells: Cells): string | null {
    const named = cells.property ?? this.#group ?? undefined;
    // If a property is named by an address, that may be the address of one of its units.
    if (named !== undefined) return this.#has('unit') ? named : (splitAddress(named).street ?? named);
    if (!this.#has('property')) {
      const own =
        cells.property_id ??
        (this.#has('unit') ? undefined : splitAddress(cells.address ?? cells.unit_address).street);
      if (own !== undefined) return own;
    }
    return this.#last?.property ?? cells.property_id ?? cells.address ?? cells.unit_address ?? this.#title;
  }

  /** If units are identified by their addresses, the property's address is the part they have in common. */
  #streetIn({ address }: Cells): string | undefined {
    return this.#has('unit') ? address : splitAddress(address).street;
  }

  /** A row without a unit is about the unit above it, or about a house that is let as a whole. */
  #unitOf(cells: Cells, property: string): { name: string; vacant: boolean } {
    if (cells.unit !== undefined) return splitVacantUnit(cells.unit);
    if (cells.unit_id !== undefined) return { name: cells.unit_id, vacant: false };
    const isSame = this.#last !== null && lower(this.#last.property) === lower(property);
    if (this.#has('unit') && isSame && this.#last) return { name: this.#last.unit, vacant: false };
    return {
      name: splitAddress(cells.address ?? cells.unit_address ?? cells.property).unit ?? 'Main',
      vacant: false,
    };
  }

  /** The people named in the row. Null if that is unclear. */
  #peopleIn(line: number, cells: Cells, isVacantUnit: boolean): PersonName[] | null {
    const { first_name, last_name, other_tenants, company } = cells;
    const tenants = cells.tenants ?? (first_name || last_name ? undefined : company);
    if (company !== undefined && company !== tenants)
      this.#note('Companies beside the name of a tenant are left out.');
    const isLet = cells.start_date !== undefined || cells.move_in !== undefined;
    const isNobody = (text: string) => (isVacant(text) || isOffline(text)) && !(isLet && maybeName(text));
    if (isVacantUnit || isNobody(tenants ?? '')) return [];
    if (isNobody([first_name, last_name].filter(Boolean).join(' '))) return [];
    const start = cells.start_date ?? cells.move_in;
    const isToCome = isIso(start) && start > (this.#asOf ?? this.#today);
    if (isSaidVacant(cells) && !isToCome) {
      if (tenants || first_name || last_name)
        this.#note('Units that the sheet calls vacant get no lease, even if it names a tenant.');
      return [];
    }
    const people: PersonName[] = [];
    for (const [field, text] of Object.entries({ tenants, other_tenants })) {
      const isOwn = field === 'other_tenants' || !(first_name && last_name);
      if (text === undefined || isNobody(text) || !isOwn) continue;
      const order = this.#byField.get(field)?.column.style.nameOrder ?? null;
      // In a list of first names, everybody takes the row's last name.
      const full =
        field === 'tenants' && (first_name || last_name) ? [text, first_name ?? last_name].join(', ') : text;
      const found = splitPeople(full, order);
      if ('unclear' in found) {
        this.fail(line, field, oneWordName(text));
        return null;
      }
      people.push(...found.people);
    }
    if (first_name && last_name) {
      people.unshift(...joinNames(first_name, last_name));
    } else if (people.length === 0 && (first_name || last_name)) {
      const found = splitPeople(first_name ?? last_name ?? '');
      if ('unclear' in found) {
        this.fail(line, first_name ? 'first_name' : 'last_name', oneWordName(first_name ?? last_name ?? ''));
        return null;
      }
      people.push(...found.people);
    }
    if (people.length > 0 || !['tenants', 'first_name', 'last_name'].some((name) => this.#has(name)))
      return people;
    // If the unit were let to nobody, it would be vacant from now on, and what is owed would be lost.
    if ((isLet && nonZero(cells.rent)) || cells.email || cells.phone || nonZero(cells.balance)) {
      this.fail(line, this.#has('tenants') ? 'tenants' : 'last_name', namesNobody);
      return null;
    }
    if (standingIn(cells) === 'current')
      this.#note('Units that the sheet calls let get no lease if it names no tenant.');
    return people;
  }

  #tenants(line: number, cells: Cells, people: PersonName[]): Entity[] {
    const called = [cells.phone, cells.other_phone, cells.work_phone].filter((cell) => cell !== undefined);
    // A column such as Contact may contain either.
    const mails = [cells.email, cells.other_email, ...called.filter((cell) => cell.includes('@'))];
    const emails = [...new Set(mails.flatMap((cell) => (cell === undefined ? [] : emailsIn(cell))))];
    const phones = called.flatMap(phonesIn).filter((phone) => !phone.includes('@'));
    const theirs = shareEmails(people, emails);
    return people.map((person, at) => {
      const own = {
        email: theirs[at] ?? undefined,
        // If there are as many numbers as people, they go by order.
        phone: people.length === 1 || phones.length === people.length || at === 0 ? phones[at] : undefined,
        external_id: at === 0 ? cells.tenant_id : undefined,
      };
      const tenant = this.#entity('tenants', this.#tenantKey(person, own), line, []);
      // A note in a row is about the first of its people, and so is a single number.
      this.#fill(tenant, { ...person, ...own, notes: at === 0 ? cells.notes : undefined });
      return tenant;
    });
  }

  /** The same name means the same person, unless their numbers, addresses or phones differ. */
  #tenantKey({ first_name, last_name }: PersonName, own: Contacts): string {
    const name = lower(`${first_name} ${last_name}`);
    for (let number = 1; ; number += 1) {
      const key = `${name} ${number}`;
      const known = this.#entities.get(`tenants ${key}`)?.cells;
      if (!known || maySame(known, own)) return key;
    }
  }

  #takeLease(line: number, cells: Cells, unit: Entity, tenants: Entity[]): void {
    if (!this.#has('rent')) {
      this.#note('There is no column for the rent, so no leases are made.');
      return;
    }
    const { rent_frequency: frequency } = cells;
    const isOfMonth = frequency === undefined || isMonthly(frequency);
    if (isOfMonth === false) {
      this.fail(
        line,
        'rent_frequency',
        `${quote(frequency ?? '')}: rents are monthly here. Write the rent of a month, and Monthly.`,
      );
      return;
    }
    if (isOfMonth === null)
      this.#note(`Rents are read as monthly where the sheet says ${quote(frequency ?? '')}.`);
    const terms = leaseTerms(cells, {
      today: this.#today,
      asOf: this.#asOf,
      hasEnd: this.#has('end_date') || this.#has('lease_dates'),
      hasBalance: this.#has('balance') || this.#has('opening_balance'),
    });
    if ('none' in terms) {
      if (terms.none !== null) this.#note(terms.none);
      return;
    }
    for (const note of terms.notes) this.#note(note);
    const lease = this.#leaseOf(line, unit, terms);
    for (const tenant of tenants) if (!lease.of.includes(tenant)) lease.of.push(tenant);
    const known = this.#terms.get(lease);
    if (known) this.#join(line, lease, known, terms);
    else {
      this.#terms.set(lease, terms);
      this.#fill(lease, terms.cells);
    }
    lease.startIsAssumed = this.#terms.get(lease)?.startIsAssumed ?? false;
  }

  /**
   * Rows of one unit are about one lease if they begin on the same day, if they have the same number, or if one of them
   * has nothing but a person.
   */
  #leaseOf(line: number, unit: Entity, terms: Terms): Entity {
    const ofUnit = `${this.result.units.indexOf(unit)}`;
    const key = `leases ${ofUnit} `;
    const latest = this.#entities.get(`${key}latest`);
    const before = latest && this.#terms.get(latest);
    const isSame =
      before !== undefined && (terms.key === before.key || terms.isBare || sameTerm(before, terms));
    const lease =
      (isSame ? latest : this.#entities.get(key + terms.key)) ??
      this.#entity('leases', `${ofUnit} ${terms.key}`, line, [unit]);
    lease.lines.add(line);
    this.#entities.set(`${key}latest`, lease);
    return lease;
  }

  /** Roommates' rows often repeat the rent, or leave it empty. If two rents differ, a person has to decide. */
  #join(line: number, lease: Entity, known: Terms, terms: Terms): void {
    for (const field of ['rent', 'deposit', 'balance', 'opening_balance']) {
      const [before, now] = [lease.cells[field], terms.cells[field]];
      if (!now || !nonZero(now)) continue;
      if (before === undefined || !nonZero(before)) lease.cells[field] = now;
      else if (digits(before) !== digits(now)) {
        this.fail(line, field, `Line ${lease.line} has another amount for the same lease.`);
        return;
      }
    }
    if (known.isBare)
      Object.assign(known, { key: terms.key, isBare: false, startIsAssumed: terms.startIsAssumed });
    for (const [field, cell] of Object.entries(terms.cells)) lease.cells[field] ??= cell;
  }

  #entity(
    list: 'properties' | 'units' | 'tenants' | 'leases',
    key: string,
    line: number,
    of: Entity[],
  ): Entity {
    const known = this.#entities.get(`${list} ${key}`);
    known?.lines.add(line);
    if (known) return known;
    const made = { line, lines: new Set([line]), cells: {}, of };
    this.#entities.set(`${list} ${key}`, made);
    this.result[list].push(made);
    return made;
  }

  /** The first row with a value counts. */
  #fill({ cells }: Entity, more: Record<string, string | undefined>): void {
    for (const [field, cell] of Object.entries(more)) if (cell !== undefined) cells[field] ??= cell;
  }
}

interface Contacts {
  external_id?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
}

/** Whether two rows with the same name may be about one person. The first detail that both have decides. */
function maySame(one: Contacts, other: Contacts): boolean {
  for (const field of ['external_id', 'email'] as const)
    if (one[field] !== undefined && other[field] !== undefined)
      return lower(one[field]) === lower(other[field]);
  return one.phone === undefined || other.phone === undefined || samePhone(one.phone, other.phone);
}

/** The end and the rent are the same, so it is the same lease, which people joined on different days. */
const sameTerm = (before: Terms, now: Terms): boolean =>
  before.cells.end_date !== undefined &&
  before.cells.end_date === now.cells.end_date &&
  !isNoDate(now.cells.end_date ?? '') &&
  digits(before.cells.rent ?? '') === digits(now.cells.rent ?? before.cells.rent ?? '');

const digits = (text: string): string => text.replace(/\D/g, '').replace(/^0+/, '');
const nonZero = (text: string | undefined): string | undefined =>
  /[1-9]/.test(text ?? '') ? text : undefined;

const noProperty =
  'Names no property. Add a column Property, or a line such as Property: Maple Court above the header.';

const namesNobody =
  'Names no tenant, though there is a lease. Write the name, or Vacant if the unit is vacant.';

/** Accepts 101, Apt 2, B-12, #4, Unit 101 - Vacant, but not Maple Court. */
const looksLikeUnit = (text: string): boolean =>
  splitVacantUnit(text).vacant ||
  text.length <= 5 ||
  /^(unit|apt|apartment|suite|ste|flat|room|wohnung|whg|we|lot|appt|apto|piso|#|no\.?)\s*[#-]?\s*\w{1,6}$/i.test(
    text,
  );

/** Splits addresses in one line into their parts: `44 Birch Ln, Unit 1A, Dayton, OH 45402` is in Dayton. */
function withAddress(cells: Cells): Cells {
  if (cells.city !== undefined) return cells;
  for (const field of ['address', 'unit_address', 'property']) {
    const parts = readAddress(cells[field] ?? '');
    // `Maple Court - 12 Maple St, Portland, OR 97201` has a name before its address: readPropertyName takes them apart.
    if (parts === null || (field === 'property' && /\s[-–—]\s/.test(cells.property ?? ''))) continue;
    const { address, ...others } = parts;
    return { ...others, ...(field === 'property' ? { address } : {}), ...cells, [field]: address };
  }
  return cells;
}

/** `16 Elm St Apt 2` is unit 2 of 16 Elm St. */
function splitAddress(text: string | undefined): { street?: string; unit?: string } {
  const [, street, unit] =
    /^(.*?\d.*?)[,\s]+(?:apt|apartment|unit|suite|ste|#)\.?\s*#?(\w+)$/i.exec(text ?? '') ?? [];
  if (street !== undefined && unit !== undefined) return { street, unit };
  return text === undefined ? {} : { street: text };
}

/** The order that one of the first periods or another column shows, or else the one that the headers suggest. */
function orderOfPeriods({ sample, columns }: Survey, at: number | undefined): DateOrder | null {
  if (at === undefined) return null;
  const parts = sample.flatMap(({ cells }) => (cells[at] ?? '').slice(0, 100).split(/\s+/));
  const shown = [...parts.map(orderIn), ...columns.map(({ style }) => style.dateOrder)];
  return shown.find((order) => order !== null) ?? dateHabitIn(columns)?.order ?? null;
}
