// `almanac offboard`: what leaves with a person, which places are edited, and what must stay.

import { describe, expect, it } from 'vitest';
import type { OffboardDocument } from '../../src/commands/offboard/document.ts';
import { makeFolder, type Workspace, workspaceIn } from '../support/workspace.ts';

const email = (key: string, recipients: string, ...more: readonly string[]) =>
  `  ${key}:\n${[
    ...more,
    ...(more.some((line) => line.startsWith('name:')) ? [] : [`name: Report ${key}`]),
    'identifier: 12db1a0a',
    'schedule: 0 9 ? * MON *',
    'timezone: Europe/London',
    'format: csv',
    'destinationType: email',
    `subject: ${key}`,
    recipients === '' ? '' : `recipients: ${recipients}`,
  ]
    .filter((line) => line !== '')
    .map((line) => `    ${line}\n`)
    .join('')}`;

const config = { api: { baseUrl: 'https://acme.omniapp.co/api', operations: 'full' } };

function open(source: string, more: Readonly<Record<string, unknown>> = {}): Workspace {
  return workspaceIn(makeFolder({ 'almanac.yaml': config, 'schedules/a.yaml': source, ...more }), {});
}

async function left(workspace: Workspace, ...argv: readonly string[]) {
  const { code, stdout, stderr } = await workspace.run(
    'offboard',
    'Ana@acme.com',
    '--offline',
    '--format',
    'json',
    ...argv,
  );
  if (stdout === '') throw new Error(stderr);
  return { code, document: JSON.parse(stdout) as OffboardDocument };
}

const everywhere = `audiences:
  team: # of the head office
    emails:
      - cfo@acme.com
      - ana@acme.com # until the summer
defaults:
  schedules:
    recipients: [all@acme.com, "ana@acme.com"]
schedules:
${email('audience', '["${audience.team}"]')}${email('direct', '[bo@acme.com, Ana@acme.com] # who asked')}${email(
  'defaulted',
  '',
)}${email('variable', '["${var.ana}", bo@acme.com]')}${email(
  'item',
  '${each.to}',
  'forEach: { emea: { to: [li@acme.com, ana@acme.com] } }',
  'name: Report ${each.key}',
)}`;

const withVariable = { 'almanac.yaml': { ...config, variables: { ana: 'ana@acme.com' } } };

