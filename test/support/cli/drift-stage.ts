// What somebody changed in Omni, what `almanac drift --write` makes of it in which file, and what it names instead.

import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeAjv } from '../../../scripts/schemas/compile-validators.ts';
import type { StoredSchedule } from '../../../src/emulator/store.ts';
import { publishedSchemas } from '../../../src/published-schemas.ts';
import { start } from '../workspace.ts';
import { type Fields, openWorld } from '../world.ts';

export type Change = (fields: Fields, schedule: StoredSchedule) => unknown;
type Files = Readonly<Record<string, string>>;
/** Each text that is replaced, and what stands there instead. */
type Edits = readonly (readonly [before: string, after: string])[];

export interface Writing {
  /** By path; a text is schedules/all.yaml. */
  readonly files: string | Files;
  /** More of almanac.yaml. */
  readonly config?: string;
  readonly environment?: string;
  /** By the name of the schedule in Omni; undefined for one that is deleted there. */
  readonly changes: Readonly<Record<string, Change | readonly Change[] | undefined>>;
  /** Files as they are written after the apply. */
  readonly since?: Files;
  readonly isReadOnly?: true;
  /** In schedules/all.yaml, or by path; every other byte stays. */
  readonly edits?: Edits | Readonly<Record<string, Edits>>;
  /** What is written, such as `schedules.a/schedule schedules/all.yaml:13`. */
  readonly written?: readonly string[];
  /** What is not, such as `schedules.a/name partly-reference`; then the exit code is 2. */
  readonly refused?: readonly string[];
  /** What the first refusal, or each, says. */
  readonly because?: RegExp;
}

export const all = 'schedules/all.yaml';

/** By title. */
export function testWritings(writings: Readonly<Record<string, Writing>>): void {
  it.each(Object.entries(writings))('%s', async (_, writing) => {
    const { config = '', environment, changes, since = {}, edits = [], refused = [], because } = writing;
    const files = typeof writing.files === 'string' ? { [all]: writing.files } : writing.files;
    const argv = environment === undefined ? [] : ['--env', environment];
    const world = await openWorld(files, { config });
    await world.apply(...argv);
    for (const [name, change] of Object.entries(changes)) {
      if (change === undefined) world.emulator.edit((data) => data.schedules.splice(indexOf(data.schedules, name), 1));
      for (const each of [change ?? []].flat()) world.change(name, each);
    }
    world.write(since);
    if (writing.isReadOnly) chmodSync(join(world.path, all), 0o444);
    const paths = [...Object.keys({ ...files, ...since }), 'almanac.yaml'];
    const before = Object.fromEntries(paths.map((path) => [path, world.read(path)]));

    const { code, document } = await world.drift('--deep', '--write', ...argv);
    expect(makeAjv().validate(publishedSchemas['plan'] ?? {}, document)).toBe(true);
    const { written = [], notWritten = [] } = document;
    expect(notWritten.map(({ address, path, reason }) => `${address}${path} ${reason}`)).toEqual(refused);
    expect(code).toBe(refused.length === 0 ? 0 : 2);
    if (because !== undefined) for (const { message } of notWritten) expect(message).toMatch(because);
    const of = Array.isArray(edits) ? { [all]: edits as Edits } : (edits as Readonly<Record<string, Edits>>);
    const expected = Object.entries(before).map(([path, text]) => [path, edited(text, of[path] ?? [])]);
    expect(Object.fromEntries(paths.map((path) => [path, world.read(path)]))).toEqual(Object.fromEntries(expected));
    if (writing.written !== undefined)
      expect(written.map(({ address, path, file, line }) => `${address}${path} ${file}:${line}`)).toEqual(
        writing.written,
      );
    if (code === 0) await world.expectQuiet(...argv);
  });
}

const indexOf = (schedules: readonly StoredSchedule[], name: string) =>
  schedules.findIndex(({ fields }) => fields['name'] === name);

function edited(text: string, edits: Edits): string {
  return edits.reduce((left, [before, after]) => {
    expect(left).toContain(before);
    return left.replace(before, () => after);
  }, text);
}

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

export const rest = `    identifier: 12db1a0a
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
