// `almanac state list` and `state show` with a state of many resources, at a terminal and in a pipe.

import { expect, it } from 'vitest';
import type { Output, Outside } from '../../src/commands/base/world.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { schedule, stateOf } from '../support/plan/planning.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const id = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
const many = Object.fromEntries(
  Array.from({ length: 300 }, (_, index) => {
    const name = `Weekly report ${index}`;
    const attributes: JsonObject =
      index % 3 === 0 ? { name, identifier: 'aaaa1111' } : { name, recipients: ['Kim@example.com'] };
    return [`schedules.weekly-${index}`, { id: id(index), attributes: schedule(attributes) }] as const;
  }),
);
const state = stateOf({ ...many, 'dashboards.sales': { attributes: { identifier: 'aaaa1111', filters: {} } } });

const stage = () => makeFolder({ 'almanac.state.json': JSON.stringify(state), 'almanac.yaml': {} });
const inPipe = (...argv: readonly string[]) => workspaceIn(stage(), {}).run(...argv);

/** What a terminal of this width shows: stdout and stderr. */
async function onTerminal(width: number, ...argv: readonly string[]) {
  let [stdout, stderr] = ['', ''];
  const out: Output = { write: (text) => (stdout += text), isTerminal: true, width };
  const err: Output = { write: (text) => (stderr += text), isTerminal: true, width };
  const extra: Partial<Outside> = { stdout: out, stderr: err };
  await workspaceIn(stage(), { NO_COLOR: '1' }, extra).run(...argv);
  return { lines: stdout.split('\n').slice(0, -1), stderr };
}

it('state list prints a line for each resource in a pipe, with the address and the id as the first words', async () => {
  const { stdout, stderr, code } = await inPipe('state', 'list');
  const lines = stdout.split('\n').slice(0, -1);
  expect({ code, stderr, count: lines.length }).toEqual({ code: 0, stderr: '', count: 301 });
  expect(lines[0]?.split(/\s+/).slice(0, 4)).toEqual(['dashboards.sales', '-', 'aaaa1111', '-']);
  const words = lines.find((line) => line.startsWith('schedules.weekly-299 '))?.split(/\s+/) ?? [];
  expect([words[0], words[1], words[3], words.slice(5).join(' ')]).toEqual([
    'schedules.weekly-299',
    id(299),
    'email',
    'Weekly report 299',
  ]);
});

it('state list prints a table at a terminal that is never wider, and counts what it lists', async () => {
  for (const width of [40, 80, 120, 200]) {
    const { lines, stderr } = await onTerminal(width, 'state', 'list');
    expect(lines).toHaveLength(302);
    expect(lines[0]).toMatch(/^ADDRESS +NAME/);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(width);
    expect(lines.every((line) => /^(ADDRESS|dashboards\.sales|schedules\.weekly-\d+) /.test(line))).toBe(true);
    expect(stderr).toBe('1 dashboard, 300 schedules.\n');
  }
});

it('state list leaves out the ids first where they do not fit, and -v shows them', async () => {
  expect((await onTerminal(80, 'state', 'list')).lines[0]).toMatch(/^ADDRESS +NAME +DASHBOARD +SENDS TO +UPDATED$/);
  expect((await onTerminal(160, 'state', 'list')).lines[0]).toMatch(/UPDATED +ID$/);
  expect((await onTerminal(80, 'state', 'list', '-v')).lines.at(-1)).toContain(id(99));
});

it('state list selects by address, and by what was applied', async () => {
  const addresses = async (...argv: readonly string[]) => {
    const { stdout, code } = await inPipe('state', 'list', ...argv);
    expect(code).toBe(0);
    return stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split(' ')[0]);
  };
  expect(await addresses('schedules.weekly-7')).toEqual(['schedules.weekly-7']);
  expect(await addresses('schedules.weekly-7', 'schedules.*-29*')).toHaveLength(1 + 11);
  expect(await addresses('kind:dashboard')).toEqual(['dashboards.sales']);
  expect(await addresses('dashboard:aaaa1111')).toHaveLength(101);
  expect(await addresses('dashboard:aaaa1111', 'kind:schedule')).toHaveLength(100);
  expect(await addresses('to:kim@example.com')).toHaveLength(200);
  expect(await addresses('to:*@EXAMPLE.com', 'schedules.weekly-7')).toEqual(['schedules.weekly-7']);
});

it('state list refuses a selector that nothing in the state has', async () => {
  const said = async (...argv: readonly string[]) => {
    const { stdout, stderr, code } = await inPipe('state', 'list', ...argv);
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
    return stderr.replace(/\s+/g, ' ');
  };
  for (const selector of ['schedules.weekli-8', 'schedules.monthly-*', 'schedules.constructor'])
    expect(await said('schedules.weekly-7', selector)).toContain(`\`${selector}\` is not in the state.`);
  expect(await said('via:s3')).toContain('`via:s3` matches nothing.');
});

it('state list as JSON names what people know a resource by', async () => {
  const { stdout } = await inPipe('state', 'list', 'schedules.weekly-3', 'dashboards.*', '--format', 'json');
  const { formatVersion, resources } = JSON.parse(stdout);
  expect(formatVersion).toBe(1);
  expect(resources).toEqual([
    { address: 'dashboards.sales', kind: 'dashboard', identifier: 'aaaa1111', updatedAt: expect.any(String) },
    {
      address: 'schedules.weekly-3',
      kind: 'schedule',
      id: id(3),
      name: 'Weekly report 3',
      identifier: 'aaaa1111',
      destinationType: 'email',
      updatedAt: expect.any(String),
    },
  ]);
});

it('state show without an address sums up a large state at a terminal, and prints all of it with -v and in a pipe', async () => {
  const { lines } = await onTerminal(80, 'state', 'show');
  expect(lines.length).toBeLessThan(10);
  expect(lines.join(' ')).toContain('`almanac state list` lists them');
  const all = (await onTerminal(80, 'state', 'show', '-v')).lines;
  expect(all.filter((line) => line.startsWith('# schedules.'))).toHaveLength(300);
  expect((await inPipe('state', 'show')).stdout).toBe(`${all.join('\n')}\n`);
});

it('state show prints the selected resources, and as JSON a state that holds only them', async () => {
  const text = (await inPipe('state', 'show', 'schedules.weekly-1', 'schedules.weekly-2')).stdout;
  expect(text.match(/^# schedules\.weekly-\d+$/gm)).toEqual(['# schedules.weekly-1', '# schedules.weekly-2']);
  const shown = JSON.parse((await inPipe('state', 'show', 'schedules.weekly-29*', '--format', 'json')).stdout);
  expect(Object.keys(shown.resources)).toHaveLength(11);
  expect(shown).not.toHaveProperty('salt');
  const one = JSON.parse((await inPipe('state', 'show', 'schedules.weekly-29', '--format', 'json')).stdout);
  expect(one).toMatchObject({ id: id(29), attributes: { name: 'Weekly report 29' } });
});
