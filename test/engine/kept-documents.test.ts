// What source files were parsed to is kept for the next run: it changes nothing but the time, and holds no secret.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KeptDocuments, keptDocuments } from '../../src/engine/load/kept-documents.ts';
import { type Loaded, load } from '../../src/engine/load/load.ts';
import { parseSource } from '../../src/parse/parse-source.ts';
import { schedule } from '../support/engine/loading.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { makeMemoryWorkspace } from '../support/memory-workspace.ts';

type Files = Readonly<Record<string, string>>;

function loadWith(files: Files, kept?: KeptDocuments): Promise<Loaded> {
  return load({
    workspace: makeMemoryWorkspace(files),
    environment: (name) => (name === 'PASSWORD' ? 'from-the-environment' : undefined),
    clock: makeInstantClock(Date.UTC(2026, 10, 21)),
    parse: kept?.parse,
  });
}

/** One run: what it loaded, which files it parsed, and what it leaves for the next one. */
async function run(files: Files, before?: string, program = 'a') {
  const parsed: string[] = [];
  const kept = keptDocuments(before, program, (file) => {
    parsed.push(file.path);
    return parseSource(file);
  });
  const loaded = await loadWith(files, kept);
  const text = kept.textWithout(loaded.findings);
  return { loaded, parsed, text, after: text ?? before };
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
    expect(second).toMatchObject({ parsed: [], text: undefined });
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

describe('damage', () => {
  it('kept text that was cut or changed anywhere is left unused, and the run is the same', async () => {
    const { after = '', loaded } = await run(two);
    const places = fc.nat(after.length - 1);
    await fc.assert(
      fc.asyncProperty(places, fc.boolean(), async (at, isCut) => {
        const other = after[at] === 'x' ? 'y' : 'x';
        const damaged = isCut ? after.slice(0, at) : `${after.slice(0, at)}${other}${after.slice(at + 1)}`;
        const again = await run(two, damaged);
        expect(again.parsed).toHaveLength(2);
        expect(shown(again.loaded)).toEqual(shown(loaded));
        expect(again.after).toBe(after);
      }),
      { numRuns: 40 },
    );
  });
});

describe('secrets', () => {
  const sftp = (password: string) =>
    `schedules:\n  s: { identifier: 12db1a0a, name: s, schedule: 0 9 ? * MON *, timezone: UTC, format: pdf, destinationType: sftp, address: a.example.com, port: 22, username: u, path: /p, passwordUnencrypted: ${password} }\n`;

  it.each([
    ['a password', sftp('hunter2')],
    ['a password after a variable', sftp(`"\${env.PASSWORD}hunter2"`)],
    ['a hook', `schedules:\n${schedule('one', ', extra: { x: "https://hooks.slack.com/services/T0/B0/hunter2" }')}`],
    ['a parameter of a URL', `x: https://a.example.com/?token=hunter2\n`],
    ['a password of an environment that is not this one', sftp('hunter2, in: [other]')],
    ['a variable of almanac.yaml', `environments: { prod: { variables: { a: hunter2 } } }\n`],
    ['a text that is not YAML', `schedules: {{ hunter2\n`],
  ])('%s in a file is never kept, whatever is found in it', (_, text) => {
    const kept = keptDocuments(undefined, 'a');
    for (const [path, each] of Object.entries({ ...two, 'schedules/c.yaml': text })) kept.parse({ path, text: each });
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
    ...['schedules:', 'defaults:', 'audiences:', 'moved:', 'one:', 'format: csv', 'recipients: [a@b.c]', `\${env.X}`],
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
  const edits = fc.array(
    fc.record({
      file: fc.constantFrom(...Object.keys(two)),
      at: fc.nat(200),
      cut: fc.nat(12),
      put: fc.constantFrom(...pieces),
    }),
    { maxLength: 8 },
  );

  it('after any edits, a run that uses what was kept loads the same as one that parses everything', async () => {
    await fc.assert(
      fc.asyncProperty(edits, async (all) => {
        let files: Files = two;
        let { after } = await run(files);
        for (const { file, at, cut, put } of all) {
          const text = files[file] ?? '';
          files = { ...files, [file]: text.slice(0, at) + put + text.slice(at + cut) };
          const kept = await run(files, after);
          expect(shown(kept.loaded)).toEqual(shown(await loadWith(files)));
          expect(JSON.stringify(shown(kept.loaded))).toBe(JSON.stringify(shown(await loadWith(files))));
          after = kept.after;
        }
      }),
      { numRuns: 60 },
    );
  });
});
