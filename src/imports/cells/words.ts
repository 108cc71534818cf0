/*
 * Other systems' words for our values. They are compared in lower case, by letters and digits only. An unknown word is
 * passed on as it is, and the schema says what is allowed.
 */

export const plainWord = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

type Words<Value extends string> = { [Own in Value]: string[] };

const withoutBrackets = (text: string): string =>
  text.length > 200 ? text : text.replace(/[([][^()[\]]*[)\]]/g, ' ');

/**
 * Makes a function that finds our value for a word. It finds our own values in any spelling and, among several words,
 * the first that it knows: `Roof/Gutter`, `Plumbing - Leak`, `Bank transfer (ACH)`.
 */
function vocabulary<Value extends string>(words: Words<Value>): (text: string) => string {
  const found = new Map<string, string>();
  for (const [own, others] of Object.entries<string[]>(words))
    for (const word of [own, ...others]) found.set(plainWord(word), own);
  return (text) =>
    [text, withoutBrackets(text), ...text.slice(0, 200).split(/[/,;&:(]|\s[-–—]\s/)]
      .map((part) => found.get(plainWord(part)))
      .find((own) => own !== undefined) ?? text;
}

/** Ways to say that no date was agreed, such as At-will, M-T-M and Rollover for the end of a lease. */
const noDates = new Set(
  `monthtomonth month2month mtm m2m mm mtom motomo mo2mo mthtomth monthmonth monthly monthbymonth momo atwill tenancyatwill rollover fixedwrollover periodic
  none na ongoing openended open present current continuing continuous indefinite never nofixedterm holdover
  unbefristet unbestimmt unbestimmtezeit indetermine indeterminee dureeindeterminee moisparmois taciterenconduction
  tacitereconduction indefinido indefinida mesames sinvencimiento`.split(/\s+/),
);

/** Brackets after the words may say more: `MTM (30 days' notice)`. */
export const isNoDate = (text: string): boolean =>
  noDates.has(plainWord(text)) || noDates.has(plainWord(withoutBrackets(text)));

/** Words said about a unit or a tenant, never about a property. */
const occupancy =
  /^(occupied|vacant|vacancy|unoccupied|leased|rented|current|notice|on notice|past|former|future|evict|eviction|applicant|month|at.?will|expired|vermietet|leer|leerstand|lou[eé]|vacante?|libre|alquilad|ocupad|desocupad|arrendad)/i;

export const isOccupancy = (text: string): boolean => occupancy.test(text.trim());

export const propertyType = vocabulary({
  single_family: [
    'Single Family Home',
    'Single Family Residence',
    'SFR',
    'SFH',
    'House',
    'Home',
    'Detached',
    'Residential',
    'Einfamilienhaus',
    'Maison',
    'Casa',
  ],
  multi_family: [
    'Multifamily Home',
    'Apartment',
    'Apartments',
    'Apartment Building',
    'Apartment Complex',
    'Duplex',
    'Triplex',
    'Fourplex',
    'Quadplex',
    'MFR',
    'Mehrfamilienhaus',
    'Immeuble',
    'Edificio',
  ],
  condo: ['Condominium', 'Condos', 'Condo Unit', 'Eigentumswohnung', 'Appartement', 'Piso'],
  townhouse: ['Townhome', 'Row House', 'Terraced'],
  commercial: [
    'Office',
    'Retail',
    'Industrial',
    'Shop',
    'Warehouse',
    'Mixed Use',
    'Gewerbe',
    'Local commercial',
  ],
  other: ['Unknown', 'Misc', 'Land', 'Garage', 'Parking', 'Storage', 'Mobile Home'],
});

export const propertyStatus = vocabulary({
  active: ['Yes', 'Current', 'Managed', 'Open', 'Aktiv', 'Actif', 'Activo'],
  archived: ['Inactive', 'Inaktiv', 'Inactif', 'Inactivo', 'Archive', 'Closed', 'Sold', 'Former', 'Hidden'],
});

export const paymentMethod = vocabulary({
  cash: ['Currency', 'Bar', 'Barzahlung', 'Bargeld', 'Espèces', 'Liquide', 'Efectivo'],
  check: [
    'Cheque',
    'Scheck',
    'Chèque',
    'Personal Check',
    'Cashiers Check',
    'Certified Check',
    'Chk',
    'Paper Check',
  ],
  bank_transfer: [
    'ACH',
    'EFT',
    'eCheck',
    'Electronic Check',
    'Wire',
    'Wire Transfer',
    'Bank',
    'Transfer',
    'Direct Debit',
    'Direct Deposit',
    'SEPA',
    'BACS',
    'Standing Order',
    'Zelle',
    'Bank Account',
    'Überweisung',
    'Lastschrift',
    'Dauerauftrag',
    'Virement',
    'Prélèvement',
    'Transferencia',
    'Domiciliación',
  ],
  card: [
    'Credit Card',
    'Debit Card',
    'Credit',
    'Debit',
    'CC',
    'Visa',
    'Mastercard',
    'Amex',
    'American Express',
    'Discover',
    'Karte',
    'Kreditkarte',
    'Carte',
    'Carte bancaire',
    'Tarjeta',
  ],
  online: [
    'Online Payment',
    'Web',
    'Portal',
    'Tenant Portal',
    'Resident Portal',
    'EPay',
    'Electronic',
    'Electronic Payment',
    'PayPal',
    'Venmo',
    'Cash App',
    'Apple Pay',
    'Google Pay',
    'Stripe',
  ],
  other: ['Money Order', 'Misc', 'Unknown', 'Section 8', 'Voucher', 'Subsidy'],
});

export const paymentStatus = vocabulary({
  pending: ['Processing', 'In Process', 'Scheduled', 'Submitted', 'Unpaid', 'Open'],
  paid: [
    'Cleared',
    'Complete',
    'Completed',
    'Received',
    'Posted',
    'Settled',
    'Deposited',
    'Success',
    'Succeeded',
    'Successful',
    'Approved',
    'Paid in full',
  ],
  failed: ['Declined', 'Rejected', 'Error'],
  returned: ['NSF', 'Bounced', 'Reversed', 'Chargeback', 'Charged back', 'Insufficient Funds'],
  refunded: ['Refund'],
  voided: ['Void', 'Cancelled', 'Canceled', 'Deleted'],
});

export const prorationWord = vocabulary({
  actual_days: ['Actual', 'Days of Month', 'Calendar Days', 'Daily'],
  thirty_days: ['30 Days', '30', '30 Day Month', 'Thirty', 'Banker', '30/360'],
  none: ['No', 'Never', 'Off', 'Full Month', 'Whole Month'],
});

export const chargeKind = vocabulary({
  rent: ['Rent Charge', 'Monthly Rent', 'Base Rent', 'Rent Income', 'Rental Income', 'Prorated Rent'],
  deposit: ['Security Deposit', 'Security Deposits', 'Deposits', 'Bond', 'Damage Deposit'],
  late_fee: ['Late Fees', 'Late Charge', 'Late Charges', 'Late'],
  returned_payment: ['NSF', 'NSF Fee', 'NSF Fees', 'Returned Check', 'Returned Check Fee', 'Bounced Check'],
  utility: [
    'Utilities',
    'Utility Fee',
    'Water',
    'Sewer',
    'Gas',
    'Electric',
    'Electricity',
    'Trash',
    'Heating',
  ],
  parking: ['Parking Fee', 'Parking Fees', 'Parking Rent', 'Garage', 'Carport'],
  pet: ['Pets', 'Pet Fee', 'Pet Fees', 'Pet Rent'],
  repair: ['Repairs', 'Damage', 'Damages', 'Maintenance', 'Cleaning', 'Cleaning Fee'],
  fee: ['Fees', 'Application Fee', 'Admin Fee', 'Administration Fee', 'Move-in Fee', 'Key Fee', 'Legal Fee'],
  other: ['Misc', 'Miscellaneous', 'Storage', 'Laundry', 'Insurance'],
});

export const creditReason = vocabulary({
  concession: ['Concessions', 'Rent Concession', 'Discount', 'Promotion', 'Rebate', 'Goodwill', 'Free Rent'],
  write_off: ['Written Off', 'Bad Debt', 'Uncollectible'],
  adjustment: ['Correction', 'Credit', 'Adjusted', 'Credit Memo', 'Other', 'Misc'],
  deposit: ['Deposit Applied', 'Security Deposit', 'Apply Deposit', 'Deposit Applied to Balance'],
});

export const maintenanceStatus = vocabulary({
  open: [
    'New',
    'Submitted',
    'Unassigned',
    'Received',
    'Requested',
    'Offen',
    'Neu',
    'Ouvert',
    'Abierto',
    'Nuevo',
  ],
  scheduled: ['Assigned', 'Geplant', 'Planifié', 'Programado'],
  in_progress: ['In Process', 'Started', 'Working', 'In Arbeit', 'En cours', 'En progreso', 'En curso'],
  on_hold: [
    'Waiting',
    'Deferred',
    'Hold',
    'Pending',
    'Estimate Requested',
    'Estimated',
    'Wartet',
    'En attente',
    'En espera',
  ],
  completed: [
    'Complete',
    'Done',
    'Work Done',
    'Work Completed',
    'Closed',
    'Resolved',
    'Ready to Bill',
    'Completed No Need To Bill',
    'Finished',
    'Erledigt',
    'Abgeschlossen',
    'Terminé',
    'Completado',
    'Cerrado',
  ],
  cancelled: ['Canceled', 'Void', 'Rejected', 'Declined', 'Storniert', 'Annulé', 'Cancelado'],
});

export const maintenancePriority = vocabulary({
  low: ['Minor', 'Niedrig', 'Basse', 'Baja'],
  medium: ['Normal', 'Standard', 'Regular', 'Routine', 'Mittel', 'Moyenne', 'Media'],
  high: ['Urgent', 'Major', 'ASAP', 'Hoch', 'Dringend', 'Haute', 'Alta', 'Urgente'],
  emergency: ['Critical', 'Immediate', 'Notfall', 'Urgence', 'Emergencia'],
});

export const maintenanceCategory = vocabulary({
  plumbing: ['Plumber', 'Water', 'Sanitär', 'Plomberie', 'Plomería', 'Fontanería'],
  electrical: ['Electric', 'Electricity', 'Elektrik', 'Électricité', 'Electricidad'],
  hvac: [
    'Heating',
    'Cooling',
    'Air Conditioning',
    'AC',
    'Heat',
    'Heizung',
    'Chauffage',
    'Calefacción',
    'Heating/Cooling',
  ],
  appliance: ['Appliances', 'Appliance Repair', 'Geräte', 'Électroménager', 'Electrodomésticos'],
  structural: [
    'Structure',
    'Roof',
    'Roofing',
    'Gutters',
    'Carpentry',
    'Windows',
    'Doors',
    'Locks',
    'Walls',
    'Drywall',
    'Painting',
    'Flooring',
    'Foundation',
    'Dach',
  ],
  pest: ['Pest Control', 'Pests', 'Schädlinge', 'Nuisibles', 'Plagas'],
  other: [
    'General',
    'General Maintenance',
    'Misc',
    'Miscellaneous',
    'Unknown',
    'Cleaning',
    'Landscaping',
    'Grounds',
    'Exterior',
    'Interior',
    'Inspection',
    'Turnover',
    'Unit Turn',
    'Safety',
    'Sonstiges',
    'Autre',
    'Otro',
  ],
});

const yes = new Set(['true', 'yes', 'y', '1', 'x', 'on', 't', 'offline']);
const no = new Set(['false', 'no', 'n', '0', 'off', 'f', 'online', 'active']);

/** Null if the word means neither. */
export function readYesNo(text: string): boolean | null {
  const word = plainWord(text);
  if (yes.has(word)) return true;
  return no.has(word) ? false : null;
}

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const countries = new Map(
  letters
    .flatMap((first) => letters.map((second) => first + second))
    .flatMap((code) => {
      const name = names.of(code);
      return name ? [[plainWord(name), code] as const, [code.toLowerCase(), code] as const] : [];
    }),
);
for (const [name, code] of Object.entries({
  usa: 'US',
  america: 'US',
  unitedstatesofamerica: 'US',
  uk: 'GB',
  england: 'GB',
  scotland: 'GB',
  greatbritain: 'GB',
  deutschland: 'DE',
  holland: 'NL',
}))
  countries.set(name, code);

/** The ISO 3166 code for a country's English name; a code stays as it is. */
export const countryCode = (text: string): string => countries.get(plainWord(text)) ?? text;
