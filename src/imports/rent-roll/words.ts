import { plainWord, readYesNo } from '../cells/words.ts';

/* Words about units, tenants and leases, in the four languages whose headers we know. */

const between = '[\\s,;:/|()*_.–—-]+';
/** What may follow these words without making a name of them: `Vacant - not ready`, `Model unit 3`. */
const more = [
  'vacant|vacancy|empty|available|unoccupied|occupied|unrented|rented|unleased|leased|preleased|pre|not|rentable',
  'rent|make|made|ready|now|immediately|soon|for|to|let|lease|listed|advertised|marketing|on|hold|notice|turn|turnover',
  'units?|apartments?|apt|home|house|suite|room|space|office|leasing|management|maintenance|staff|only|admin|model|down',
  'offline|off|market|storage|under|in|renovations?|rehab|repairs?|construction|since|from|as|of|until|by|tbd',
  'jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec',
  'wohnung|whg|einheit|ab|seit|sofort|zu|vermieten|logement|lot|depuis|desde|piso|louer|[aà]|alquilar|para',
  '\\d+(?:st|nd|rd|th)?',
].join('|');
const phrase = (words: string) =>
  new RegExp(`^(?:${between})?(?:${words})(?:${between}(?:${more}))*(?:${between})?$`, 'i');
/** Words that are nobody's name, so that a remark may follow them: `Vacant - formerly Lee`. */
const remarked = (words: string) =>
  new RegExp(`^\\W*(?:${words})\\s*(?:[-–—/:(*]|\\bformerly\\b|\\bprev)`, 'i');

const plainlyVacant =
  'vacant|vacancy|unoccupied|unrented|unleased|not rented|for rent|to let|leerstand|leerstehend|unvermietet|inoccup[eé]e?|desocupad[oa]|sin inquilino|no tenant';
const plainlyOff =
  "manager'?s? (?:unit|apartment|apt)|down|offline|off[- ]?market|not rentable|unrentable|under construction|renovation|rehab";
const vacant = [
  phrase(`${plainlyVacant}|empty|available|leer|frei|vacante?s?|libre|vac[ií][oa]|disponible`),
  remarked(plainlyVacant),
  /^(none|n\/?a|tbd|x+|[-–—.*]+)$/i,
];
const offline = [
  phrase(`${plainlyOff}|model|admin|storage|(?:(?:leasing|management|manager'?s?|site) )?office`),
  remarked(plainlyOff),
];

/** Accepts VACANT, Vacant-Unrented, Leerstand, Libre, Vacante, but not Frei, Anna. */
export const isVacant = (text: string): boolean => vacant.some((one) => one.test(text.trim()));

/** Leaves out mere signs that nothing is known, such as x or n/a. */
const saysVacant = (text: string): boolean => /^\W*(?!none)\p{L}{4}/iu.test(text) && isVacant(text);

/** A word that is also a surname. */
export const maybeName = (text: string): boolean =>
  /^(frei|leer|libre|model|office|storage)$/i.test(text.trim());

/** `Unit 101 - Vacant` is unit 101, and it is vacant. */
export function splitVacantUnit(text: string): { name: string; vacant: boolean } {
  const [, name = '', word = ''] = /^(.*?)\s*(?:[-–—:,/]\s*|\()([^-–—:,/()]+)\)?$/.exec(text) ?? [];
  return name !== '' && saysVacant(word)
    ? { name: name.trim(), vacant: true }
    : { name: text, vacant: false };
}

/** Whether a unit is not for rent: under renovation, a model, an office (but not Office Depot Inc). */
export const isOffline = (text: string): boolean => offline.some((one) => one.test(text.trim()));

type Standing = 'current' | 'ended' | 'future' | 'applicant' | null;

/** What a status says about a lease. */
function standingOf(status: string): Standing {
  const text = status.trim();
  if (
    /^(past|former|previous|ended|moved.?out|vacated|evicted|inacti[vf]|inaktiv|ausgezogen|terminated|closed|beendet|ehemalig|ancien|termin[eé]|resili[eé]|finalizad|anterior)/i.test(
      text,
    )
  )
    return 'ended';
  if (
    /^(applicant|applied|prospect|lead|pending application|candidate|draft|waitlist|waiting|denied|cancell?ed|bewerber|candidat|aspirante)/i.test(
      text,
    )
  )
    return 'applicant';
  if (/^(future|upcoming|pending|approved|pre.?leased|k[uü]nftig|[aà] venir|futur)/i.test(text))
    return 'future';
  if (
    /^(current|active|occupied|notice|on notice|leased|rented|in place|month|mtm|evict|eviction|vermietet|bewohnt|aktiv|lou[eé]|occup[eé]|actif|en cours|alquilad|ocupad|activ|vigente|arrendad)/i.test(
      text,
    )
  )
    return 'current';
  return null;
}

