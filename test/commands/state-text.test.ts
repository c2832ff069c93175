// `almanac state list` and `state show` at a terminal. There are many resources, and texts that nobody trusts. What
// they print in a pipe: test/transcripts/state.

import { expect, it, test } from 'vitest';
import { renderStateTable, renderWholeState } from '../../src/commands/base/show-state.ts';
import type { Output } from '../../src/commands/base/world.ts';
import { colourTheme, plainTheme } from '../../src/report/text/theme.ts';
import { orphanOf } from '../support/apply/declared.ts';
import { stateOf } from '../support/plan/planning.ts';
import { hostileTexts } from '../support/report/hostile-text.ts';
import { obeyed, stripSgr } from '../support/report/strip-sgr.ts';
import { dashboard, mail } from '../support/vocabulary.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const id = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
const many = Array.from({ length: 300 }, (_, index) => {
  const attributes = mail({ name: `Weekly report ${index}` });
  return [`schedules.weekly-${index}`, { id: id(index), attributes }] as const;
});
const state = stateOf({ ...Object.fromEntries(many), 'dashboards.sales': { attributes: dashboard() } });

const stage = () => makeFolder({ 'almanac.state.json': JSON.stringify(state), 'almanac.yaml': {} });

/** The lines that a terminal of this width shows. */
async function onTerminal(width: number, ...argv: readonly string[]) {
  let shown = '';
  const stdout: Output = { write: (text) => (shown += text), isTerminal: true, width };
  await workspaceIn(stage(), { NO_COLOR: '1' }, { stdout }).run(...argv);
  return shown.split('\n').slice(0, -1);
}

it('state list prints a table at a terminal that is never wider, and counts what it lists', async () => {
  for (const width of [40, 80, 120, 200]) {
    const lines = await onTerminal(width, 'state', 'list');
    const table = lines.slice(0, -2);
    expect(table).toHaveLength(302);
    expect(lines[0]).toMatch(/^ADDRESS +NAME/);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(width);
    expect(table.every((line) => /^(ADDRESS|dashboards\.sales|schedules\.weekly-\d+) /.test(line))).toBe(true);
    expect(lines.slice(-2)).toEqual(['', '1 dashboard, 300 schedules.']);
  }
});

it('state list leaves out the ids first where they do not fit, and -v shows them', async () => {
  expect((await onTerminal(80, 'state', 'list'))[0]).toMatch(/^ADDRESS +NAME +DASHBOARD +SENDS TO +UPDATED$/);
  expect((await onTerminal(160, 'state', 'list'))[0]).toMatch(/UPDATED +ID$/);
  expect((await onTerminal(80, 'state', 'list', '-v')).at(-3)).toContain(id(99));
});

it('state show without an address sums up a large state at a terminal, and prints all of it with -v and in a pipe', async () => {
  const lines = await onTerminal(80, 'state', 'show');
  expect(lines.length).toBeLessThan(10);
  expect(lines.join(' ')).toContain('`almanac state list` lists them');
  const all = await onTerminal(80, 'state', 'show', '-v');
  expect(all.filter((line) => line.startsWith('# schedules.'))).toHaveLength(300);
  expect((await workspaceIn(stage(), {}).run('state', 'show')).stdout).toBe(`${all.join('\n')}\n`);
});

test('the text of a state is the same with and without colour', () => {
  const coloured = renderWholeState(state, { theme: colourTheme, width: 80 });
  expect(coloured).not.toBe(stripSgr(coloured));
  expect(stripSgr(coloured)).toBe(renderWholeState(state));
});

test.each(hostileTexts)('a state cannot control the terminal: %j', (text) => {
  const at = { createdAt: text, updatedAt: text };
  const hostile = { id: text, attributes: { name: text, [text]: text }, outputs: { [text]: text }, ...at };
  const orphans = [{ ...orphanOf(text, mail({ name: text })), address: `schedules.${text}` }];
  const shown = { ...state, baseUrl: text, lineage: text, resources: { [`schedules.${text}`]: hostile }, orphans };
  expect(renderWholeState(shown)).not.toMatch(obeyed);
  const tracked = Object.entries(shown.resources);
  const table = renderStateTable({ theme: plainTheme, width: 80 }, tracked, 1);
  expect(table).not.toMatch(obeyed);
  expect(table.split('\n')).toHaveLength(5);
});
