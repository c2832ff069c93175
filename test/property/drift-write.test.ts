// What `drift --write` writes and says, for random changes in Omni. What it says is written is in no plan any more,
// what it says is not written still is, nothing else changes, and every comment stays.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DriftDocument } from '../../src/model/plan/drift-document.ts';
import type { FieldDiff, PlanDocument } from '../../src/model/plan/plan.ts';
import { pointerSegments } from '../../src/model/values/pointer.ts';
import { runs } from '../support/runs/runs.ts';
import { start } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

const crons = ['0 9 ? * MON *', '0 6 ? * WED *', '30 18 1 * ? *'];
const zones = ['Europe/London', 'Europe/Paris', 'UTC'];
const people = ['ana@example.com', 'bo@example.com', 'cy@example.com'];

/** How a field gets its value. Without an entry it comes from the defaults of the file, or else of almanac.yaml. */
const spellings = {
  schedule: ['schedule: 30 18 1 * ? *', 'schedule: ${var.when}', 'schedule: *when', 'schedule: ${file.when.txt}', ''],
  timezone: ['timezone: UTC', "timezone: '${var.zone}'", 'timezone: *zone', '<<: *late', ''],
  recipients: [
    'recipients: [ana@example.com, cy@example.com]',
    "recipients: ['${var.ana}', bo@example.com]",
    "recipients: ['bo@${var.domain}', ana@example.com]",
    'recipients: *team',
    "recipients: '${var.team}'",
    "recipients: '${audience.team}'",
    "recipients: ['${audience.team}', cy@example.com]",
    "recipients: ['${var.team}', '${audience.team}']",
    '',
  ],
  paused: ['paused: true', 'paused: false', ''],
} as const;

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values);

const arbitraryChange = fc.record(
  {
    schedule: oneOf(crons),
    timezone: oneOf(zones),
    recipients: fc.subarray(people, { minLength: 1 }),
    isPaused: fc.boolean(),
    name: oneOf(['Costs in ${USD}', 'A: b # c']),
  },
  { requiredKeys: [] },
);

const arbitraryResource = fc.record({
  schedule: oneOf(spellings.schedule),
  timezone: oneOf(spellings.timezone),
  recipients: oneOf(spellings.recipients),
  paused: oneOf(spellings.paused),
  isPartlyNamed: fc.boolean(),
  change: arbitraryChange,
});
type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never;

/** The fields of a loop: a value of the item, or as in any other declaration. In a CSV file every value is a text. */
const loopSpellings = {
  schedule: ['schedule: ${each.at}', ...spellings.schedule],
  timezone: ['timezone: ${each.zone}', ...spellings.timezone],
  recipients: ["recipients: ['${each.mail}']", "recipients: ['${each.mail}', cy@example.com]", ...spellings.recipients],
  listed: ['recipients: ${each.to}', "recipients: ['${each.to}', cy@example.com]"],
  paused: ['paused: ${each.stop}', ...spellings.paused],
};

/** Where almanac.yaml or a CSV file holds the items, they are only values. */
const arbitraryItem = fc.record({
  at: oneOf(['0 9 ? * MON *', '30 18 1 * ? *']),
  zone: oneOf(['UTC', 'Europe/Paris']),
  mail: oneOf(['ana@example.com', 'bo@example.com']),
  to: oneOf(['[ana@example.com]', '[bo@example.com, ana@example.com]']),
  stop: oneOf(['true', 'false']),
  references: fc.record(
    {
      at: oneOf(["'${var.when}'", '*when']),
      zone: oneOf(["'${var.zone}'", '*zone']),
      mail: oneOf(["'${var.ana}'", "'bo@${var.domain}'"]),
      to: oneOf(["'${audience.team}'", "['${audience.team}', cy@example.com]", '*team', "'${var.team}'"]),
    },
    { requiredKeys: [] },
  ),
  change: arbitraryChange,
});
type Item = Drawn<typeof arbitraryItem>;

const arbitraryLoop = fc.constantFrom('map' as const, 'variable' as const, 'rows' as const).chain((kind) =>
  fc.record({
    kind: fc.constant(kind),
    schedule: oneOf(loopSpellings.schedule),
    timezone: oneOf(loopSpellings.timezone),
    recipients: oneOf(
      kind === 'rows' ? loopSpellings.recipients : [...loopSpellings.recipients, ...loopSpellings.listed],
    ),
    paused: oneOf(kind === 'rows' ? spellings.paused : loopSpellings.paused),
    name: oneOf(['name: ${each.title}', 'name: L ${each.mark}']),
    items: fc.array(arbitraryItem, { minLength: 1, maxLength: 3 }),
  }),
);
type Loop = Drawn<typeof arbitraryLoop>;

