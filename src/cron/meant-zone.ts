// What people write where a name of the IANA database is needed, and the zone that they most likely mean.

/** Large cities that the database does not name. */
const cities: Readonly<Record<string, readonly string[]>> = {
  'America/Chicago': ['austin', 'dallas', 'houston', 'minneapolis', 'st_louis'],
  'America/Los_Angeles': ['las_vegas', 'portland', 'san_diego', 'san_francisco', 'san_jose', 'seattle'],
  'America/New_York': ['atlanta', 'boston', 'charlotte', 'miami', 'philadelphia', 'washington', 'washington_dc'],
  'America/Sao_Paulo': ['brasilia', 'rio', 'rio_de_janeiro'],
  'America/Toronto': ['ottawa', 'quebec'],
  'Asia/Kolkata': ['bangalore', 'bengaluru', 'chennai', 'delhi', 'hyderabad', 'mumbai', 'new_delhi', 'pune'],
  'Asia/Dubai': ['abu_dhabi'],
  'Asia/Ho_Chi_Minh': ['hanoi'],
  'Asia/Jerusalem': ['haifa'],
  'Asia/Shanghai': ['beijing', 'guangzhou', 'peking', 'shenzhen'],
  'Asia/Tokyo': ['kyoto', 'osaka'],
  'Australia/Sydney': ['canberra'],
  'Europe/Amsterdam': ['rotterdam', 'the_hague', 'utrecht'],
  'Europe/Berlin': ['cologne', 'dresden', 'dusseldorf', 'frankfurt', 'hamburg', 'leipzig', 'munich', 'stuttgart'],
  'Europe/Brussels': ['antwerp', 'ghent'],
  'Europe/London': ['birmingham', 'bristol', 'cardiff', 'edinburgh', 'glasgow', 'leeds', 'liverpool', 'manchester'],
  'Europe/Madrid': ['barcelona', 'seville', 'valencia'],
  'Europe/Paris': ['bordeaux', 'lille', 'lyon', 'marseille', 'nice', 'toulouse'],
  'Europe/Rome': ['florence', 'milan', 'naples', 'turin'],
  'Europe/Stockholm': ['gothenburg', 'malmo'],
  'Europe/Vienna': ['graz', 'salzburg'],
  'Europe/Warsaw': ['cracow', 'gdansk', 'krakow', 'wroclaw'],
  'Europe/Zurich': ['basel', 'bern', 'geneva', 'lausanne'],
};

const zones = new Map(Object.entries(cities).flatMap(([zone, names]) => names.map((name) => [name, zone] as const)));

/** By its name in lower case, with `_` between words. */
export function zoneOfCity(city: string): string | undefined {
  return zones.get(city);
}

/** The zone of a large place with this offset from UTC, in winter. */
const places: Readonly<Record<string, string>> = {
  '-10': 'Pacific/Honolulu',
  '-9': 'America/Anchorage',
  '-8': 'America/Los_Angeles',
  '-7': 'America/Denver',
  '-6': 'America/Chicago',
  '-5': 'America/New_York',
  '-4': 'America/Halifax',
  '-3': 'America/Sao_Paulo',
  '+0': 'Europe/London',
  '+1': 'Europe/Berlin',
  '+2': 'Europe/Athens',
  '+3': 'Europe/Istanbul',
  '+4': 'Asia/Dubai',
  '+5': 'Asia/Karachi',
  '+5:30': 'Asia/Kolkata',
  '+6': 'Asia/Dhaka',
  '+7': 'Asia/Bangkok',
  '+8': 'Asia/Singapore',
  '+9': 'Asia/Tokyo',
  '+10': 'Australia/Sydney',
  '+12': 'Pacific/Auckland',
};

/** For `GMT+1`, `UTC-05:00` and `+0530`. */
export function zoneOfOffset(name: string): string | undefined {
  const [, sign = '+', hours = '', minutes = '00'] = /([+-])(\d{1,2}):?(\d\d)?/.exec(name) ?? [];
  return places[`${sign}${Number(hours)}${minutes === '00' ? '' : `:${minutes}`}`];
}

const abbreviations = new Map(
  Object.entries({
    PT: 'America/Los_Angeles',
    PST: 'America/Los_Angeles',
    PDT: 'America/Los_Angeles',
    MT: 'America/Denver',
    MDT: 'America/Denver',
    CT: 'America/Chicago',
    CST: 'America/Chicago',
    CDT: 'America/Chicago',
    ET: 'America/New_York',
    EDT: 'America/New_York',
    BST: 'Europe/London',
    CEST: 'Europe/Berlin',
    EEST: 'Europe/Athens',
    IST: 'Asia/Kolkata',
    JST: 'Asia/Tokyo',
    AEST: 'Australia/Sydney',
    NZST: 'Pacific/Auckland',
    Z: 'UTC',
  }),
);

/** For `PST`, in any case. */
export function zoneOfAbbreviation(name: string): string | undefined {
  return abbreviations.get(name.toUpperCase());
}