/** What the row says about its lease. */
export const standingIn = ({ tenant_status = '', status = '' }: Record<string, string>): Standing =>
  standingOf(tenant_status) ?? standingOf(status);

/** Whether the row says that nobody lives there or is going to. Vacant-Rented does not say so. */
export function isSaidVacant(cells: Record<string, string>): boolean {
  const { tenant_status = '', status = '', vacant: isEmpty = '', occupied = '' } = cells;
  if (standingIn(cells) !== null || /(^|[^a-z])(pre)?(rented|leased)\b/i.test(status.replace(/\bnot /i, '')))
    return false;
  return (
    [tenant_status, status, isEmpty, occupied].some(saysVacant) ||
    readYesNo(isEmpty) === true ||
    readYesNo(occupied) === false
  );
}

/** Whether a lease of this type is month to month, and since when: at once, or after the agreed end. */
export function monthToMonth(type: string): 'now' | 'after' | null {
  const word = plainWord(type);
  if (/rollover|renew|tacit|verlanger/.test(word)) return 'after';
  if (
    /^(mtm|m2m|mm$|mtom|motomo|mo2mo|mthtomth|monthmonth|monthtomonth|month2month|monthly|monthbymonth|atwill|tenancyatwill|periodic|openended|indefini|unbefristet|unbestimmt|indetermin|dureeindetermin|mesames|moisparmois|ongoing|holdover)/.test(
      word,
    )
  )
    return 'now';
  return null;
}

/** Whether rent paid at this frequency is a month's rent. Null if the word is not known. */
export function isMonthly(frequency: string): boolean | null {
  const word = plainWord(frequency);
  const isOther =
    /week|fortnight|quarter|year|annu|dai|day|night|semi|twice|bimonth|months$|woch|jahr|quartal|tag|hebdo|trimest|semest|journ|anual|seman|quincen|diari/;
  if (isOther.test(word)) return false;
  return /^(every|each|per|once|calendar|1)?(a|per)?(month|mo|mensu|monat|mtm|m$|pcm|pm$)/.test(word)
    ? true
    : null;
}

/** What stands before the name of a property in a line of its own. */
export const headingWords = 'property|building|objekt|immeuble|inmueble';
/** `Property: Maple Court` above the units of that property. */
export const groupHeading = new RegExp(`^(?:${headingWords})\\s*:\\s*`, 'i');

/** Lines with totals in a report, and its footer. */
const total =
  /^((grand|sub|report|property|page|company|overall)[\s-]*)?totals?\b|^(zwischen|gesamt)?summen?\b|^(ins)?gesamt\b|^(sous[\s-]*)?(total|totaux)\b|^suma\b|^totales\b/i;
const foot =
  /^(page|seite|p[aá]gina)\s+\d|^(printed|generated|exported|created|report|run|prepared|gedruckt|erstellt|imprim[eé]|g[eé]n[eé]r[eé]|exportado|impreso)\b.*(\d|by|on|am|le|el)|^as of\b|^(confidential|copyright|©|\*+\s)|^(occupied|vacant|occupancy)( units?)?[:\s]+\d|^(end of report|continued)|^(current|future|past|vacant|notice)\b.*\b(residents|tenants|units|leases|applicants)$/i;

export const isTotalText = (text: string): boolean => total.test(text) || /\b(sub)?totals?:?$/i.test(text);
/** `4 Units`, `75.0% Occupied`: a count of the rows above. */
export const isCountText = (text: string): boolean =>
  /^\d+ ((total|occupied|vacant) )?(units?|tenants?|residents?|leases?|einheiten|lots?|unidades)$|\d% (occupied|vacant|occupancy)/i.test(
    text,
  );
export const isFootText = (text: string): boolean => foot.test(text);

/** `2 Bed/1 Bath`, `2/1.5`, `2BR/1BA`, `Studio`. */
export function readBedBath(text: string): { bedrooms?: string; bathrooms?: string } {
  if (/^(studio|efficiency)/i.test(text)) {
    const [, baths] = /(\d+(?:[.,]\d{1,2})?)\s*(?:ba|bath)?s?\s*$/i.exec(text.slice(6)) ?? [];
    return { bedrooms: '0', ...(baths ? { bathrooms: baths.replace(/[.,]00?$/, '') } : {}) };
  }
  const [, beds, baths] =
    /^(\d{1,2}|--?)\s*(?:br|bd|beds?|bedrooms?)?\.?\s*[/,x&|-]\s*(\d{1,2}(?:[.,]\d{1,2})?|--?)\s*(?:ba|baths?|bathrooms?)?\.?$/i.exec(
      text.trim(),
    ) ?? [];
  const isNumber = (part: string | undefined): part is string => part !== undefined && /\d/.test(part);
  return {
    ...(isNumber(beds) ? { bedrooms: beds } : {}),
    ...(isNumber(baths) ? { bathrooms: baths.replace(/[.,]00?$/, '') } : {}),
  };
}
