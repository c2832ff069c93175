// `almanac drift --write`: what others changed in Omni is written into the source files, at the place where the value comes
// from, and nothing else changes.

import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeAjv } from '../../scripts/schemas/compile-validators.ts';
import { publishedSchemas } from '../../src/published-schemas.ts';
import { at, type Fields, paused, stage, to } from '../support/cli/drift-stage.ts';

/** A schedule as YAML, below `schedules:`. */
const mail = (key: string, ...lines: readonly string[]) =>
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

describe('what is not written', () => {
  it('a value that is partly a reference, a secret place and a schedule that is gone are named, and the exit code is 2', async () => {
    const text = `${base}schedules:
  a: { name: 'A \${var.region}', subject: Hello }
${mail('b')}
${mail('gone')}
`;
    const { workspace, apply, change, emulator, write } = await stage(
      { 'schedules/all.yaml': text },
      'variables: { region: EU }\nsafety: { maxDeletePercent: 100 }\n',
    );
    await apply();
    change('A EU', (fields) => (fields['name'] = 'A of Europe'));
    change('B', paused);
    emulator.edit((data) => {
      data.schedules = data.schedules.filter(({ fields }) => fields['name'] !== 'GONE');
    });
    const { code, document } = await write();
    expect(code).toBe(2);
    expect(document.notWritten).toMatchObject([
      { address: 'schedules.a', path: '/name', reason: 'partly-reference' },
      { address: 'schedules.gone', path: '', reason: 'gone' },
    ]);
    expect(document.written).toMatchObject([{ address: 'schedules.b', path: '/paused' }]);
    expect(workspace.read('schedules/all.yaml')).toBe(text.replace(mail('b'), mail('b', 'paused: true')));
  });

  it('a field whose declaration was changed too keeps it', async () => {
    const text = `${base}schedules:\n${mail('a', 'schedule: 0 7 ? * TUE *')}\n`;
    const { workspace, apply, change, write } = await stage({ 'schedules/all.yaml': text });
    await apply();
    const edited = text.replace('0 7', '0 8').replace('subject: Hello', 'subject: Hi');
    workspace.write({ 'schedules/all.yaml': edited });
    change('A', at('0 6 ? * WED *'));
    change('A', paused);
    const { code, document } = await write();
    expect(code).toBe(2);
    expect(document.notWritten).toMatchObject([{ path: '/schedule', reason: 'declaration-changed' }]);
    expect(workspace.read('schedules/all.yaml')).toBe(edited.replace('subject: Hi', 'subject: Hi\n    paused: true'));
  });

  it('what Omni has is not written where no declaration could say it', async () => {
    const text = `${base}schedules:\n${mail('a', 'format: pdf', 'paperFormat: a4')}\n`;
    const { workspace, apply, change, write } = await stage({ 'schedules/all.yaml': text });
    await apply();
    change('A', (fields) => Object.assign(fields, { format: 'csv', paperFormat: undefined, name: 'A' }));
    change('A', at('0 6 ? * WED *'));
    const { code, document } = await write();
    expect(code).toBe(2);
    expect(document.notWritten).toMatchObject([{ path: '/format', reason: 'invalid' }]);
    expect(document.written).toMatchObject([{ path: '/schedule' }]);
    expect(workspace.read('schedules/all.yaml')).toBe(text.replace('0 9 ? * MON *', '0 6 ? * WED *'));
  });

  it('an anchor that another resource merges is not changed under its feet', async () => {
    const text = `${base}schedules:
  a: &a
    name: A
    subject: Hello
    schedule: 0 7 ? * TUE *
  b:
    <<: *a
    name: B
`;
    const { workspace, apply, change, write, expectQuiet } = await stage({ 'schedules/all.yaml': text });
    await apply();
    change('A', at('0 6 ? * WED *'));
    change('A', paused);
    const { code, document } = await write();
    expect(code).toBe(2);
    expect(document.notWritten).toMatchObject([
      { path: '/paused', reason: 'used-elsewhere' },
      { path: '/schedule', reason: 'used-elsewhere' },
    ]);
    expect(workspace.read('schedules/all.yaml')).toBe(text);
    change('B', at('0 6 ? * WED *'));
    change('B', paused);
    expect((await write()).document.notWritten).toEqual([]);
    expect(workspace.read('schedules/all.yaml')).toContain('schedule: 0 6 ? * WED *');
    await expectQuiet();
  });

  it('a read-only file is left as it is', async () => {
    const text = `${base}schedules:\n${mail('a')}\n`;
    const { workspace, apply, change, write } = await stage({ 'schedules/all.yaml': text });
    await apply();
    change('A', paused);
    chmodSync(join(workspace.path, 'schedules/all.yaml'), 0o444);
    const { code, document } = await write();
    expect(code).toBe(2);
    expect(document.notWritten).toMatchObject([{ reason: 'read-only' }]);
    expect(workspace.read('schedules/all.yaml')).toBe(text);
  });
});