describe('offboard', () => {
  it('reports and writes nothing by default', async () => {
    const workspace = open(everywhere, withVariable);
    const { code, document } = await left(workspace);
    expect(code).toBe(0);
    expect(document).toMatchObject({ formatVersion: 1, email: 'ana@acme.com', owns: [], blocked: [] });
    expect(document.receives.map(({ address, line, via }) => [address, via.kind, line])).toEqual([
      ['schedules.audience', 'audience', 5],
      ['schedules.defaulted', 'default', 8],
      ['schedules.direct', 'resource', 27],
      ['schedules.item.emea', 'item', 46],
      ['schedules.variable', 'variable', 7],
    ]);
    expect(workspace.read('schedules/a.yaml')).toBe(everywhere);
  });

  it('removes the address from each place once, and keeps every comment', async () => {
    const workspace = open(everywhere, withVariable);
    const { code, document } = await left(workspace, '--write');
    expect(code).toBe(0);
    expect(document.edits.map(({ line, before, after }) => [line, before, after])).toEqual([
      [5, 'ana@acme.com', null],
      [8, 'ana@acme.com', null],
      [27, 'Ana@acme.com', null],
      [44, '${var.ana}', null],
      [46, 'ana@acme.com', null],
    ]);
    expect(workspace.read('schedules/a.yaml')).toBe(
      everywhere
        .replace('      - ana@acme.com # until the summer\n', '')
        .replace('[all@acme.com, "ana@acme.com"]', '[all@acme.com]')
        .replace('[bo@acme.com, Ana@acme.com] # who', '[bo@acme.com] # who')
        .replace('["${var.ana}", bo@acme.com]', '[bo@acme.com]')
        .replace('[li@acme.com, ana@acme.com]', '[li@acme.com]'),
    );
    expect((await workspace.run('who', 'ana@acme.com')).stdout).toBe('Nobody.\n');
    const again = (await workspace.run('offboard', 'ana@acme.com', '--offline')).stdout;
    expect(again).toContain('still in   almanac.yaml:7\n');
    expect(again).toContain('There is nothing to edit.');
  });

  it('names a successor once where the person is in one list twice', async () => {
    const source = `audiences:\n  idle: { emails: [Ana@acme.com, ana@acme.com] }\nschedules:\n${email('twice', '[ana@acme.com, cfo@acme.com, Ana@acme.com]')}${email('first', '[ana@acme.com, "${var.ana}"]')}`;
    const workspace = open(source, withVariable);
    expect((await left(workspace, '--to', 'bo@acme.com', '--write')).code).toBe(0);
    expect(workspace.read('schedules/a.yaml')).toBe(
      source
        .replace('[Ana@acme.com, ana@acme.com]', '[bo@acme.com]')
        .replace('[ana@acme.com, cfo@acme.com, Ana@acme.com]', '[bo@acme.com, cfo@acme.com]')
        .replace('[ana@acme.com, "${var.ana}"]', '[bo@acme.com]'),
    );
  });

  it('edits the cell of a row for a successor, and removes nobody from it', async () => {
    const source = `schedules:\n${email('row', '["${each.mail}"]', 'forEachRow: { file: r.csv, key: code }', 'name: R ${each.key}')}`;
    const workspace = open(source, { 'schedules/r.csv': 'code,mail\r\none,"ana@acme.com"\r\ntwo,li@acme.com\r\n' });
    const removed = await left(workspace, '--write');
    expect(removed.code).toBe(1);
    expect(removed.document.edits).toEqual([]);
    expect(removed.document.blocked).toMatchObject([{ address: 'schedules.row.one' }]);
    expect((await left(workspace, '--write', '--to', 'bo@acme.com')).code).toBe(0);
    expect(workspace.read('schedules/r.csv')).toBe('code,mail\r\none,"bo@acme.com"\r\ntwo,li@acme.com\r\n');
  });

  it('never removes a last recipient, and says what else keeps the address because of that', async () => {
    const source = `audiences:\n  solo: { emails: [ana@acme.com] }\nschedules:\n${email('last', '["${audience.solo}"]')}${email(
      'shares',
      '["${audience.solo}", bo@acme.com]',
    )}${email('free', '[ana@acme.com, bo@acme.com]')}`;
    const workspace = open(source);
    const { code, document } = await left(workspace, '--write');
    expect(code).toBe(1);
    expect(document.blocked.map(({ address }) => address)).toEqual(['schedules.last', 'schedules.shares']);
    expect(document.blocked[0]?.reason).toContain('no recipient left');
    expect(document.blocked[1]?.reason).toContain('with schedules.last');
    expect(workspace.read('schedules/a.yaml')).toBe(source.replace('[ana@acme.com, bo@acme.com]', '[bo@acme.com]'));
  });

  it('leaves an item that says more than who receives something', async () => {
    const source = `schedules:\n${email(
      'loop',
      '["${each.mail}"]',
      'forEach: { one: { mail: ana@acme.com } }',
      'name: For ${each.mail}',
    )}`;
    const { code, document } = await left(open(source), '--to', 'bo@acme.com');
    expect(code).toBe(1);
    expect(document.blocked[0]).toMatchObject({ address: 'schedules.loop.one' });
    expect(document.blocked[0]?.reason).toContain('says more than who receives or owns it');
  });

  it('looks at every environment and its sink', async () => {
    const deliver = { email: ['ana@acme.com', 'tests@acme.com'] };
    const environments = { staging: { deliver }, prod: {} };
    const source = `schedules:\n${email('one', '[ana@acme.com, bo@acme.com]', 'in: [prod]')}`;
    const workspace = open(source, { 'almanac.yaml': { ...config, environments } });
    expect((await workspace.run('offboard', 'ana@acme.com', '--offline')).stderr).toContain('Add --env with one of');
    const { code, document } = await left(workspace, '--env', 'staging', '--write');
    expect([code, document.receives, document.edits.length]).toEqual([0, [], 2]);
    expect(`${workspace.read('almanac.yaml')}${workspace.read('schedules/a.yaml')}`).not.toContain('ana@acme.com');
  });

  it('edits what nothing uses, and leaves texts that name nobody alone', async () => {
    const source = `audiences:\n  idle: { emails: [ana@acme.com, "ana@\${var.domain}", li@acme.com], note: ana@acme.com }\nschedules:\n${email('a', '[bo@acme.com]', 'meta: { note: ana@acme.com }', 'textBody: ana@acme.com')}`;
    const variables = { domain: 'acme.com', idle: { to: ['ana@acme.com', 'li@acme.com'], cc: 'ana@acme.com' } };
    const workspace = open(source, { 'almanac.yaml': { ...config, variables } });
    const { code, document } = await left(workspace, '--write');
    expect([code, document.blocked]).toEqual([0, []]);
    expect(workspace.read('schedules/a.yaml')).toBe(source.replace('ana@acme.com, "ana@${var.domain}", ', ''));
    expect(JSON.parse(workspace.read('almanac.yaml'))).toMatchObject({
      variables: { idle: { to: ['li@acme.com'], cc: 'ana@acme.com' } },
    });
  });

  it('edits an owner where it is written: a default, an anchor, a variable, an item, a cell', async () => {
    const source = `x-owner: &owner ana@acme.com
defaults: { schedules: { owner: ana@acme.com, recipients: [bo@acme.com] } } # all
schedules:
${email('defaulted', '')}${email('direct', '', 'owner: "Ana@acme.com" # for now')}${email('aliased', '', 'owner: *owner')}${email(
  'variable',
  '',
  'owner: ${var.ana}',
)}${email('composed', '', "owner: 'ana@${var.domain}'")}${email(
  'item',
  '["${each.mail}"]',
  'forEach: { one: { mail: ana@acme.com } }',
  'name: For ${each.key}',
  'owner: ${each.mail}',
)}${email('row', '', 'forEachRow: { file: r.csv, key: code }', 'name: R ${each.key}', 'owner: ${each.boss}')}`;
    const workspace = open(source, {
      'almanac.yaml': { ...config, variables: { ana: 'ana@acme.com', domain: 'acme.com' } },
      'schedules/r.csv': 'code,boss\none,ana@acme.com\ntwo,li@acme.com\n',
    });
    const alone = await left(workspace, '--write');
    expect(alone.document.edits).toEqual([]);
    expect(alone.document.blocked).toHaveLength(7);
    const { code, document } = await left(workspace, '--write', '--to', 'bo@acme.com');
    expect(document.blocked).toEqual([]);
    expect(code).toBe(0);
    expect(document.edits).toHaveLength(7);
    expect(workspace.read('schedules/r.csv')).toBe('code,boss\none,bo@acme.com\ntwo,li@acme.com\n');
    const text = workspace.read('schedules/a.yaml');
    expect(text).toContain('x-owner: &owner bo@acme.com\n');
    expect(text).toContain('owner: "bo@acme.com" # for now\n');
    expect(text).toContain('owner: bo@acme.com, recipients: [bo@acme.com] } } # all\n');
    expect(text).toContain('owner: *owner\n');
    expect(text).not.toMatch(/ana@acme/i);
    const { changes } = await workspace.plan();
    expect(changes.flatMap(({ after }) => after?.['owner'] ?? []).sort()).toEqual([
      ...Array<string>(7).fill('bo@acme.com'),
      'li@acme.com',
    ]);
  });

  it('leaves an owner that is put together from values of an item, and what says more than that', async () => {
    const source = `schedules:\n${email(
      'loop',
      '[bo@acme.com]',
      'forEach: { one: { who: ana } }',
      'name: For ${each.key}',
      'owner: ${each.who}@acme.com',
    )}${email('named', '[bo@acme.com, ana@acme.com]', 'name: For ${var.ana}', 'owner: ${var.ana}')}`;
    const workspace = open(source, withVariable);
    const { code, document } = await left(workspace, '--write', '--to', 'cy@acme.com');
    expect(code).toBe(1);
    expect(document.blocked).toEqual([
      { address: 'schedules.loop.one', reason: expect.stringContaining('is written in schedules/a.yaml:5 ') },
    ]);
    expect(workspace.read('schedules/a.yaml')).toBe(
      source.replace('ana@acme.com]', 'cy@acme.com]').replace('owner: ${var.ana}', 'owner: cy@acme.com'),
    );
  });

  it('says where the files name the person all the same, by the lines of the files as they are then', async () => {
    const source = `schedules:
${email('a', '\n      - ana@acme.com\n      - bo@acme.com # ana@acme.com asked', 'textBody: Questions to ANA@acme.com.')}
    # diana@acme.com and ana@acme.com.au are others
${email('b', '[bo@acme.com]', 'extra: { replyTo: ana@acme.com }')}`;
    const workspace = open(source);
    const stillIn = async (...argv: readonly string[]) => {
      const { stdout } = await workspace.run('offboard', 'ana@acme.com', '--offline', ...argv);
      return stdout
        .replace(/\s+/g, ' ')
        .match(/still in [^A-Z]*/)?.[0]
        ?.match(/:\d+/g);
    };
    expect(await stillIn()).toEqual([':3', ':13', ':17']);
    expect(await stillIn('--write')).toEqual([':3', ':12', ':16']);
  });

  it('leaves one place that cannot be edited, and edits the others of its file', async () => {
    const source = `schedules:
${email('anchored', '[&ana ana@acme.com, bo@acme.com]')}${email('text', '[bo@acme.com]', 'textBody: *ana')}${email('free', '[ana@acme.com, bo@acme.com]')}`;
    const workspace = open(source);
    const { code, document } = await left(workspace, '--write');
    expect(code).toBe(1);
    expect(document.blocked.map(({ address }) => address)).toEqual(['schedules.anchored']);
    expect(workspace.read('schedules/a.yaml')).toBe(source.replace('[ana@acme.com, bo@acme.com]', '[bo@acme.com]'));
  });

  it('says so where nothing names the address', async () => {
    const { stdout } = await open(everywhere, withVariable).run('offboard', 'ana@amce.com', '--offline');
    expect(stdout).toBe(
      'owns       not known, because Omni was not asked (--offline)\n\nana@amce.com is declared nowhere.\n',
    );
  });

  it('names a successor as the way out only where one is: where a schedule would have nobody left', async () => {
    const one = open(`schedules:\n${email('a', '[ana@acme.com]')}`);
    expect((await one.run('offboard', 'ana@acme.com', '--offline')).stdout).toContain('A successor takes them');
    const other = open(
      `schedules:\n${email('a', '[&ana ana@acme.com, bo@acme.com]')}${email('b', '[bo@acme.com]', 'textBody: *ana')}`,
    );
    const { stdout } = await other.run('offboard', 'ana@acme.com', '--offline');
    expect(stdout).toContain('1 place must stay as it is.\n');
  });

  it('refuses what is no address of one person', async () => {
    const workspace = open('schedules: {}\n');
    for (const argv of [
      ['*@acme.com'],
      ['ana'],
      ['ana@acme.com', '--to', 'bo'],
      ['ana@acme.com', '--to', '${var.bo}@acme.com'],
      ['ana@acme.com', '--to', '=bo@acme.com'],
      ['ana@acme.com', '--to', 'Ana@acme.com'],
      ['ana@acme.com', '--to', 'bo@bücher.example'],
    ])
      expect((await workspace.run('offboard', ...argv)).stderr).toMatch(/error\[usage\][\s\S]*hint: /);
  });
});
