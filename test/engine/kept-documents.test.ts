// What source files were parsed to is kept for the next run: it changes nothing but the time, and holds no secret.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keptDocuments } from '../../src/engine/load/kept-documents.ts';
import { type Loaded, type LoadOptions, load } from '../../src/engine/load/load.ts';
import type { CheckedConfig } from '../../src/engine/load/load-config.ts';
import { parseSource } from '../../src/parse/parse-source.ts';
import type { ParseFile } from '../../src/validate/entry-maker.ts';
import { schedule } from '../support/engine/loading.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { makeMemoryWorkspace } from '../support/memory-workspace.ts';
import { runs } from '../support/runs/runs.ts';

type Files = Readonly<Record<string, string>>;

interface Here {
  /** Epoch milliseconds. */
  readonly now?: number;
  readonly environmentName?: string | undefined;
}

const inNovember = Date.UTC(2026, 10, 21);

function loadWith(
  files: Files,
  here: Here = {},
  kept?: Pick<LoadOptions, 'prepare' | 'parse' | 'checkedConfig'>,
): Promise<Loaded> {
  const { now = inNovember, environmentName } = here;
  return load({
    workspace: makeMemoryWorkspace(files),
    environment: (name) => (name === 'PASSWORD' ? 'from-the-environment' : undefined),
    clock: makeInstantClock(now),
    environmentName,
    ...kept,
  });
}

/** One run: what it loaded, which files it parsed, and left unchecked in the end, and what it leaves for the next one. */
async function run(files: Files, before?: string, program = 'a', here: Here = {}) {
  const parsed: string[] = [];
  const parse: ParseFile = (file) => {
    parsed.push(file.path);
    return parseSource(file);
  };
  const kept = keptDocuments(before, program, { parse });
  const unchecked: string[] = [];
  const read: ParseFile = async (file) => {
    const source = await kept.parse(file);
    if (source.entry?.isFaultless === true) unchecked.push(file.path);
    return source;
  };
  const checkedConfig: CheckedConfig = {
    ...kept.checkedConfig,
    isFaultless: (file, chosen) => {
      const isFaultless = kept.checkedConfig.isFaultless(file, chosen);
      if (isFaultless) unchecked.push(file.path);
      return isFaultless;
    },
  };
  const loaded = await loadWith(files, here, { prepare: kept.prepare, parse: read, checkedConfig });
  const text = kept.textWithout(loaded.findings);
  return { loaded, parsed, unchecked, text, after: text ?? before };
}

/** All that a command reads of it; the rest are functions. */
const shown = ({ config, desired, findings, audiences, files }: Loaded) => ({
  config,
  desired,
  findings,
  audiences,
  files,
});

const two = {
  'schedules/a.yaml': `schedules:\n${schedule('one')}`,
  'schedules/b.yaml': `schedules:\n${schedule('two')}`,
};

