// `almanac drift --write`: what others changed in Omni is written into the source files, at the place where the value comes
// from, and nothing else changes.

import { describe, expect, it } from 'vitest';
import { makeAjv } from '../../scripts/schemas/compile-validators.ts';
import { publishedSchemas } from '../../src/published-schemas.ts';
import { base, mail } from '../support/cli/drift-sources.ts';
import { at, paused, stage, to } from '../support/cli/drift-stage.ts';
import type { Fields } from '../support/world.ts';

describe('the place of a value', () => {
  it('a field of the resource is changed there, and comments and style stay', async () => {
    const text = `${base}schedules:
${mail('a', "schedule: '0 7 ? * TUE *' # early")}
${mail('b')}
`;
    const { workspace, apply, change, write, expectQuiet } = await stage({ 'schedules/all.yaml': text });
    await apply();
    change('A', at('0 6 ? * WED *'));
    const { code, document } = await write();
    expect(code).toBe(0);
    expect(workspace.read('schedules/all.yaml')).toBe(text.replace("'0 7 ? * TUE *'", "'0 6 ? * WED *'"));
    expect(document.written).toEqual([
      { address: 'schedules.a', path: '/schedule', file: 'schedules/all.yaml', line: 13 },
    ]);
    expect(document.notWritten).toEqual([]);
    expect(makeAjv().validate(publishedSchemas['plan'] ?? {}, document)).toBe(true);
    await expectQuiet();
  });

  it('a default is changed if everything that uses it changed alike', async () => {
    const text = `${base}schedules:
${mail('a')}
${mail('b')}
${mail('c', 'timezone: UTC')}
`;
    const { workspace, apply, change, write, expectQuiet } = await stage({ 'schedules/all.yaml': text });
    await apply();
    for (const name of ['A', 'B']) change(name, (fields) => (fields['timezone'] = 'Europe/Paris'));
    const { code, document } = await write();
    expect(code).toBe(0);
    expect(workspace.read('schedules/all.yaml')).toBe(text.replace('Europe/London', 'Europe/Paris'));
    expect(document.written?.map(({ address, line }) => [address, line])).toEqual([
      ['schedules.a', 5],
      ['schedules.b', 5],
    ]);
    await expectQuiet();
  });

  it('a default stays if one of those that use it did not change, and the value is written at the resource', async () => {
    const text = `${base}schedules:
${mail('a')}
${mail('b')}
`;
    const { workspace, apply, change, write, expectQuiet } = await stage({ 'schedules/all.yaml': text });
    await apply();
    change('A', (fields) => (fields['timezone'] = 'Europe/Paris'));
    change('B', at('0 6 ? * WED *'));
    expect((await write()).code).toBe(0);
    const written = workspace.read('schedules/all.yaml');
    expect(written).toContain('timezone: Europe/London # where we are');
    expect(written).toMatch(/ {2}a:\n(?: {4}.*\n)*? {4}timezone: Europe\/Paris\n/);
    expect(written).toMatch(/ {2}b:\n(?: {4}.*\n)*? {4}schedule: 0 6 \? \* WED \*\n/);
    await expectQuiet();
  });

  it('only the recipients that came and went are edited, and references and comments beside them stay', async () => {
    const text = `${base}schedules:
  a:
    name: A
    subject: Hello
    recipients:
      - ana@example.com # the boss
      - \${var.bo}
      - cy@example.com # left
`;
    const { workspace, apply, change, write, expectQuiet } = await stage(
      { 'schedules/all.yaml': text },
      'variables: { bo: bo@example.com }\n',
    );
    await apply();
    change('A', to('ana@example.com', 'bo@example.com', 'di@example.com'));
    expect((await write()).code).toBe(0);
    expect(workspace.read('schedules/all.yaml')).toBe(
      text.replace('      - cy@example.com # left\n', '      - di@example.com\n'),
    );
    await expectQuiet();
  });

  it('an audience is changed if every schedule that uses it changed alike', async () => {
    const lists = 'audiences:\n  team: # of sales\n    emails: [ana@example.com, bo@example.com] # all of us\n';
    const text = `${base}schedules:
${mail('a', 'recipients: ${audience.team}')}
${mail('b', 'recipients: ${audience.team}')}
`;
    const { workspace, apply, change, write, expectQuiet } = await stage({
      'schedules/all.yaml': text,
      'schedules/lists.yaml': lists,
    });
    await apply();
    for (const name of ['A', 'B']) change(name, to('ana@example.com', 'cy@example.com'));
    expect((await write()).code).toBe(0);
    expect(workspace.read('schedules/all.yaml')).toBe(text);
    expect(workspace.read('schedules/lists.yaml')).toBe(lists.replace('bo@example.com', 'cy@example.com'));
    await expectQuiet();
    await apply('--refresh=deep');
    change('B', to('ana@example.com'));
    expect((await write()).code).toBe(0);
    expect(workspace.read('schedules/lists.yaml')).toContain('[ana@example.com, cy@example.com] # all of us');
    expect(workspace.read('schedules/all.yaml')).toMatch(/ {2}b:\n(?: {4}.*\n)*? {4}recipients: \[ana@example.com\]\n/);
    await expectQuiet();
  });

  it('of a list that takes in another one, only the items that are written there are edited', async () => {
    const lists = 'audiences: { team: { emails: [ana@example.com, bo@example.com] } }\n';
    const text = `${base}schedules:
${mail('a', 'recipients: [cy@example.com, "${audience.team}", di@example.com]')}
${mail('b', 'recipients: ["${audience.team}", ana@example.com, cy@example.com]')}
`;
    const { workspace, apply, change, write, expectQuiet } = await stage({
      'schedules/all.yaml': text,
      'schedules/lists.yaml': lists,
    });
    await apply();
    change('A', to('ana@example.com', 'bo@example.com', 'di@example.com', 'eve@example.com'));
    expect((await write()).code).toBe(0);
    expect(workspace.read('schedules/all.yaml')).toBe(
      text.replace(
        '[cy@example.com, "${audience.team}", di@example.com]',
        '["${audience.team}", di@example.com, eve@example.com]',
      ),
    );
    await expectQuiet();
    change('B', to('bo@example.com', 'cy@example.com'));
    const { code, document } = await write();
    expect([code, document.notWritten?.map(({ reason }) => reason)]).toEqual([2, ['partly-reference']]);
    expect(workspace.read('schedules/lists.yaml')).toBe(lists);
  });

  it('a variable is changed if it is the whole value of all fields that use it, and they changed alike', async () => {
    const text = `${base}schedules:
${mail('a', 'timezone: ${var.zone}')}
${mail('b', 'timezone: ${var.zone}')}
`;
    const variables = 'variables:\n  zone: Europe/Rome # the office\n  other: 1\n';
    const { workspace, apply, change, write, expectQuiet } = await stage({ 'schedules/all.yaml': text }, variables);
    await apply();
    for (const name of ['A', 'B']) change(name, (fields) => (fields['timezone'] = 'Europe/Paris'));
    const { document } = await write();
    expect(document.notWritten).toEqual([]);
    expect(workspace.read('schedules/all.yaml')).toBe(text);
    expect(workspace.read('almanac.yaml')).toContain('  zone: Europe/Paris # the office\n');
    await expectQuiet();
  });

  it('a variable that something else uses stays', async () => {
    const text = `${base}schedules:
${mail('a', 'timezone: ${var.zone}')}
${mail('b', 'textBody: All times are in ${var.zone}')}
`;
    const { workspace, apply, change, write, expectQuiet } = await stage(
      { 'schedules/all.yaml': text },
      'variables: { zone: Europe/Rome }\n',
    );
    await apply();
    change('A', (fields) => (fields['timezone'] = 'Europe/Paris'));
    expect((await write()).code).toBe(0);
    expect(workspace.read('schedules/all.yaml')).toBe(text.replace('timezone: ${var.zone}', 'timezone: Europe/Paris'));
    await expectQuiet();
  });

  it('what an alias or a merge key refers to is changed only if everything that refers to it changed alike', async () => {
    const text = `${base}x-team: &team [ana@example.com, cy@example.com] # people
x-late: &late { schedule: 0 18 ? * FRI *, timezone: UTC }
schedules:
${mail('a', 'recipients: *team', '<<: *late')}
${mail('b', 'recipients: *team', '<<: *late')}
`;
    const { workspace, apply, change, write, expectQuiet } = await stage({ 'schedules/all.yaml': text });
    await apply();
    for (const name of ['A', 'B']) change(name, to('ana@example.com'));
    change('A', at('0 19 ? * FRI *'));
    const { code, document } = await write();
    expect(document.notWritten).toEqual([]);
    expect(code).toBe(0);
    const written = workspace.read('schedules/all.yaml');
    expect(written).toContain('x-team: &team [ana@example.com] # people\n');
    expect(written).toContain('x-late: &late { schedule: 0 18 ? * FRI *, timezone: UTC }\n');
    expect(written.match(/schedule: 0 19 \? \* FRI \*/g)).toHaveLength(1);
    await expectQuiet();
  });

  it('a text file is changed if it is the whole value of one field', async () => {
    const text = `${base}schedules:
${mail('a', 'schedule: ${file.when.txt}')}
${mail('b', 'schedule: ${file.shared.txt}')}
${mail('c', 'schedule: ${file.shared.txt}')}
`;
    const { workspace, apply, change, write, expectQuiet } = await stage({
      'schedules/all.yaml': text,
      'schedules/when.txt': '0 7 ? * TUE *',
      'schedules/shared.txt': '0 8 ? * TUE *',
    });
    await apply();
    for (const name of ['A', 'B']) change(name, at('0 6 ? * WED *'));
    const { document } = await write();
    expect(document.notWritten).toEqual([]);
    expect(workspace.read('schedules/when.txt')).toBe('0 6 ? * WED *');
    expect(workspace.read('schedules/shared.txt')).toBe('0 8 ? * TUE *');
    expect(workspace.read('schedules/all.yaml')).toContain('schedule: 0 6 ? * WED *');
    await expectQuiet();
  });
});

