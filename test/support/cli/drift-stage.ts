// Changes that somebody makes in Omni, and the declarations that `drift --write` edits.

import type { StoredSchedule } from '../../../src/emulator/store.ts';
import { start } from '../workspace.ts';
import type { Fields } from '../world.ts';

export type Change = (fields: Fields, schedule: StoredSchedule) => unknown;
export const all = 'schedules/all.yaml';

export const set =
  (name: string, value: unknown): Change =>
  (fields) =>
    Object.assign(fields, { [name]: value });
export const at = (schedule: string) => set('schedule', schedule);
export const to = (...recipients: readonly string[]) => set('recipients', recipients);
export const renamed = (name: string) => set('name', name);
export const zoned = (timezone: string) => set('timezone', timezone);
export const paused: Change = (_, schedule) => Object.assign(schedule, { disabledAt: new Date(start).toISOString() });
export const resumed: Change = (_, schedule) => delete schedule.disabledAt;

/** A schedule as YAML, below `schedules:`, that has most fields from the defaults of its file. */
export const mail = (key: string, ...lines: readonly string[]) =>
  [`  ${key}:`, `    name: ${key.toUpperCase()}`, '    subject: Hello', ...lines.map((line) => `    ${line}`)].join(
    '\n',
  );
const base = `defaults: # for all of this file
  schedules:
    identifier: 12db1a0a
    schedule: 0 9 ? * MON *
    timezone: Europe/London # where we are
    format: pdf
    destinationType: email
    recipients: [ana@example.com, bo@example.com] # the team
`;
/** These schedules, and lines above `schedules:`. */
export const mails = (schedules: readonly string[], ...above: readonly string[]) =>
  `${base}${above.map((line) => `${line}\n`).join('')}schedules:\n${schedules.join('\n')}\n`;

const rest = `    identifier: 12db1a0a
    format: pdf
    destinationType: email
    subject: Hello
`;
export const maps = `schedules: # all of them
  regional:
    forEach:
      # the first region
      emea: { region: Europe, at: 0 8 ? * MON *, to: [ana@example.com] } # Ana
      amer: { region: America, at: '0 9 ? * MON *', to: [bo@example.com] } # Bo
    name: Sales \${each.region}
    schedule: \${each.at} # by region
    timezone: Europe/London # for all
    recipients: \${each.to}
${rest}`;
