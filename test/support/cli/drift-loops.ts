// Loops whose instances somebody changes in Omni, and what `almanac drift --write` makes of them.

import { expect } from 'vitest';
import { makeAjv } from '../../../scripts/schemas/compile-validators.ts';
import type { StoredSchedule } from '../../../src/emulator/store.ts';
import { publishedSchemas } from '../../../src/published-schemas.ts';
import type { Declared, Fields } from '../world.ts';
import { stage } from './drift-stage.ts';

export const rest = `    identifier: 12db1a0a
    format: pdf
    destinationType: email
    subject: Hello
`;

export const renamed = (name: string) => (fields: Fields) => {
  fields['name'] = name;
};
export const zoned = (timezone: string) => (fields: Fields) => {
  fields['timezone'] = timezone;
};

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

export async function edited(
  files: Declared,
  changes: Readonly<Record<string, (fields: Fields, schedule: StoredSchedule) => void>>,
  more = '',
  argv: readonly string[] = [],
) {
  const staged = await stage(files, more);
  await staged.apply(...argv);
  for (const [name, change] of Object.entries(changes)) staged.change(name, change);
  const { code, document } = await staged.write(...argv);
  expect(makeAjv().validate(publishedSchemas['plan'] ?? {}, document)).toBe(true);
  if (code === 0) await staged.expectQuiet(...argv);
  const { written = [], notWritten = [] } = document;
  return { code, written, notWritten, read: staged.workspace.read };
}

export const all = 'schedules/all.yaml';
