// Generates workspaces of any size: schedules for every destination, as a team would write them.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Options {
  readonly baseUrl: string;
  /** Ten unless told, as a team would have them; a divisor of the number of schedules. */
  readonly perFile?: number;
}

/** Writes almanac.yaml and schedules/. */
export async function writeWorkspace(folder: string, count: number, { baseUrl, perFile = 10 }: Options): Promise<void> {
  await mkdir(join(folder, 'schedules'), { recursive: true });
  await writeFile(join(folder, 'almanac.yaml'), `api:\n  baseUrl: ${baseUrl}\n  rateLimit: 0\n`);
  for (let first = 0; first < count; first += perFile) {
    const schedules = Array.from({ length: perFile }, (_, offset) => schedule(first + offset));
    const name = `team-${String(first / perFile).padStart(4, '0')}.yaml`;
    await writeFile(join(folder, 'schedules', name), `schedules:\n${schedules.join('\n')}`);
  }
}

/** Filters of a dashboard in the emulator's demo organization. */
function schedule(index: number): string {
  return `  # Asked for by the team of region ${index % 40}.
  region-report-${index}:
    identifier: 12db1a0a
    name: Region report ${index}
    schedule: ${index % 60} ${index % 24} ? * MON-FRI *
    timezone: ${zones[index % zones.length]}
    format: pdf
    paperFormat: a4
    filterConfig:
      region: { values: [Region ${index % 40}] }
${destinations[index % destinations.length]?.(index)}`;
}

const zones = ['Europe/London', 'America/New_York', 'Asia/Tokyo'];

const destinations = [
  (index: number) => `    destinationType: email
    recipients: [region-${index}@example.com, analytics@example.com]
    subject: Region report ${index}
    textBody: |
      Good morning,
      the numbers of yesterday are attached.
`,
  (index: number) => `    destinationType: slack
    slackRecipientType: channel
    recipients: C${String(index).padStart(10, '0')}
`,
  (index: number) => `    destinationType: webhook
    url: https://hooks.example.com/regions/${index}
`,
];
