/** What the invented town is made of. */

interface DemoProperty {
  name: string;
  type: 'single_family' | 'multi_family' | 'condo' | 'townhouse' | 'commercial';
  address: string;
  units: number;
  built: number;
  /** Rent of a one-bedroom, in cents. */
  rent: number;
}

/** Twelve properties with 150 units in all. */
export const demoProperties: DemoProperty[] = [
  {
    name: 'Maple Court',
    type: 'multi_family',
    address: '18 Maple Street',
    units: 24,
    built: 1987,
    rent: 118_000,
  },
  {
    name: 'Harbor View',
    type: 'multi_family',
    address: '402 Harbor Avenue',
    units: 32,
    built: 2008,
    rent: 152_000,
  },
  {
    name: 'The Foundry Lofts',
    type: 'condo',
    address: '77 Foundry Lane',
    units: 18,
    built: 1924,
    rent: 171_000,
  },
  { name: 'Birch Row', type: 'townhouse', address: '1–12 Birch Row', units: 12, built: 1996, rent: 164_000 },
  {
    name: 'Elmwood Apartments',
    type: 'multi_family',
    address: '250 Elmwood Drive',
    units: 20,
    built: 1974,
    rent: 104_000,
  },
  {
    name: 'Garden Terrace',
    type: 'multi_family',
    address: '9 Garden Terrace',
    units: 16,
    built: 1991,
    rent: 112_000,
  },
  {
    name: 'Station Square',
    type: 'commercial',
    address: '1 Station Square',
    units: 8,
    built: 2015,
    rent: 240_000,
  },
  {
    name: 'Cedar Duplex',
    type: 'multi_family',
    address: '31 Cedar Street',
    units: 2,
    built: 1962,
    rent: 126_000,
  },
  {
    name: 'Mill Race Cottages',
    type: 'townhouse',
    address: '5 Mill Race Road',
    units: 6,
    built: 1951,
    rent: 139_000,
  },
  {
    name: '44 Orchard Lane',
    type: 'single_family',
    address: '44 Orchard Lane',
    units: 1,
    built: 1978,
    rent: 189_000,
  },
  {
    name: '8 Prospect Hill',
    type: 'single_family',
    address: '8 Prospect Hill',
    units: 1,
    built: 2001,
    rent: 214_000,
  },
  {
    name: 'Lindenhof',
    type: 'multi_family',
    address: '112 Linden Boulevard',
    units: 10,
    built: 1969,
    rent: 121_000,
  },
];

export const firstNames = (
  'Ada Amara Ana Andre Aisha Ben Bianca Carlos Chloe Dana Daniel Diego Elena Elif Emma Farah Felix Fatima George Grace ' +
  'Hana Hugo Ines Isaac Ivan Jamal Jana Jonas Julia Kai Karim Keiko Lara Leo Lina Luca Maya Marco Mei Mina Nadia Noah ' +
  'Nora Omar Oscar Paula Priya Quinn Rafael Rosa Ruth Samir Sara Sofia Tara Theo Tomas Uma Vera Victor Wei Yara Yusuf Zoe'
).split(' ');

export const lastNames = (
  'Abbott Adeyemi Ahmed Alvarez Andersen Baker Bauer Bianchi Castillo Chen Cohen Costa Dubois Eriksson Evans Fischer ' +
  'Flores Garcia Gupta Haddad Hansen Hughes Ibrahim Ito Jansen Johnson Kaplan Kim Kowalski Kumar Larsen Lee Lopez Martin ' +
  'Meyer Mbeki Moreau Murphy Nakamura Nguyen Novak Okafor Olsen Ortiz Park Patel Pereira Popov Ramos Reyes Rossi Russo ' +
  'Sato Schmidt Silva Singh Smith Sokolov Tanaka Taylor Torres Usman Vargas Wagner Walker Weber Wong Yilmaz Young Zhang'
).split(' ');

export const repairs = [
  { title: 'Kitchen tap drips', category: 'plumbing', cost: 8_500 },
  { title: 'No hot water', category: 'plumbing', cost: 24_000 },
  { title: 'Toilet keeps running', category: 'plumbing', cost: 11_000 },
  { title: 'Water stain on the ceiling', category: 'structural', cost: 62_000 },
  { title: 'Front door lock sticks', category: 'structural', cost: 9_000 },
  { title: 'Broken window latch', category: 'structural', cost: 7_500 },
  { title: 'Hall light flickers', category: 'electrical', cost: 6_000 },
  { title: 'Socket in the bedroom is dead', category: 'electrical', cost: 13_500 },
  { title: 'Radiator stays cold', category: 'hvac', cost: 18_000 },
  { title: 'Air conditioning is loud', category: 'hvac', cost: 21_000 },
  { title: 'Dishwasher does not drain', category: 'appliance', cost: 14_500 },
  { title: 'Oven door will not close', category: 'appliance', cost: 9_800 },
  { title: 'Ants in the kitchen', category: 'pest', cost: 12_000 },
  { title: 'Repaint the stairwell', category: 'other', cost: 95_000 },
] as const;

export const trades = [
  'Rivera Plumbing',
  'Bright Electric',
  'North Heating & Air',
  'Haus Repairs',
  'In-house team',
];