describe('addresses and files', () => {
  it('only the named resources are written, and an unknown one is refused with the nearest', async () => {
    const text = `${base}schedules:\n${mail('alpha')}\n${mail('beta')}\n`;
    const { workspace, apply, change, write, drift } = await stage({ 'schedules/all.yaml': text });
    await apply();
    for (const name of ['ALPHA', 'BETA']) change(name, (fields) => (fields['timezone'] = 'Europe/Paris'));
    const { code, document } = await write('schedules.alpha');
    expect(code).toBe(0);
    expect(document.written).toMatchObject([{ address: 'schedules.alpha' }]);
    expect(workspace.read('schedules/all.yaml')).toContain('timezone: Europe/London # where we are');
    const unknown = await workspace.run('drift', '--write', 'schedules.alhpa');
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain('Did you mean `schedules.alpha`?');
    expect((await drift('--write', 'schedules.beta', '--target', 'schedules.beta')).code).toBe(0);
  });

  it('Windows line ends and a byte order mark stay', async () => {
    const text = `${base}schedules:\n${mail('a')}\n`.replaceAll('\n', '\r\n');
    const { workspace, apply, change, write, expectQuiet } = await stage({ 'schedules/all.yaml': `\uFEFF${text}` });
    await apply();
    change('A', paused);
    expect((await write()).code).toBe(0);
    expect(workspace.read('schedules/all.yaml')).toBe(`\uFEFF${text}    paused: true\r\n`);
    await expectQuiet();
  });

  it('a literal ${ from Omni is escaped', async () => {
    const text = `${base}schedules:\n${mail('a')}\n`;
    const { workspace, apply, change, write, expectQuiet } = await stage({ 'schedules/all.yaml': text });
    await apply();
    change('A', (fields) => (fields['name'] = 'Costs in ${USD} # not a comment'));
    expect((await write()).document.notWritten).toEqual([]);
    expect(workspace.read('schedules/all.yaml')).toContain('$${USD}');
    await expectQuiet();
  });

  it('what was written is no drift for the next run, although only an apply records it in the state', async () => {
    const text = `${base}schedules:\n${mail('a')}\n`;
    const { workspace, apply, change, drift } = await stage({ 'schedules/all.yaml': text });
    await apply();
    change('A', paused);
    const first = await workspace.run('drift', '--write');
    expect(first.code).toBe(0);
    expect(first.stdout).toContain('Written into the source files:\n  - schedules.a: paused (schedules/all.yaml:');
    const before = workspace.read('schedules/all.yaml');
    const { code, stdout } = await workspace.run('drift', '--write');
    expect(code).toBe(0);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'No drift: everything that was compared is as it was applied, or as it is declared. Only the state is behind on 1 resource: Omni has it as declared already. The next `almanac apply --refresh` records it.',
    );
    expect(workspace.read('schedules/all.yaml')).toBe(before);
    expect(await drift()).toMatchObject({ code: 0, document: { drift: [], asDeclared: ['schedules.a'] } });
    const plan = await workspace.run('plan', '--refresh');
    expect(plan.stdout).not.toContain('Changed outside of Almanac');
    expect(plan.stdout).toContain(
      '  ~ 1 schedule will be updated in the state: schedules.a\n  # (because Omni has it as declared already)\n',
    );
    expect(plan.stdout).toContain('Plan: 1 to update in the state.\nNo requests.');
    await workspace.apply('--refresh');
    expect((await drift()).document.asDeclared).toBeUndefined();
    expect((await workspace.plan('--refresh=deep')).changes).toEqual([]);
  });

  it('fields under ignoreChanges are no drift, and are not written', async () => {
    const text = `${base}schedules:\n${mail('a', 'lifecycle: { ignoreChanges: [schedule] }')}\n`;
    const { workspace, apply, change, write } = await stage({ 'schedules/all.yaml': text });
    await apply();
    change('A', at('0 6 ? * WED *'));
    expect(await write()).toMatchObject({ code: 0, document: { written: [], notWritten: [] } });
    expect(workspace.read('schedules/all.yaml')).toBe(text);
  });

  it('a moved resource is written at its new address', async () => {
    const text = `${base}schedules:\n${mail('a')}\n`;
    const { workspace, apply, change, write } = await stage({ 'schedules/all.yaml': text });
    await apply();
    const moved = `${text.replace('  a:', '  z:')}moved:\n  - { from: schedules.a, to: schedules.z }\n`;
    workspace.write({ 'schedules/all.yaml': moved });
    change('A', paused);
    const { code, document } = await write();
    expect(code).toBe(0);
    expect(document.written).toMatchObject([{ address: 'schedules.z', path: '/paused' }]);
    expect(workspace.read('schedules/all.yaml')).toBe(moved.replace('moved:', '    paused: true\nmoved:'));
  });

  it('operations core refuses it as it refuses drift', async () => {
    const { workspace } = await stage({ 'schedules/all.yaml': `${base}schedules:\n${mail('a')}\n` });
    workspace.write({ 'almanac.yaml': workspace.read('almanac.yaml').replace('operations: full', 'operations: core') });
    const { code, stderr } = await workspace.run('drift', '--write');
    expect(code).toBe(1);
    expect(stderr).toContain('With operations core, Almanac cannot ask Omni what exists.');
  });
});

