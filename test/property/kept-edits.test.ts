// What was kept changes nothing in what a plan or a validation prints, and holds no secret, whatever people do to their
// files between two runs: the edits that change what a file means without changing much of it, or the other way round,
// and random ones.

import { renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { makeInstantClock } from '../support/fake-clock.ts';
import { runs } from '../support/runs/runs.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const mail = (name: string, more = '') => `
    identifier: 12db1a0a
    name: ${name}
    schedule: 0 9 ? * MON *
    format: pdf
    destinationType: email
    recipients: [ana@example.com]
    subject: ${name}${more}
`;
const secret = 'a1B2c3D4e5F6-not-for-a-cache';
const original: Readonly<Record<string, string>> = {
  'almanac.yaml': `api: { baseUrl: "https://acme.omniapp.co/api", operations: full }
variables: { team: Sales, place: UTC }
environments: { dev: { variables: { team: Dev } }, prod: {} }
defaults: { schedules: { timezone: UTC } }
`,
  'schedules/a.yaml': `schedules:
  first:${mail('First')}  second:${mail('Second', '\n    in: [prod]')}`,
  'schedules/anchors.yaml': `schedules:
  one: &one${mail('One')}  two:
    <<: *one
    name: Two
`,
  'schedules/loop.yaml': `schedules:
  each:
    forEach: { emea: { to: ana@example.com }, amer: { to: bo@example.com } }${mail('Of ${each.key} and ${var.team}').replace('[ana@example.com]', '["${each.to}", "${audience.board}"]\n    timezone: ${var.place}')}`,
  'schedules/lists.yaml': `audiences:
  board: { emails: [cy@example.com] }
defaults: { schedules: { maxRowLimit: 10 } }
`,
  'schedules/dated.yaml': `schedules:
  dated:${mail('Dated').replace('MON *', 'MON 2027')}`,
  'schedules/hook.yaml': `schedules:
  hook:
    identifier: 3f9c2b71
    name: Hook
    schedule: 30 6 * * ? *
    format: json
    destinationType: webhook
    url: https://hooks.example.com/\${env.HOOK_KEY}
`,
};
const names = Object.keys(original);

/** What one edit makes of a text. */
const edits: Readonly<Record<string, (text: string) => string>> = {
  comment: (text) => `${text}# a comment\n`,
  'comment before': (text) => `# a comment\n${text}`,
  value: (text) => text.replace(/^( +name: .*)$/m, '$1!'),
  'other case': (text) => text.replace(/name: (.)/, (_, first) => `name: ${first.toLowerCase()}`),
  'equal text': (text) => text.replace(/^( +)format: pdf$/m, '$1format: "pdf"'),
  'time zone': (text) => text.replace(/^( +)format: pdf$/m, '$1timezone: Europe/Lisbon\n$1format: pdf'),
  address: (text) => text.replace(/^ {2}(\w+):/m, '  $1-renamed:'),
  'wrong in one environment': (text) => text.replace('in: [prod]', 'in: [prod]\n    timezone: Mars/Base'),
  'wrong default': (text) => text.replace('timezone: UTC', 'timezone: Mars/Base'),
  'no default': (text) => text.replace('{ timezone: UTC }', '{}'),
  'wrong variable': (text) => text.replace('place: UTC', 'place: Mars/Base'),
  'own defaults': (text) => `${text}\n---\ndefaults: { schedules: { subject: From defaults } }\n`,
  'other default': (text) => text.replace('timezone: UTC', 'timezone: Asia/Tokyo'),
  'secret default': (text) => `${text}\n---\ndefaults: { schedules: { webhookSigningSecret: "${secret}" } }\n`,
  variable: (text) => text.replace('team: Sales', 'team: Support'),
  'no environment': (text) => text.replace(/dev: \{[^}]*\}\s*\}, /, ''),
  operations: (text) => text.replace('operations: full', 'operations: core'),
  'secret in': (text) => text.replace('example.com/${env.HOOK_KEY}', `slack.com/services/T01/B02/${secret}`),
  'secret password': (text) => text.replace(/https:\/\/hooks/, `https://ana:${secret}@hooks`),
  'secret out': (text) => text.replaceAll(secret, '${env.OTHER_KEY}'),
  audience: (text) => text.replace('cy@', 'di@'),
  item: (text) => text.replace('forEach: { ', 'forEach: { apac: { to: ed@example.com }, '),
  anchor: (text) => text.replace('format: pdf', 'format: csv'),
  'broken YAML': (text) => `${text}\n  : {`,
  'unknown field': (text) => text.replace('format:', 'fromat:'),
  'accepted warning': (text) => text.replace(/^( +)format: (\w+)$/m, '$1format: $2\n$1accept: [unused-audience]'),
  'lines of Windows': (text) => text.replaceAll('\n', '\r\n'),
  'byte order mark': (text) => `\uFEFF${text}`,
  empty: () => '',
  same: (text) => text,
};
const pieces = [
  'format: csv\n',
  '{',
  '}',
  '"',
  ',',
  '\n',
  '\n---\n',
  ' # x\n',
  'é',
  'environments: { a: {} }\n',
  '&a ',
  '*a',
  '1',
];
const steps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('splice'),
        file: fc.constantFrom(...names),
        at: fc.nat(400),
        cut: fc.nat(30),
        put: fc.constantFrom(...pieces, ''),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constantFrom(...Object.keys(edits)), file: fc.constantFrom(...names) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom('repair', 'rename', 'remove', 'exchange', 'touch'),
        file: fc.constantFrom(...names.slice(1)),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('next year', 'other key'), file: fc.constant('') }) },
  ),
  { minLength: 3, maxLength: 6 },
);

