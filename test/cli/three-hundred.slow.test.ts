// A team that has had 300 schedules for years: it imports them, and a person leaves. What every screen of that says fits
// what a person reads.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { largeOrganization, leaver } from '../support/emulator/large-organization.ts';
import { openWorld, type World } from '../support/world.ts';

/** Two screens of a terminal. */
const twoScreens = 48;
const reference = /\$\{env\.([A-Z0-9_]+)\}/g;

function editSources({ path }: World, edit: (text: string) => string): void {
  const folder = join(path, 'schedules');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.yaml')) continue;
    const text = readFileSync(join(folder, name), 'utf8');
    const edited = edit(text);
    if (edited !== text) writeFileSync(join(folder, name), edited);
  }
}

interface ImportedSchedule {
  readonly identifier: string;
  readonly name: string;
  readonly url?: string;
}

/** A person sets what the import asks for: a made-up password, and of each hook what Omni shows. */
function setVariables(stage: World): void {
  const hooks = largeOrganization().schedules.flatMap(({ fields }) => (fields['url'] === undefined ? [] : [fields]));
  editSources(stage, (text) => {
    for (const [, name = ''] of text.matchAll(reference)) stage.environment[name] = `the-value-of-${name}`;
    const { schedules } = parse(text) as { readonly schedules: Readonly<Record<string, ImportedSchedule>> };
    for (const { identifier, name, url = '' } of Object.values(schedules)) {
      const [before = '', variable] = url.split(reference);
      const shown = hooks.find((hook) => hook['identifier'] === identifier && hook['name'] === name)?.['url'];
      if (variable !== undefined) stage.environment[variable] = String(shown).slice(before.length);
    }
    return text;
  });
}

/** As people do it with an editor, in either style of a list. */
const withoutLeaver = (text: string) =>
  text
    .replaceAll(`${leaver}, `, '')
    .replaceAll(`, ${leaver}`, '')
    .replaceAll(new RegExp(`^ *- ${leaver.replaceAll('.', '\\.')}\\n`, 'gm'), '');

it('each screen of an import of 300 schedules, and of one person who is removed from 90, can be read', async () => {
  const stage = await openWorld({}, { data: largeOrganization() });
  const said = async (...argv: readonly string[]) => {
    const { code, stdout, stderr } = await stage.run(...argv);
    expect(code, stderr).toBe(0);
    return { stdout, lines: `${stdout}${stderr}`.split('\n').length - 1 };
  };
  await said('import');
  const adoptions = await said('plan');
  expect(adoptions.stdout).toContain('300 to adopt');
  expect(adoptions.lines).toBeLessThanOrEqual(twoScreens);
  setVariables(stage);
  // A line for each of the 300 adoptions, which scroll by.
  expect((await said('apply', '--auto-approve')).lines).toBeLessThanOrEqual(300 + 2 * twoScreens);
  const nothing = await said('plan');
  expect(nothing.stdout).toContain('No changes.');
  expect(nothing.lines).toBeLessThanOrEqual(10);

  editSources(stage, withoutLeaver);
  const removed = await said('plan');
  for (const words of ['90 to update', leaver]) expect(removed.stdout).toContain(words);
  expect(removed.lines).toBeLessThanOrEqual(2 * twoScreens + 8);
  expect((await said('plan', '-v')).stdout.match(/schedules\/.*\.yaml:\d+/g)).toHaveLength(90);
  const { stdout: comment } = await said('plan', '--format', 'markdown');
  expect(comment).toContain('<details>');
  const visible = comment.replace(/<details>[\s\S]*?<\/details>/g, '');
  expect(visible.split('\n').length).toBeLessThanOrEqual(twoScreens);
}, 120_000);
