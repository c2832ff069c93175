// `almanac drift --write`: which addresses and files it touches, which environments read what it writes, and layouts that
// are unusual.

import { describe, expect, it } from 'vitest';
import { base, mail } from '../support/cli/drift-sources.ts';
import { at, paused, stage, to } from '../support/cli/drift-stage.ts';

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
    workspace.write({ 'almanac.yaml': workspace.read('almanac.yaml').replace('"full"', '"core"') });
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