const arbitraryFile = fc.record({
  resources: fc.array(arbitraryResource, { minLength: 1, maxLength: 3 }),
  defaults: fc.subarray(
    [
      'timezone: Europe/Paris',
      'schedule: ${var.when}',
      'recipients: [ana@example.com, bo@example.com]',
      'paused: true',
    ],
    { maxLength: 3 },
  ),
  loop: fc.option(arbitraryLoop, { freq: 3 }),
});

const keys = ['a', 'b', 'c'];

/** A line for each item. */
function itemLines(file: number, { kind, items }: Loop): readonly string[] {
  return items.map(({ change: _, references, ...values }, index) => {
    const given = Object.entries({ ...values, ...(kind === 'map' ? references : {}) });
    const mark = `${file}-${keys[index]}`;
    return `${keys[index]}: { ${given.map(([name, value]) => `${name}: ${value}`).join(', ')}, title: L ${mark}, mark: ${mark} }`;
  });
}

/** Some cells are in quotes. */
function tableOf(file: number, items: readonly Item[]): string {
  const rows = items.map(({ at, zone, mail }, index) => {
    const mark = `${file}-${keys[index]}`;
    return [keys[index], index === 0 ? at : `"${at}"`, zone, mail, `"L ${mark}"`, mark, `"a, ""${index}"" b"`].join(
      ',',
    );
  });
  return ['code,at,zone,mail,"title",mark,note', ...rows, ''].join('\r\n');
}

function loopLines(file: number, loop: Loop | null): readonly string[] {
  if (loop === null) return [];
  const items = {
    map: () => ['    forEach:', ...itemLines(file, loop).map((line) => `      ${line}`)],
    variable: () => [`    forEach: \${var.items-${file}}`],
    rows: () => [`    forEachRow: { file: rows-${file}.csv, key: code }`],
  };
  return [
    `  loop-${file}:`,
    ...items[loop.kind](),
    ...['subject: Hello', 'format: pdf', 'destinationType: email'].map((line) => `    ${line}`),
    ...[loop.name, loop.schedule, loop.timezone, loop.recipients, loop.paused]
      .filter((line) => line !== '')
      .map((line) => `    ${line}`),
  ];
}

/** Each line with a comment of its own, numbered over the whole workspace. */
function sourceText(file: number, { resources, defaults, loop }: Drawn<typeof arbitraryFile>): string {
  const lines = [
    'x-when: &when 0 6 ? * WED *',
    'x-zone: &zone Europe/Paris',
    'x-late: &late { timezone: Europe/London }',
    'x-team: &team [ana@example.com, bo@example.com]',
    'defaults:',
    '  schedules:',
    '    identifier: 12db1a0a',
    ...defaults.map((line) => `    ${line}`),
    'schedules:',
    ...resources.flatMap((drawn, index) => [
      `  s-${file}-${index}:`,
      `    name: ${drawn.isPartlyNamed ? `"S \${var.region} ${file}-${index}"` : `S ${file}-${index}`}`,
      '    subject: Hello',
      '    format: pdf',
      '    destinationType: email',
      ...[drawn.schedule, drawn.timezone, drawn.recipients, drawn.paused]
        .filter((line) => line !== '')
        .map((line) => `    ${line}`),
    ]),
    ...loopLines(file, loop),
  ];
  return lines.map((line, index) => `${line} # ${file}-${index}\n`).join('');
}

const config = `defaults:
  schedules: { timezone: Europe/London, schedule: 0 9 ? * MON *, recipients: [bo@example.com] } # c-1
variables: # c-2
  when: 0 6 ? * WED * # c-3
  zone: UTC # c-4
  ana: ana@example.com # c-5
  domain: example.com # c-6
  region: EU # c-7
  team: [bo@example.com, cy@example.com] # c-8
`;

const lists = `audiences: # l-1
  team: # l-2
    emails: [ana@example.com, '\${var.ana}'] # l-3
`;

