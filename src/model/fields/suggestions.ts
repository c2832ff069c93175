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

// The regions of AWS, and where they are: data.

/** The AWS regions of all partitions, as the AWS SDKs list them (botocore 1.43, partitions.json). */
export const awsRegions: Readonly<Record<string, string>> = {
  // aws
  'af-south-1': 'Cape Town',
  'ap-east-1': 'Hong Kong',
  'ap-east-2': 'Taipei',
  'ap-northeast-1': 'Tokyo',
  'ap-northeast-2': 'Seoul',
  'ap-northeast-3': 'Osaka',
  'ap-south-1': 'Mumbai',
  'ap-south-2': 'Hyderabad',
  'ap-southeast-1': 'Singapore',
  'ap-southeast-2': 'Sydney',
  'ap-southeast-3': 'Jakarta',
  'ap-southeast-4': 'Melbourne',
  'ap-southeast-5': 'Malaysia',
  'ap-southeast-6': 'New Zealand',
  'ap-southeast-7': 'Thailand',
  'ca-central-1': 'Canada, central',
  'ca-west-1': 'Calgary',
  'eu-central-1': 'Frankfurt',
  'eu-central-2': 'Zurich',
  'eu-north-1': 'Stockholm',
  'eu-south-1': 'Milan',
  'eu-south-2': 'Spain',
  'eu-west-1': 'Ireland',
  'eu-west-2': 'London',
  'eu-west-3': 'Paris',
  'il-central-1': 'Tel Aviv',
  'me-central-1': 'United Arab Emirates',
  'me-south-1': 'Bahrain',
  'mx-central-1': 'Mexico, central',
  'sa-east-1': 'São Paulo',
  'us-east-1': 'Northern Virginia',
  'us-east-2': 'Ohio',
  'us-west-1': 'Northern California',
  'us-west-2': 'Oregon',
  // aws-cn
  'cn-north-1': 'Beijing',
  'cn-northwest-1': 'Ningxia',
  // aws-eusc
  'eusc-de-east-1': 'Germany, European Sovereign Cloud',
  // aws-us-gov
  'us-gov-east-1': 'GovCloud, US-East',
  'us-gov-west-1': 'GovCloud, US-West',
  // aws-iso, aws-iso-b, aws-iso-e, aws-iso-f
  'us-iso-east-1': 'closed to the public',
  'us-iso-west-1': 'closed to the public',
  'us-isob-east-1': 'closed to the public',
  'us-isob-west-1': 'closed to the public',
  'eu-isoe-west-1': 'closed to the public',
  'us-isof-east-1': 'closed to the public',
  'us-isof-south-1': 'closed to the public',
};
