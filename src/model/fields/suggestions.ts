// Frequent answers, with their meanings, for fields that take any text. Editors offer them; others are allowed.

/** The hours that each zone is ahead of UTC, in winter and, where that differs, in summer. */
const zoneClocks = {
  UTC: '+0',
  'Africa/Johannesburg': '+2',
  'Africa/Lagos': '+1',
  'Africa/Nairobi': '+3',
  'America/Anchorage': '-9 -8',
  'America/Argentina/Buenos_Aires': '-3',
  'America/Bogota': '-5',
  'America/Chicago': '-6 -5',
  'America/Denver': '-7 -6',
  'America/Halifax': '-4 -3',
  'America/Los_Angeles': '-8 -7',
  'America/Mexico_City': '-6',
  'America/New_York': '-5 -4',
  'America/Phoenix': '-7',
  'America/Sao_Paulo': '-3',
  'America/Toronto': '-5 -4',
  'Asia/Bangkok': '+7',
  'Asia/Dubai': '+4',
  'Asia/Hong_Kong': '+8',
  'Asia/Jakarta': '+7',
  'Asia/Jerusalem': '+2 +3',
  'Asia/Karachi': '+5',
  'Asia/Kolkata': '+5:30',
  'Asia/Manila': '+8',
  'Asia/Riyadh': '+3',
  'Asia/Seoul': '+9',
  'Asia/Shanghai': '+8',
  'Asia/Singapore': '+8',
  'Asia/Tokyo': '+9',
  'Australia/Brisbane': '+10',
  'Australia/Perth': '+8',
  'Australia/Sydney': '+10 +11',
  'Europe/Amsterdam': '+1 +2',
  'Europe/Athens': '+2 +3',
  'Europe/Berlin': '+1 +2',
  'Europe/Dublin': '+0 +1',
  'Europe/Helsinki': '+2 +3',
  'Europe/Istanbul': '+3',
  'Europe/Lisbon': '+0 +1',
  'Europe/London': '+0 +1',
  'Europe/Madrid': '+1 +2',
  'Europe/Paris': '+1 +2',
  'Europe/Rome': '+1 +2',
  'Europe/Stockholm': '+1 +2',
  'Europe/Vienna': '+1 +2',
  'Europe/Warsaw': '+1 +2',
  'Europe/Zurich': '+1 +2',
  'Pacific/Auckland': '+12 +13',
  'Pacific/Honolulu': '-10',
} as const;

export const suggestedZones: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(zoneClocks).map(([name, clocks]) => {
    const [winter, summer] = clocks.split(' ');
    return [name, summer === undefined ? `UTC${winter} all year` : `UTC${winter}, in summer UTC${summer}`];
  }),
);

/** Cron expressions with their meanings. None begins with `*`, which YAML would read as an alias. */
export const suggestedCrons: Readonly<Record<string, string>> = {
  '0 9 ? * MON *': 'every Monday at nine',
  '0 9 ? * MON-FRI *': 'Monday to Friday at nine',
  '0 6 * * ? *': 'every day at six',
  '0 8-18 ? * MON-FRI *': 'every hour from eight to eighteen, Monday to Friday',
  '0 8 1 * ? *': 'the first day of each month at eight',
  '0 8 ? * MON#1 *': 'the first Monday of each month at eight',
  '30 6 L * ? *': 'the last day of each month at half past six',
  '0 8 1 1,4,7,10 ? *': 'the first day of each quarter at eight',
};