const fieldsIn = (diff: readonly FieldDiff[]) => new Set(diff.map(({ path }) => pointerSegments(path)[0] ?? ''));
const changeOf = ({ changes }: PlanDocument, address: string) => changes.find((change) => change.address === address);
const commentsIn = (text: string) => [...text.matchAll(/# (\S+)$/gm)].map(([, name]) => name);

it('what is written is in no plan, what is not is named, and nothing else changes', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryFile, { minLength: 1, maxLength: 2 }), async (files) => {
      const workspace = await openWorld({}, { isKept: true });
      const { emulator, baseUrl, ...folder } = workspace;
      try {
        const sources = files.map((file, index) => sourceText(index, file));
        const variables = files
          .flatMap(({ loop }, file) =>
            loop?.kind === 'variable'
              ? [`  items-${file}:`, ...itemLines(file, loop).map((line, index) => `    ${line} # v-${file}${index}`)]
              : [],
          )
          .map((line) => `${line}\n`)
          .join('');
        for (const [index, { loop }] of files.entries())
          if (loop?.kind === 'rows') folder.write({ [`schedules/rows-${index}.csv`]: tableOf(index, loop.items) });
        folder.write({
          'almanac.yaml': `api: { baseUrl: ${baseUrl}, operations: full, rateLimit: 0 }\n${config}${variables}`,
        });
        folder.write({ 'schedules/when.txt': '0 9 ? * MON *', 'schedules/lists.yaml': lists });
        for (const [index, text] of sources.entries()) folder.write({ [`schedules/f${index}.yaml`]: text });
        await workspace.apply();
        const paths = [
          'almanac.yaml',
          'schedules/lists.yaml',
          ...sources.map((_, index) => `schedules/f${index}.yaml`),
        ];
        const comments = paths.map((path) => commentsIn(workspace.read(path)));
        emulator.edit(({ schedules }) => {
          for (const schedule of schedules) {
            const [, file = '', index = ''] = /(\d)-(\w)$/.exec(String(schedule.fields['name'])) ?? [];
            const { resources = [], loop } = files[Number(file)] ?? {};
            const drawn = resources[Number(index)] ?? loop?.items[keys.indexOf(index)];
            const { isPaused, ...change } = drawn?.change ?? {};
            Object.assign(schedule.fields, change);
            if (isPaused === true) schedule.disabledAt = new Date(start).toISOString();
            if (isPaused === false) delete schedule.disabledAt;
          }
        });
        const ran = await workspace.run('drift', '--deep', '--write', '--format', 'json');
        const document = JSON.parse(ran.stdout) as DriftDocument;
        const { drift, written = [], notWritten = [] } = document;
        expect(ran.code).toBe(notWritten.length > 0 ? 2 : 0);
        const named = [...written, ...notWritten].map(({ address, path }) => `${address}${path}`);
        const drifted = drift.flatMap(({ address, diff }) => [...fieldsIn(diff)].map((field) => `${address}/${field}`));
        expect(named.toSorted()).toEqual(drifted.toSorted());
        const plan = await workspace.plan('--refresh=deep');
        for (const { address } of document.changes.concat(plan.changes)) {
          const left = notWritten.filter((each) => each.address === address).map(({ path }) => path.slice(1));
          const change = changeOf(plan, address);
          expect([address, [...fieldsIn(change?.diff ?? [])].toSorted()]).toEqual([address, left.toSorted()]);
          if (left.length === 0) expect(change?.requests ?? 0).toBe(0);
        }
        // Everything can be written but a part of a text, and what an item of a loop has no value of its own for.
        const isOfItem = (address: string, path: string) => {
          const { loop } = files[Number(/loop-(\d)/.exec(address)?.[1])] ?? {};
          const text = loop?.[path.slice(1) as keyof typeof loop];
          return loop?.kind !== 'rows' && typeof text === 'string' && /: \$\{each\.\w+\}$/.test(text);
        };
        const unexpected = notWritten.filter(
          ({ reason, address, path }) =>
            reason !== 'partly-reference' && !(reason === 'items' && !isOfItem(address, path)),
        );
        expect(unexpected).toEqual([]);
        for (const { message, address } of notWritten)
          if (address.includes('loop-')) expect(message).not.toMatch(/anchor/i);
        for (const [index, { loop }] of files.entries()) {
          if (loop?.kind !== 'rows') continue;
          const fixed = (text: string) =>
            text.split('\r\n').map((line, row) => (row === 0 ? line : /"a, .*$/.exec(line)?.[0]));
          const kept = fixed(tableOf(index, loop.items));
          expect(fixed(workspace.read(`schedules/rows-${index}.csv`))).toEqual(kept);
        }
        // A field that Omni no longer has goes with the comment on its line.
        const left = new Set(paths.flatMap((path) => commentsIn(workspace.read(path))));
        const lost = comments.flat().filter((comment) => !left.has(comment));
        expect(
          lost.map((comment) => /^ *(\w+):/m.exec(lineOf(sources, comment))?.[1]).filter((key) => key !== 'paused'),
        ).toEqual([]);
      } finally {
        await workspace.close();
      }
    }),
    { numRuns: runs(25), seed: 15 },
  );
});

function lineOf(texts: readonly string[], comment: string | undefined): string {
  return texts.flatMap((text) => text.split('\n')).find((line) => line.endsWith(`# ${comment}`)) ?? '';
}
