// A team that has had 300 schedules for years: it imports them, a person leaves, and others change things in Omni. What
// every screen of that says fits what a person reads.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Emulator } from '../../src/emulator/emulator.ts';
import type { PlanDocument } from '../../src/model/plan/plan.ts';
import { largeOrganization, leaver } from '../support/emulator/large-organization.ts';
import { type Ran, start } from '../support/workspace.ts';
import { openWorld, type World } from '../support/world.ts';

/** Two screens of a terminal. */
const twoScreens = 48;

let emulator: Emulator;
let workspace: World;
const ran = new Map<string, Ran>();

beforeAll(async () => {
  workspace = await openWorld({}, { data: largeOrganization(), isKept: true });
  emulator = workspace.emulator;
  await run('import', 'import');
  await run('validate', 'validate');
  await run('first plan', 'plan');
  setVariables();
  await run('first apply', 'apply', '--auto-approve');
  await run('second plan', 'plan');
  removePerson();
  await run('the leaver is removed', 'plan');
  await run('the leaver is removed, in full', 'plan', '-v');
  await run('the leaver is removed, as a comment', 'plan', '--format', 'markdown');
  await run('the removal is applied', 'apply', '--auto-approve');
  changeInOmni();
  await run('drift', 'drift', '--deep');
  await run('drift is kept', 'drift', '--deep', '--write');
  await run('after keeping', 'plan', '--refresh=deep', '--format', 'json');
  await run('before the fold', 'plan', '--format', 'json');
  await run('fold', 'fold', '--format', 'json');
  await run('after the fold', 'plan', '--format', 'json');
}, 120_000);

afterAll(() => workspace.close());

async function run(name: string, ...argv: readonly string[]): Promise<void> {
  ran.set(name, await workspace.run(...argv));
}

function said(name: string): Ran & { readonly lines: number } {
  const result = ran.get(name);
  if (result === undefined) throw new Error(`nothing ran as ${name}`);
  return { ...result, lines: `${result.stdout}${result.stderr}`.split('\n').length - 1 };
}

function sources(): readonly string[] {
  const folder = join(workspace.path, 'schedules');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => join(folder, file));
}

interface ImportedSchedule {
  readonly identifier: string;
  readonly name: string;
  readonly url?: string;
}

/** A person sets what the import asks for: a made-up password, and of each hook what Omni shows. */
function setVariables(): void {
  const hooks = largeOrganization().schedules.flatMap(({ fields }) => (fields['url'] === undefined ? [] : [fields]));
  for (const file of sources()) {
    const text = readFileSync(file, 'utf8');
    for (const [, name = ''] of text.matchAll(reference)) workspace.environment[name] = `the-value-of-${name}`;
    const { schedules } = parse(text) as { readonly schedules: Readonly<Record<string, ImportedSchedule>> };
    for (const { identifier, name, url = '' } of Object.values(schedules)) {
      const [before = '', variable] = url.split(reference);
      const shown = hooks.find((hook) => hook['identifier'] === identifier && hook['name'] === name)?.['url'];
      if (variable !== undefined) workspace.environment[variable] = String(shown).slice(before.length);
    }
  }
}

const reference = /\$\{env\.([A-Z0-9_]+)\}/g;

/** As people do it with an editor, in either style of a list. */
function removePerson(): void {
  for (const file of sources()) {
    const text = readFileSync(file, 'utf8');
    const without = text
      .replaceAll(`${leaver}, `, '')
      .replaceAll(`, ${leaver}`, '')
      .replaceAll(new RegExp(`^ *- ${leaver.replaceAll('.', '\\.')}\\n`, 'gm'), '');
    if (without !== text) writeFileSync(file, without);
  }
}

/** Eleven things: three paused, three deleted, two edited, two that gained a recipient, one where one was exchanged. */
function changeInOmni(): void {
  emulator.edit(({ schedules }) => {
    const mailed = schedules.filter(({ fields }) => Array.isArray(fields['recipients']) && fields['subject']);
    const [a, b, c, d, e, f, g, h, i, j, k] = mailed.filter(({ disabledAt }) => disabledAt === undefined);
    for (const paused of [a, b, c]) if (paused) paused.disabledAt = new Date(start).toISOString();
    const gone = new Set([d?.id, e?.id, f?.id]);
    schedules.splice(0, schedules.length, ...schedules.filter(({ id }) => !gone.has(id)));
    if (g) g.fields = { ...g.fields, schedule: '45 10 ? * TUE *' };
    if (h) h.fields = { ...h.fields, name: 'Renamed in Omni: "the numbers"' };
    for (const grown of [i, j])
      if (grown) grown.fields = { ...grown.fields, recipients: [...recipientsOf(grown.fields), 'new@example.com'] };
    if (k) k.fields = { ...k.fields, recipients: [...recipientsOf(k.fields).slice(1), 'spy@evil.example'] };
  });
}

function recipientsOf(fields: Readonly<Record<string, unknown>>): string[] {
  const { recipients } = fields;
  return Array.isArray(recipients) ? recipients.map(String) : [];
}

describe('three hundred schedules', () => {
  it('the first plan of 300 adoptions fits two screens, warnings included', () => {
    const { code, lines, stdout } = said('first plan');
    expect(code).toBe(0);
    expect(stdout).toContain('300 to adopt');
    expect(lines).toBeLessThanOrEqual(twoScreens);
  });

  it('a plan without changes says little about the findings of files that nobody touched', () => {
    const { code, lines, stdout } = said('second plan');
    expect(code).toBe(0);
    expect(stdout).toContain('No changes.');
    expect(lines).toBeLessThanOrEqual(6);
  });

  it('the first apply adopts everything and lists no schedule for itself', () => {
    expect(said('first apply').code).toBe(0);
    expect(said('first apply').lines).toBeLessThanOrEqual(2 * twoScreens);
  });

  it('a person who is removed from 90 schedules is one entry of the plan', () => {
    const { stdout, lines } = said('the leaver is removed');
    expect(stdout).toContain('90 schedules');
    expect(stdout).toContain(leaver);
    expect(lines).toBeLessThanOrEqual(2 * twoScreens);
    expect(said('the leaver is removed, in full').stdout.match(/schedules\/.*\.yaml:\d+/g)?.length).toBe(90);
  });

  it('the comment on the pull request says it once, with the names behind a fold', () => {
    const { stdout } = said('the leaver is removed, as a comment');
    expect(stdout).toContain('<details>');
    const visible = stdout.replace(/<details>[\s\S]*?<\/details>/g, '');
    expect(visible.split('\n').length).toBeLessThanOrEqual(twoScreens);
  });

  it('drift finds all eleven changes, the exchanged recipient included', () => {
    const { code, stdout } = said('drift');
    expect(code).toBe(2);
    expect(stdout).toContain('spy@evil.example');
    expect(stdout).toContain('11 resources');
  });

  it('what others changed is written into the files, and then only what is gone is left', () => {
    expect(said('drift is kept').code).toBe(2);
    const { changes } = JSON.parse(said('after keeping').stdout) as PlanDocument;
    const sent = changes.filter(({ requests }) => requests > 0);
    expect(sent.map(({ action, reason }) => `${action}, ${reason}`)).toEqual(Array(3).fill('create, missing'));
  });
});