const commands: readonly (readonly string[])[] = [
  ['validate', '--env', 'dev'],
  ['plan', '--format', 'json', '--env', 'prod'],
  ['validate', '--format', 'json', 'schedules/a.yaml', '--env', 'prod'],
];

/** A workspace with what is kept of it; `compare` runs everything with and without. */
function opened() {
  const folder = makeFolder(original);
  const kept = new Map<string, string>();
  const instant = makeInstantClock(0);
  let year = 2026;
  const { run, environment } = workspaceIn(
    folder,
    { HOOK_KEY: secret },
    {
      build: 'this one',
      clock: { ...instant, now: () => Date.UTC(year, 11, 31, 23, 59) },
      openCache: async () => ({
        read: async (key) => kept.get(key),
        write: async (key, text) => void kept.set(key, text),
      }),
    },
  );
  return {
    folder,
    run,
    kept,
    compare: async (what: string) => {
      for (const argv of commands)
        expect(await run(...argv), `${what}: ${argv.join(' ')}`).toEqual(await run(...argv, '--no-cache'));
      for (const text of kept.values()) expect(text).not.toContain(secret);
    },
    pathOf: (name: string) => join(folder.path, name),
    nextYear: () => {
      year += 1;
    },
    otherKey: () => {
      environment['HOOK_KEY'] = `${secret}-2`;
    },
  };
}

it('after each of these edits, a plan and a validation print the same with what was kept as without it', async () => {
  const { folder, run, kept, compare } = opened();
  for (const argv of commands) await run(...argv);
  const ofOriginal = [...kept];
  for (const [kind, edit] of Object.entries(edits)) {
    for (const [key, text] of ofOriginal) kept.set(key, text);
    const edited = Object.entries(original).map(([name, text]) => [name, edit(text)] as const);
    folder.write(Object.fromEntries(edited));
    await compare(kind);
  }
});

it('a file whose name has a line break is not taken for another one that begins with the rest of its name', async () => {
  const { folder, run, compare } = opened();
  const rest = folder.read('schedules/a.yaml');
  folder.write({ 'schedules/a.yaml\nb.yaml': rest.replaceAll('first', 'third').replaceAll('second', 'fourth') });
  await run('plan');
  folder.write({ 'schedules/a.yaml': `b.yaml\n${folder.read('schedules/a.yaml\nb.yaml')}` });
  await compare('exchanged');
});

it('whatever is done to the files, a plan and a validation print the same with what was kept as without it', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { folder, compare, pathOf, nextYear, otherKey } = opened();
      const present = new Set(names);
      await compare('at first');
      for (const step of all) {
        const { kind, file } = step;
        const isThere = present.has(file);
        if ('put' in step && isThere) {
          const text = folder.read(file);
          folder.write({ [file]: text.slice(0, step.at) + step.put + text.slice(step.at + step.cut) });
        }
        const edit = edits[kind];
        if (edit !== undefined && isThere) folder.write({ [file]: edit(folder.read(file)) });
        if (kind === 'repair') {
          folder.write({ [file]: original[file] ?? '' });
          present.add(file);
        }
        if (kind === 'rename' && isThere) {
          renameSync(pathOf(file), pathOf(`schedules/moved-${file.replace('schedules/', '')}`));
          present.delete(file);
        }
        if (kind === 'remove' && isThere) {
          rmSync(pathOf(file));
          present.delete(file);
        }
        if (kind === 'exchange' && isThere && present.has('schedules/a.yaml')) {
          const [one, other] = [folder.read(file), folder.read('schedules/a.yaml')];
          folder.write({ [file]: other, 'schedules/a.yaml': one });
        }
        if (kind === 'touch' && isThere) utimesSync(pathOf(file), 0, statSync(pathOf(file)).mtimeMs / 1000 + 10);
        if (kind === 'next year') nextYear();
        if (kind === 'other key') otherKey();
        await compare(kind);
      }
    }),
    { numRuns: runs(3) },
  );
});