describe('environments', () => {
  const environments = `variables: { zone: Europe/London }
environments:
  prod: { state: { path: prod.state.json } } # ours
  staging: { state: { path: staging.state.json } }
`;

  it('a value that environments share is overridden for the chosen one', async () => {
    const text = `${base.replace('Europe/London', '${var.zone}')}schedules:\n${mail('a')}\n${mail('b')}\n`;
    const { workspace, apply, change, write, expectQuiet } = await stage({ 'schedules/all.yaml': text }, environments);
    await apply('--env', 'prod');
    for (const name of ['A', 'B']) change(name, (fields) => (fields['timezone'] = 'Europe/Paris'));
    const { code, document } = await write('--env', 'prod');
    expect(document.notWritten).toEqual([]);
    expect(code).toBe(0);
    expect(workspace.read('schedules/all.yaml')).toBe(text);
    const written = workspace.read('almanac.yaml');
    expect(written).toContain('variables: { zone: Europe/London }');
    expect(written).toMatch(/prod: \{.*zone: Europe\/Paris.*\} # ours/);
    await expectQuiet('--env', 'prod');
    const text2 = (await workspace.run('drift', '--write', '--env', 'prod')).stdout;
    expect(text2).not.toContain('Other environments');
  });

  it('without --env, a value that an environment reads as well stays, and is written at the resource', async () => {
    const text = `${base.replace('Europe/London', '${var.zone}')}schedules:\n${mail('a')}\n`;
    const { workspace, apply, change, write, expectQuiet } = await stage({ 'schedules/all.yaml': text }, environments);
    await apply();
    const config = workspace.read('almanac.yaml');
    change('A', (fields) => (fields['timezone'] = 'Europe/Paris'));
    expect((await write()).document.notWritten).toEqual([]);
    expect(workspace.read('almanac.yaml')).toBe(config);
    expect(workspace.read('schedules/all.yaml')).toBe(text.replace('${var.zone}', 'Europe/Paris'));
    await expectQuiet();
  });

  it('the other environments that read what was written are named', async () => {
    const { workspace, apply, change } = await stage(
      { 'schedules/all.yaml': `${base}schedules:\n${mail('a')}\n` },
      environments,
    );
    await apply('--env', 'prod');
    change('A', paused);
    const { stdout } = await workspace.run('drift', '--write', '--env', 'prod');
    expect(stdout.replace(/\s+/g, ' ')).toContain('Other environments read the same files (staging)');
  });
});

describe('unusual layouts', () => {
  it('several documents, and a resource that is an alias of another one, are edited apart', async () => {
    const text = `${base}schedules:
${mail('a')}
---
x-b: &b { name: B, subject: Hello }
schedules:
  b: *b
${mail('c')}
`;
    const { workspace, apply, change, write, expectQuiet } = await stage({ 'schedules/all.yaml': text });
    await apply();
    for (const name of ['B', 'C']) change(name, paused);
    const { document } = await write();
    expect(document.notWritten).toEqual([]);
    const written = workspace.read('schedules/all.yaml');
    expect(written).toContain('x-b: &b { name: B, subject: Hello }\n');
    expect(written).toContain(`${mail('c', 'paused: true')}\n`);
    await expectQuiet();
  });

  it('an anchor inside of a resource is changed if those that refer to it changed alike, and stays otherwise', async () => {
    const text = `${base}schedules:
${mail('a', 'schedule: &when 0 7 ? * TUE * # early', 'recipients: &team', '  - ana@example.com # boss', '  - cy@example.com')}
${mail('b', 'schedule: *when', 'recipients: *team')}
`;
    const { workspace, apply, change, write, expectQuiet } = await stage({ 'schedules/all.yaml': text });
    await apply();
    for (const name of ['A', 'B']) change(name, at('0 6 ? * WED *'));
    change('B', to('ana@example.com', 'di@example.com'));
    const { document } = await write();
    expect(document.notWritten).toEqual([]);
    expect(workspace.read('schedules/all.yaml')).toBe(
      text
        .replace('&when 0 7 ? * TUE *', '&when 0 6 ? * WED *')
        .replace('recipients: *team', 'recipients: [ana@example.com, di@example.com]'),
    );
    await expectQuiet();
    await workspace.apply('--refresh');
    change('A', to('ana@example.com'));
    expect((await write()).document.notWritten).toEqual([]);
    await expectQuiet();
  });

  it('a file in JSON stays JSON', async () => {
    const [a, b] = ['A', 'B'].map((name) => ({
      identifier: '12db1a0a',
      name,
      schedule: '0 9 ? * MON *',
      timezone: 'UTC',
      format: 'pdf',
      destinationType: 'email',
      recipients: ['ana@example.com', 'bo@example.com'],
      subject: 'Hello',
    }));
    const text = `${JSON.stringify({ schedules: { a, b } }, null, 2)}\n`;
    const { workspace, apply, change, write, expectQuiet } = await stage({ 'schedules/all.yaml': text });
    await apply();
    change('A', to('bo@example.com', 'cy@example.com'));
    change('B', paused);
    expect((await write()).document.notWritten).toEqual([]);
    expect(JSON.parse(workspace.read('schedules/all.yaml'))).toEqual({
      schedules: { a: { ...a, recipients: ['bo@example.com', 'cy@example.com'] }, b: { ...b, paused: true } },
    });
    await expectQuiet();
  });

  it('recipients in one text stay one text', async () => {
    const text = `schedules:
  chat:
    identifier: 12db1a0a
    name: Chat
    schedule: 0 9 ? * MON *
    timezone: UTC
    format: pdf
    destinationType: slack
    slackRecipientType: users
    recipients: U1, U2 # on call
`;
    const { workspace, apply, change, write, expectQuiet } = await stage({ 'schedules/all.yaml': text });
    await apply();
    change('Chat', to('U1', 'U3'));
    expect((await write()).document.notWritten).toEqual([]);
    expect(workspace.read('schedules/all.yaml')).toBe(text.replace('U1, U2', 'U1, U3'));
    await expectQuiet();
  });

  it('a value that only Omni accepts spoils nothing else, however many there are', async () => {
    const keys = ['a', 'b', 'c', 'd', 'e'];
    const text = `${base}schedules:\n${keys.map((key) => mail(key, `timezone: UTC # ${key}`)).join('\n')}\n`;
    const { workspace, apply, change, write } = await stage({ 'schedules/all.yaml': text });
    await apply();
    for (const name of ['A', 'C', 'E']) change(name, (fields) => (fields['timezone'] = 'Nowhere/Else'));
    for (const name of ['A', 'B', 'C', 'D']) change(name, paused);
    const { code, document } = await write();
    expect(code).toBe(2);
    expect(document.notWritten?.map(({ address, path, reason }) => [address, path, reason])).toEqual([
      ['schedules.a', '/timezone', 'invalid'],
      ['schedules.c', '/timezone', 'invalid'],
      ['schedules.e', '/timezone', 'invalid'],
    ]);
    expect(document.written?.map(({ address, path }) => address + path)).toEqual(
      ['a', 'b', 'c', 'd'].map((key) => `schedules.${key}/paused`),
    );
    expect(workspace.read('schedules/all.yaml').replaceAll(/ {4}paused: true\n/g, '')).toBe(text);
  });

  it('Markdown names what was written and what was not', async () => {
    const text = `${base}schedules:\n  a: { name: 'A \${var.region}', subject: Hello }\n${mail('b')}\n`;
    const { workspace, apply, change } = await stage({ 'schedules/all.yaml': text }, 'variables: { region: EU }\n');
    await apply();
    change('A EU', (fields) => (fields['name'] = 'Other'));
    change('B', paused);
    const { code, stdout } = await workspace.run('drift', '--deep', '--write', '--format', 'markdown');
    expect(code).toBe(2);
    expect(stdout).toMatch(/Not written\n\n- `schedules\.a: name`\. The declared value is partly a reference/);
    expect(stdout).toMatch(/Written into the source files\n\n- `schedules\.b: paused \(schedules\/all\.yaml:\d+\)`/);
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
