// `almanac fold`: which declarations become one, what it writes, and when it writes nothing.

import { appendFileSync, chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FoldDocument } from '../../src/commands/fold/document.ts';
import { renderFoldText } from '../../src/commands/fold/fold-report.ts';
import { openWorkspace } from '../../src/files/fs-workspace.ts';
import { plainTheme } from '../../src/report/text/theme.ts';
import { makeFolder, type Workspace, workspaceIn } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

interface Region {
  readonly region: string;
  readonly at: string;
  readonly to: string;
  readonly more?: string;
}

const regions: Readonly<Record<string, Region>> = {
  'sales-emea': { region: 'Europe', at: '0 8 ? * MON *', to: '["${audience.board}", ana@example.com]' },
  'sales-amer': { region: 'North America', at: '0 14 ? * MON *', to: '[bo@example.com]' },
  'sales-apac': { region: 'Asia', at: '0 1 ? * MON *', to: '[cy@example.com, ana@example.com]' },
};

const declared = (key: string, { region, at, to, more = '' }: Region) => `  ${key}:
    identifier: 12db1a0a
    name: Weekly sales, ${region}
    schedule: ${at}
    timezone: \${var.zone} # of the head office
    format: pdf
    destinationType: email
    recipients: ${to}
    subject: Sales ${region}
    filterConfig: { region: { values: [${region}] } }
${more}`;

const sourceOf = (own: Readonly<Record<string, Region>>) =>
  `schedules:\n${Object.entries(own)
    .map(([key, region]) => declared(key, region))
    .join('')}`;

const audiences = 'audiences:\n  board: { emails: [cfo@example.com] }\n';

const folded = `schedules:
  sales:
    forEach:
      emea: { region: Europe, at: 0 8 ? * MON *, to: ["\${audience.board}", ana@example.com] }
      amer: { region: North America, at: 0 14 ? * MON *, to: [bo@example.com] }
      apac: { region: Asia, at: 0 1 ? * MON *, to: [cy@example.com, ana@example.com] }
    identifier: 12db1a0a
    name: Weekly sales, \${each.region}
    schedule: \${each.at}
    timezone: \${var.zone} # of the head office
    format: pdf
    destinationType: email
    recipients: \${each.to}
    subject: Sales \${each.region}
    filterConfig: { region: { values: ["\${each.region}"] } }

moved:
  - { from: schedules.sales-emea, to: schedules.sales.emea }
  - { from: schedules.sales-amer, to: schedules.sales.amer }
  - { from: schedules.sales-apac, to: schedules.sales.apac }
`;

let config: object;
let token: string;

beforeEach(async () => {
  const { baseUrl, organizationKey } = await openWorld();
  config = { api: { baseUrl, operations: 'full', rateLimit: 0 }, variables: { zone: 'Europe/London' } };
  token = organizationKey;
});

/** With what the files declare applied. */
async function applied(files: Readonly<Record<string, unknown>>): Promise<Workspace> {
  const workspace = workspaceIn(makeFolder({ 'almanac.yaml': config, ...files }), { OMNI_API_TOKEN: token });
  await workspace.apply();
  return workspace;
}