describe('a value that is not set any more', () => {
  it('a schedule that was resumed loses its field, unless a default would pause it', async () => {
    const text = `${base}schedules:
${mail('a', 'paused: true # for now')}
${mail('b')}
`;
    const { workspace, apply, change, write, expectQuiet } = await stage({
      'schedules/all.yaml': text,
      'schedules/quiet.yaml': `${base}    paused: true\nschedules:\n${mail('c')}\n${mail('d', 'paused: true')}\n${mail('e')}\n`,
    });
    await apply();
    for (const name of ['A', 'C', 'D']) change(name, (_, schedule) => delete schedule['disabledAt']);
    change('B', paused);
    const { document } = await write();
    expect(document.notWritten).toEqual([]);
    const written = workspace.read('schedules/all.yaml');
    expect(written).toBe(`${base}schedules:\n${mail('a')}\n${mail('b', 'paused: true')}\n`);
    expect(workspace.read('schedules/quiet.yaml')).toContain(
      `${mail('c', 'paused: false')}\n${mail('d', 'paused: false')}`,
    );
    await expectQuiet();
  });

  it('a default that hides another one gets the value that means none', async () => {
    const resources = `schedules:\n${mail('a')}\n${mail('b')}\n`;
    const { workspace, apply, change, write, expectQuiet } = await stage(
      { 'schedules/all.yaml': `${base}    paused: true\n${resources}` },
      'defaults: { schedules: { paused: true } }\n',
    );
    await apply();
    for (const name of ['A', 'B']) change(name, (_, schedule) => delete schedule['disabledAt']);
    const { document } = await write();
    expect(document.notWritten).toEqual([]);
    expect(workspace.read('schedules/all.yaml')).toBe(`${base}    paused: false\n${resources}`);
    await expectQuiet();
  });

  it('a condition that was removed in Omni goes with its query', async () => {
    const text = `${base}schedules:
${mail('a', 'conditionType: RESULTS_PRESENT', "conditionQueryMapKey: '1'")}
${mail('b')}
`;
    const { workspace, apply, change, write, expectQuiet } = await stage({ 'schedules/all.yaml': text });
    await apply();
    change('A', (fields) => {
      delete fields['conditionType'];
      delete fields['conditionQueryMapKey'];
    });
    change('B', (fields) => Object.assign(fields, { conditionType: 'RESULTS_CHANGED', conditionQueryMapKey: '2' }));
    const { document } = await write();
    expect(document.notWritten).toEqual([]);
    expect(workspace.read('schedules/all.yaml')).toBe(
      `${base}schedules:\n${mail('a')}\n${mail('b', 'conditionType: RESULTS_CHANGED', 'conditionQueryMapKey: "2"')}\n`,
    );
    await expectQuiet();
  });
});

describe('dashboards', () => {
  it('the values of a filter are edited in its entry', async () => {
    const text = `dashboards:
  sales:
    identifier: 12db1a0a
    filters:
      # what was sent
      order_status: { values: [shipped, delivered] }
    filterOrder: [region, order_status]
`;
    const { workspace, apply, emulator, write, expectQuiet } = await stage({ 'schedules/all.yaml': text });
    await apply();
    emulator.edit(({ documents }) => {
      const filters = documents.find(({ identifier }) => identifier === '12db1a0a')?.dashboard?.filters;
      Object.assign((filters?.['order_status'] ?? {}) as Fields, { values: ['shipped', 'returned'] });
    });
    const { code, document } = await write();
    expect(document.notWritten).toEqual([]);
    expect(code).toBe(0);
    expect(workspace.read('schedules/all.yaml')).toBe(text.replace('delivered', 'returned'));
    await expectQuiet();
  });
});