describe('another run', () => {
  it('a run parses only the files that changed since the last one', async () => {
    const first = await run(two);
    expect(first.parsed).toEqual(['schedules/a.yaml', 'schedules/b.yaml']);
    const second = await run(two, first.after);
    expect(second).toMatchObject({ parsed: [], unchecked: Object.keys(two), text: undefined });
    expect(shown(second.loaded)).toEqual(shown(first.loaded));
    const changed = { ...two, 'schedules/b.yaml': `schedules:\n${schedule('three')}` };
    const third = await run(changed, second.after);
    expect(third.parsed).toEqual(['schedules/b.yaml']);
    expect(shown(third.loaded)).toEqual(shown(await loadWith(changed)));
    expect(third.after?.split('\n').length).toBe(first.after?.split('\n').length);
  });

  it('a file that was renamed is parsed again, so that findings name it', async () => {
    const { after } = await run(two);
    expect((await run({ 'schedules/c.yaml': two['schedules/a.yaml'] }, after)).parsed).toEqual(['schedules/c.yaml']);
  });

  it('almanac.yaml is parsed again only when it changed', async () => {
    const files = { ...two, 'almanac.yaml': 'api: { baseUrl: "https://acme.omniapp.co" }\n' };
    const { after, loaded } = await run(files);
    const again = await run(files, after);
    expect(again.parsed).toEqual([]);
    expect(again.loaded.config).toEqual(loaded.config);
    const changed = { ...files, 'almanac.yaml': 'api: { baseUrl: "https://other.omniapp.co" }\n' };
    const third = await run(changed, after);
    expect(third.parsed).toEqual(['almanac.yaml']);
    expect(third.loaded.config?.api.baseUrl).toBe('https://other.omniapp.co/api');
  });

  it('what was found to be right in almanac.yaml is checked again for each environment', async () => {
    const state = 'state: { backend: s3 }\nenvironments: { staging: { state: { bucket: acme } } }\n';
    const files = { ...two, 'almanac.yaml': `api: { baseUrl: "https://acme.omniapp.co" }\n${state}` };
    const first = await run(files, undefined, 'a', { environmentName: 'staging' });
    expect(first.loaded.findings).toEqual([]);
    expect(first.unchecked).not.toContain('almanac.yaml');
    const again = await run(files, first.after, 'a', { environmentName: 'staging' });
    expect(again.unchecked).toContain('almanac.yaml');
    expect(shown(again.loaded)).toEqual(shown(first.loaded));
    const without = await run(files, again.after);
    expect(without.unchecked).not.toContain('almanac.yaml');
    expect(without.loaded.findings.map(({ code }) => code)).toEqual(['required-field']);
  });

  it('what another program kept is not used', async () => {
    const { after } = await run(two, undefined, 'a');
    expect((await run(two, after, 'b')).parsed).toHaveLength(2);
  });

  it('a file with a finding is parsed in every run', async () => {
    const files = { ...two, 'schedules/b.yaml': `schedules:\n${schedule('two', ', fromat: pdf')}` };
    const { after } = await run(files);
    const again = await run(files, after);
    expect(again.parsed).toEqual(['schedules/b.yaml']);
    expect(again.loaded.findings).toMatchObject([{ code: 'unknown-field' }]);
  });

  it('an alias that makes a little text a large value is not kept', async () => {
    const list = `[${'*a, '.repeat(40)}*a]`;
    const text = `x-base: &a [${'long, '.repeat(40)}long]\nschedules:\n${schedule('one', `, extra: { a: ${list} }`)}`;
    expect((await run({ 'schedules/a.yaml': text })).after ?? '').not.toContain('long');
  });
});