describe('fold', () => {
  it('writes one loop for schedules that differ in a few fields, and its plan holds moves only', async () => {
    const workspace = await applied({ 'schedules/a.yaml': sourceOf(regions), 'schedules/b.yaml': audiences });
    const checked = await workspace.run('fold', '--check');
    expect(checked).toMatchObject({ code: 1, stderr: '' });
    expect(checked.stdout).toContain('schedules.sales: 3 schedules, each with region, at, to\n');
    expect(checked.stdout).toContain('Would fold 3 declarations to 1 in 1 file: run almanac fold.\n');
    expect(workspace.read('schedules/a.yaml')).toBe(sourceOf(regions));

    expect((await workspace.run('fold')).code).toBe(0);
    expect(workspace.read('schedules/a.yaml')).toBe(folded);
    const { changes } = await workspace.plan();
    expect(changes.map(({ action, previousAddress }) => [action, previousAddress])).toEqual([
      ['move', 'schedules.sales-amer'],
      ['move', 'schedules.sales-apac'],
      ['move', 'schedules.sales-emea'],
    ]);

    expect((await workspace.run('fmt', '--check', 'schedules')).code).toBe(0);
    expect(await workspace.run('fold', '--check')).toMatchObject({
      code: 0,
      stdout: 'Nothing to fold in 1 declaration.\n',
    });
    expect((await workspace.run('fold')).code).toBe(0);
    expect(workspace.read('schedules/a.yaml')).toBe(folded);
  });

  it('makes one loop of schedules of which one is paused, and only its item says so', async () => {
    const paused = { ...regions, 'sales-apac': { ...regions['sales-apac'], more: '    paused: true\n' } as Region };
    const workspace = await applied({ 'schedules/a.yaml': sourceOf(paused), 'schedules/b.yaml': audiences });
    expect((await workspace.run('fold')).code).toBe(0);
    expect(workspace.read('schedules/a.yaml')).toBe(
      folded
        .replace('ana@example.com] }\n    identifier', 'ana@example.com], paused: true }\n    identifier')
        .replace('\nmoved:', '    paused: ${each.paused}\n\nmoved:'),
    );
    const { changes } = await workspace.plan();
    expect(changes.map(({ action }) => action)).toEqual(['move', 'move', 'move']);
  });

  it('makes the entries follow that are still to adopt a schedule, and moves nothing that no state knows', async () => {
    const adopt = Object.keys(regions).map(
      (key, index) => `  - { to: schedules.${key}, id: 00000000-0000-4000-8000-00000000000${index} }\n`,
    );
    const workspace = workspaceIn(
      makeFolder({
        'almanac.yaml': config,
        'schedules/a.yaml': `${sourceOf(regions)}adopt:\n${adopt.join('')}`,
        'schedules/b.yaml': audiences,
      }),
      {},
    );
    expect((await workspace.run('fold')).code).toBe(0);
    expect(workspace.read('schedules/a.yaml')).toContain('- { to: schedules.sales.amer, id: 0');
    expect(workspace.read('schedules/a.yaml')).not.toContain('moved');
    expect((await workspace.run('validate')).code).toBe(0);
  });

  it('leaves what is to be adopted by a file that is not named, and says so', async () => {
    const adopt = '- { to: schedules.sales-amer, id: 00000000-0000-4000-8000-000000000001 }';
    const files = {
      'schedules/a.yaml': sourceOf(regions),
      'schedules/b.yaml': audiences,
      'schedules/d.yaml': `adopt:\n  ${adopt}\n`,
    };
    const workspace = workspaceIn(makeFolder({ 'almanac.yaml': config, ...files }), {});
    const { stdout } = await workspace.run('fold', 'schedules/a.yaml');
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'schedules.sales-apac. schedules/d.yaml would have to change as well.',
    );
    expect(workspace.read('schedules/d.yaml')).toBe(files['schedules/d.yaml']);
    expect(workspace.read('schedules/a.yaml')).not.toContain('forEach');
  });

  it('leaves a member whose comments would be lost, and says so', async () => {
    const more = '    # Only until the merger.\n    textBody: Hello\n';
    const withText = Object.fromEntries(
      Object.entries(regions).map(([key, region]) => [key, { ...region, more: '    textBody: Hello\n' }]),
    );
    const workspace = await applied({
      'schedules/a.yaml': sourceOf({
        ...withText,
        'sales-mea': { ...regions['sales-apac'], region: 'Africa', more } as Region,
      }),
      'schedules/b.yaml': audiences,
    });
    const { stdout } = await workspace.run('fold');
    expect(stdout).toContain('Not folded: schedules.sales-mea. It has comments of its own');
    expect(stdout).toContain('Folded 4 declarations to 2 in 1 file.');
    expect(workspace.read('schedules/a.yaml')).toContain('# Only until the merger.');
  });

  it('writes nothing while the declarations have errors', async () => {
    const text = sourceOf(regions).replace('0 1 ? * MON *', 'soon');
    const workspace = workspaceIn(makeFolder({ 'almanac.yaml': config, 'schedules/a.yaml': text }), {});
    const { code, stderr } = await workspace.run('fold');
    expect(code).toBe(1);
    expect(stderr).toContain('nothing was folded');
    expect(workspace.read('schedules/a.yaml')).toBe(text);
  });

  it('leaves a group that would not mean the same, says why, and folds the others', async () => {
    const accepted = '    accept: { duplicate-schedule: three teams want their own }\n';
    const same = ['ana', 'bo', 'cy'].map((who) =>
      declared(`team-${who}`, { region: 'UK', at: '0 9 ? * FRI *', to: `[${who}@example.com]`, more: accepted }),
    );
    const workspace = await applied({
      'schedules/a.yaml': sourceOf(regions),
      'schedules/b.yaml': audiences,
      'schedules/c.yaml': `schedules:\n${same.join('')}`,
    });
    const { code, stdout } = await workspace.run('fold');
    expect(code).toBe(0);
    expect(stdout).toContain('Not folded: schedules.team-ana, schedules.team-bo, schedules.team-cy. Folded,\n  it ');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(workspace.read('schedules/a.yaml')).toBe(folded);
    const left = workspace.read('schedules/c.yaml');
    for (const who of ['ana', 'bo', 'cy']) expect(left).toContain(`  team-${who}:\n    name: Weekly sales, UK\n`);
    expect(left).not.toContain('forEach');
  });

  it('changes no read-only file, and nothing else that needs it', async () => {
    const workspace = await applied({ 'schedules/a.yaml': sourceOf(regions), 'schedules/b.yaml': audiences });
    chmodSync(join(workspace.path, 'schedules/a.yaml'), 0o444);
    const { code, stdout } = await workspace.run('fold');
    expect(code).toBe(0);
    expect(stdout).toContain('schedules/a.yaml cannot be written');
    expect(workspace.read('schedules/a.yaml')).toBe(sourceOf(regions));
  });

  it('folds only the files that are named', async () => {
    const other = Object.fromEntries(Object.entries(regions).map(([key, region]) => [`${key}-copy`, region]));
    const workspace = workspaceIn(
      makeFolder({
        'almanac.yaml': config,
        'schedules/a.yaml': sourceOf(regions),
        'schedules/b.yaml': audiences,
        'schedules/c.yaml': sourceOf(other).replaceAll('12db1a0a', '23ec2b1b'),
      }),
      {},
    );
    const before = workspace.read('schedules/a.yaml');
    expect((await workspace.run('fold', 'schedules/c.yaml')).stdout).toContain('schedules/c.yaml\n');
    expect(workspace.read('schedules/a.yaml')).toBe(before);
  });

  describe('in several files', () => {
    const copies = Object.fromEntries(Object.entries(regions).map(([key, region]) => [`copy-of-${key}`, region]));
    const texts = {
      'schedules/a.yaml': sourceOf(regions),
      'schedules/b.yaml': audiences,
      'schedules/c.yaml': sourceOf(copies).replaceAll('12db1a0a', '23ec2b1b'),
    };

    /** `prepared`: runs as soon as this many new files lie beside the old ones. */
    const stagedFold = async (prepared: (count: number, folder: string, ended: AbortController) => void) => {
      const folder = makeFolder({ 'almanac.yaml': config, ...texts });
      const ended = new AbortController();
      let count = 0;
      const workspace = workspaceIn(
        folder,
        {},
        {
          signal: ended.signal,
          openWorkspace: async (options) => {
            const opened = await openWorkspace(options);
            const prepare: typeof opened.prepare = async (...file) => {
              const result = await opened.prepare(...file);
              count += 1;
              prepared(count, folder.path, ended);
              return result;
            };
            return { ...opened, prepare };
          },
        },
      );
      const finished = await workspace.run('fold');
      const read = Object.fromEntries(Object.keys(texts).map((path) => [path, workspace.read(path)]));
      return { ...finished, count, read, left: readdirSync(join(folder.path, 'schedules')) };
    };

    it('changes nothing and leaves nothing where a signal ends it while it prepares the files', async () => {
      const { code, stderr, count, read, left } = await stagedFold((_, __, ended) => ended.abort());
      expect([code, count]).toEqual([1, 1]);
      expect(stderr).toContain('Interrupted; no file was changed.');
      expect(read).toEqual(texts);
      expect(left).toEqual(['a.yaml', 'b.yaml', 'c.yaml']);
    });

    it('is taken back where one of them is changed at the last moment', async () => {
      const { code, read, left } = await stagedFold((count, folder) => {
        if (count === 2) appendFileSync(join(folder, 'schedules/c.yaml'), '# mine\n');
      });
      expect(code).toBe(1);
      expect(read).toEqual({ ...texts, 'schedules/c.yaml': `${texts['schedules/c.yaml']}# mine\n` });
      expect(left).toEqual(['a.yaml', 'b.yaml', 'c.yaml']);
    });
  });

  it('says a reason once, with all that are left for it', () => {
    const left = ['a', 'b'].map((name) => ({
      file: `${name}.yaml`,
      addresses: [`schedules.${name}`],
      message: 'Why.',
    }));
    const document: FoldDocument = {
      ...{ formatVersion: 1, files: [], empty: [], folds: [], notFolded: left, unread: [] },
      declarations: { before: 2, after: 2 },
    };
    const text = renderFoldText(document, false, { theme: plainTheme, width: 80 });
    expect(text).toBe('Not folded: schedules.a, schedules.b. Why.\n\nNothing to fold in 2 declarations.\n');
  });
});