describe('what was checked before', () => {
  const changed = 'almanac.yaml';
  const config = (more = '') => ({ [changed]: `api: { baseUrl: "https://acme.omniapp.co"${more} }\n` });
  const one = (more: string) => ({ 'schedules/c.yaml': `schedules:\n${schedule('one', more)}` });
  const of2026 = { 'schedules/c.yaml': `schedules:\n${schedule('one').replace('MON *', 'MON 2026')}` };
  const of2027 = { 'schedules/c.yaml': `schedules:\n${schedule('one').replace('MON *', 'MON 2027')}` };
  const withDefault = (more: string) => ({ [changed]: `${config()[changed]}defaults: { schedules: { ${more} } }\n` });
  const withVariable = (value: string) => ({ [changed]: `${config()[changed]}variables: { x: ${value} }\n` });
  const withEnvironments = { [changed]: `${config()[changed]}environments: { a: {}, b: {} }\n` };
  const onlyInB = { ...one(', maxRowLimit: 5, in: [b]'), ...withEnvironments };

  it.each<[string, readonly [Files, Here?], readonly [Files, Here?]]>([
    [
      'the operations of almanac.yaml',
      [{ ...one(', paused: true'), ...config(', operations: full') }],
      [{ ...one(', paused: true'), ...config() }],
    ],
    ['a default of almanac.yaml', [{ ...one(''), ...config() }], [{ ...one(''), ...withDefault('paused: true') }]],
    ['the environment', [onlyInB, { environmentName: 'a' }], [onlyInB, { environmentName: 'b' }]],
    ['the date', [of2026], [of2026, { now: Date.UTC(2026, 11, 31) }]],
    ['the year', [of2027], [of2027, { now: Date.UTC(2028, 0, 1) }]],
    [
      'a variable of almanac.yaml',
      [{ ...one(`, paperFormat: "\${var.x}"`), ...withVariable('a4') }],
      [{ ...one(`, paperFormat: "\${var.x}"`), ...withVariable('a44') }],
    ],
    [
      'the text of another file',
      [{ ...one(`, paperFormat: "\${file.x.txt}"`), 'schedules/x.txt': 'a4' }],
      [{ ...one(`, paperFormat: "\${file.x.txt}"`), 'schedules/x.txt': 'a44' }],
    ],
  ])('%s may change what is found in a file that did not change', async (_, [before, here], [after, there]) => {
    const first = await run(before, undefined, 'a', here);
    expect(first.loaded.findings).toEqual([]);
    const second = await run(after, first.after, 'a', there);
    expect(second.loaded.findings).not.toEqual([]);
    expect(shown(second.loaded)).toEqual(shown(await loadWith(after, there)));
  });

  it('a schedule that fires after this year is checked once a year, and another one in each run', async () => {
    const files = { ...of2027, 'schedules/d.yaml': of2026['schedules/c.yaml'].replaceAll('one', 'two') };
    const { after } = await run(files);
    expect((await run(files, after)).unchecked).toEqual(['schedules/c.yaml']);
    expect((await run(files, after, 'a', { now: Date.UTC(2027, 5, 1) })).unchecked).toEqual([]);
  });

  it('a file with a loop is checked each time: what its items are may stand in another file', async () => {
    const rows = `forEachRow: { file: rows.csv, key: code }`;
    const loop = `schedules:\n${schedule('three', `, ${rows}`)}`;
    const files = { ...two, 'schedules/c.yaml': loop, 'schedules/rows.csv': 'code\na\n' };
    const first = await run(files);
    expect(first.loaded.findings).toEqual([]);
    expect(first.loaded.desired.resources).toHaveLength(3);
    expect(await run(files, first.after)).toMatchObject({ parsed: [], unchecked: Object.keys(two) });
  });

  it('what was found to be right in one environment is not checked again after a run in another', async () => {
    const api =
      'api: { baseUrl: "https://acme.omniapp.co" }\nenvironments: { a: { api: { operations: full } }, b: {} }\n';
    const files = { ...two, 'almanac.yaml': api };
    const a = await run(files, undefined, 'a', { environmentName: 'a' });
    const b = await run(files, a.after, 'a', { environmentName: 'b' });
    expect(b.text).toBeDefined();
    for (const environmentName of ['a', 'b'])
      expect(await run(files, b.after, 'a', { environmentName })).toMatchObject({
        unchecked: ['almanac.yaml', ...Object.keys(two)],
        text: undefined,
      });
  });
});

describe('secrets', () => {
  const sftp = (password: string) =>
    `schedules:\n  s: { identifier: 12db1a0a, name: s, schedule: 0 9 ? * MON *, timezone: UTC, format: pdf, destinationType: sftp, address: a.example.com, port: 22, username: u, path: /p, passwordUnencrypted: ${password} }\n`;
  const hook = (url: string) =>
    `schedules:\n  s: { identifier: 12db1a0a, name: s, schedule: 0 9 ? * MON *, timezone: UTC, format: json, destinationType: webhook, in: [other], url: "${url}", forEach: { i: { path: services/T0/B0/hunter2 } } }\n`;

  it.each([
    ['a password', sftp('hunter2')],
    ['a password after a variable', sftp(`"\${env.PASSWORD}hunter2"`)],
    ['a hook', `schedules:\n${schedule('one', ', extra: { x: "https://hooks.slack.com/services/T0/B0/hunter2" }')}`],
    ['a hook whose path is that of an item', hook(`https://hooks.slack.com/\${each.path}`)],
    ['a hook after a variable', hook(`\${var.slack}/services/T0/B0/hunter2`)],
    ['a parameter of a URL', `x: https://a.example.com/?token=hunter2\n`],
    ['a password of an environment that is not this one', sftp('hunter2, in: [other]')],
    ['a variable of almanac.yaml', `environments: { prod: { variables: { a: hunter2 } } }\n`],
    ['a text that is not YAML', `schedules: {{ hunter2\n`],
  ])('%s in a file is never kept, whatever is found in it', async (_, text) => {
    const kept = keptDocuments(undefined, 'a');
    for (const [path, each] of Object.entries({ ...two, 'schedules/c.yaml': text }))
      await kept.parse({ path, text: each });
    const after = kept.textWithout([]) ?? '';
    expect(after).toContain('one');
    expect(after).not.toContain('hunter2');
  });

  it('a file that a finding is about is not kept, so that no value of it is which only a rule takes for a secret', async () => {
    const text = `schedules:\n  s: { identifier: 12db1a0a, name: s, schedule: 0 9 ? * MON *, timezone: UTC, format: json, destinationType: webhook, url: "\${each.scheme}//hooks.slack.com/services/T0/B0/hunter2", forEach: { i: { scheme: "https:" } } }\n`;
    const { after = '', loaded } = await run({ ...two, 'schedules/c.yaml': text });
    expect(loaded.findings).toMatchObject([{ code: 'secret-in-plain-text' }]);
    expect(after).not.toContain('hunter2');
  });

  it('a reference to a variable is kept, and never what the variable holds', async () => {
    const { after = '', loaded } = await run({ 'schedules/c.yaml': sftp(`"\${env.PASSWORD}"`) });
    expect(loaded.findings).toEqual([]);
    expect(after).toContain(`\${env.PASSWORD}`);
    expect(after).not.toContain('from-the-environment');
  });
});

describe('random edits', () => {
  const pieces = [
    ...[
      'schedules:',
      'defaults:',
      'audiences:',
      'moved:',
      'one:',
      'format: csv',
      'recipients: [a@b.c]',
      'in: [a]',
      `\${env.X}`,
    ],
    ...['<<: *a', '&a', '*a', ': ', '- ', '\n', '\n  ', '\n    ', '{', '}', '[', ']', ', ', '"', '|', '---\n'],
    ...[
      '-0',
      '0x10',
      '08',
      '1e400',
      'null',
      '~',
      '__proto__: 1',
      '$secret: x',
      '# x\n',
      '\uFEFF',
      'é',
      '😀',
      '\\ud800',
    ],
  ];
  /** One that fires no more after 2026, below a default of its file. */
  const dated = `defaults: { schedules: { paperFormat: a4 } }\nschedules:\n${schedule('dated').replace('MON *', 'MON 2026')}`;
  const start: Files = { ...two, 'schedules/d.yaml': dated };
  const environments = 'environments: { a: {}, b: { api: { operations: full } } }\n';
  const configs = [
    '',
    'defaults: { schedules: { paused: true } }\n',
    'api: { operations: full }\n',
    'checks: { unknown-field: off }\n',
    'defaults: { schedules: { paperFormat: "${env.X}", in: [a] } }\n',
  ];
  const heres: readonly Here[] = [
    {},
    { environmentName: 'a' },
    { environmentName: 'b', now: Date.UTC(2027, 1, 1) },
    { now: Date.UTC(2026, 11, 31) },
  ];
  const edits = fc.array(
    fc.record({
      file: fc.constantFrom(...Object.keys(start)),
      at: fc.nat(200),
      cut: fc.nat(12),
      put: fc.constantFrom('', ...pieces),
      isRenamed: fc.boolean(),
      config: fc.constantFrom(...configs),
      here: fc.constantFrom(...heres),
      program: fc.constantFrom('a', 'a', 'a', 'b'),
      // Another run wrote what it kept after this one.
      isLost: fc.boolean(),
    }),
    { maxLength: 8 },
  );

  it('after any edits, a run that uses what was kept loads the same as one that parses everything', async () => {
    await fc.assert(
      fc.asyncProperty(edits, async (all) => {
        let files: Files = start;
        let { after } = await run(files);
        for (const { file, at, cut, put, isRenamed, config, here, program, isLost } of all) {
          const { [file]: text = '', ...others } = files;
          const edited = text.slice(0, at) + put + text.slice(at + cut);
          const path = isRenamed ? 'schedules/renamed.yaml' : file;
          files = { ...others, [path]: edited, 'almanac.yaml': config + environments };
          const kept = await run(files, after, program, here);
          const fresh = shown(await loadWith(files, here));
          expect(shown(kept.loaded)).toEqual(fresh);
          expect(JSON.stringify(shown(kept.loaded))).toBe(JSON.stringify(fresh));
          if (!isLost) after = kept.after;
        }
      }),
      { numRuns: runs(30) },
    );
  });
});
