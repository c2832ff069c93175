// The check `recipient-not-inside`: which addresses it finds, at which places, and who waives them.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diagnosticsOf, type LoadingOptions, schedule } from '../support/apply/loading.ts';
import { runs } from '../support/runs/runs.ts';

const rule = 'safety: { internalDomains: [acme.com] }\nchecks: { recipient-not-inside: error }\n';
const to = (key: string, recipients: string, more = '') => schedule(key, more).replace('[ana@example.com]', recipients);
const waiver = 'accept: { recipient-not-inside: { reason: a partner, until: 2027-03-31 } }';

type Files = Readonly<Record<string, string>>;

/** `FILE:LINE:COLUMN SEVERITY`, with what is said of the uses. */
async function found(files: Files, options?: LoadingOptions) {
  const all = await diagnosticsOf({ 'almanac.yaml': rule, ...files }, undefined, options);
  return all.map(({ file, line, column, severity, code, accepted, message }) => {
    const uses = [...message.matchAll(/`((?:schedules|audiences)\.[^`]+)`/g)].map(([, name]) => name);
    const what = code === 'recipient-not-inside' ? uses.join(' ') : code;
    return `${file}:${line}:${column} ${accepted === undefined ? severity : `accepted (${accepted})`} ${what}`;
  });
}

const source = (text: string) => ({ 'schedules/a.yaml': text });

test.each<[string, Files, readonly string[]]>([
  [
    'a literal',
    source(`schedules:\n${to('a', '[ana@acme.com, bo@out.example, cy@mail.acme.com]')}`),
    ['schedules/a.yaml:2:143 error schedules.a'],
  ],
  [
    'a default of two schedules',
    source(
      'defaults: { schedules: { recipients: [bo@out.example] } }\nschedules:\n' +
        ['a', 'b'].map((key) => to(key, '[]').replace(' recipients: [],', '')).join(''),
    ),
    ['schedules/a.yaml:1:39 error schedules.a schedules.b'],
  ],
  [
    'an audience that is used',
    source(`audiences: { p: { emails: [bo@out.example] } }\nschedules:\n${to('a', `"\${audience.p}"`)}`),
    ['schedules/a.yaml:1:28 error schedules.a'],
  ],
  [
    'an audience that nothing uses',
    source('audiences: { p: { emails: [bo@out.example] } }\n'),
    ['schedules/a.yaml:1:14 warning unused-audience', 'schedules/a.yaml:1:28 error audiences.p'],
  ],
  [
    'a variable in an audience',
    {
      'almanac.yaml': `${rule}variables: { bo: bo@out.example }\n`,
      ...source(`audiences: { p: { emails: ["\${var.bo}"] } }\nschedules:\n${to('a', `["\${audience.p}"]`)}`),
    },
    ['almanac.yaml:3:18 error schedules.a'],
  ],
  [
    'an item of a loop',
    source(
      `schedules:\n${to('a', `["\${each.who}"]`, ', forEach: { x: { who: ana@acme.com }, y: { who: bo@out.example } }').replace('name: a', `name: "a \${each.key}"`)}`,
    ),
    ['schedules/a.yaml:2:218 error schedules.a.y'],
  ],
  [
    'a cell of a table',
    {
      'schedules/t.csv': 'code,who\nx,ana@acme.com\ny,bo@out.example\n',
      ...source(
        `schedules:\n${to('a', `["\${each.who}"]`, ', forEachRow: { file: t.csv, key: code }').replace('name: a', `name: "a \${each.key}"`)}`,
      ),
    },
    ['schedules/t.csv:3:3 error schedules.a.y'],
  ],
  [
    'the sinks of environments',
    {
      'almanac.yaml': `${rule}environments:\n  dev: { deliver: { email: [qa@acme.com, qa@out.example] } }\n  qa: { deliver: { email: qa@out.example } }\n`,
      ...source('schedules: {}\n'),
    },
    ['almanac.yaml:4:42 error ', 'almanac.yaml:5:27 error '],
  ],
])('an address outside is found in %s, where it is written', async (_, files, expected) => {
  expect(await found(files)).toEqual(expected);
});

test('an address is reported while one use of its place has no waiver, and names the uses that have none', async () => {
  const audience = (more = '') => `audiences: { p: { emails: [bo@out.example]${more} } }\nschedules:\n`;
  const use = `"\${audience.p}"`;
  const of = (more: string, a: string, b: string) =>
    found(source(`${audience(more)}${to('a', use, a)}${to('b', use, b)}`));
  expect(await of('', '', '')).toEqual(['schedules/a.yaml:1:28 error schedules.a schedules.b']);
  expect(await of('', `, ${waiver}`, '')).toEqual(['schedules/a.yaml:1:28 error schedules.b']);
  expect(await of('', `, ${waiver}`, `, ${waiver}`)).toEqual([
    'schedules/a.yaml:1:28 accepted (a partner) schedules.a schedules.b',
  ]);
  expect(await of(`, ${waiver}`, '', '')).toEqual([
    'schedules/a.yaml:1:28 accepted (a partner) schedules.a schedules.b',
  ]);
});

test('an anchor is the one place of all who refer to it', async () => {
  const text = `schedules:\n${to('a', '&all [bo@out.example]')}${to('b', '*all', `, ${waiver}`)}`;
  expect(await found(source(text))).toEqual([expect.stringMatching(/^schedules\/a\.yaml:2:\d+ error schedules\.a$/)]);
});

test('an address of an audience that a thousand schedules use is found once', async () => {
  const items = [...Array(1000).keys()].map((n) => `i${n}: {}`).join(', ');
  const loop = to('a', `"\${audience.p}"`, `, forEach: { ${items} }`).replace('name: a', `name: "a \${each.key}"`);
  const emails = [...Array(5).keys()].map((n) => `p${n}@out.example`).join(', ');
  const all = await found(source(`audiences: { p: { emails: [${emails}] } }\nschedules:\n${loop}`));
  expect(all.filter((line) => line.includes(' error '))).toHaveLength(5);
});

test('a waiver of an audience is for its own addresses alone', async () => {
  const text = `audiences: { p: { emails: [bo@out.example], ${waiver} } }\nschedules:\n${to('a', `["\${audience.p}", cy@out.example]`)}`;
  const [own, other] = await found(source(text));
  expect(own).toBe('schedules/a.yaml:1:28 accepted (a partner) schedules.a');
  expect(other).toMatch(/^schedules\/a\.yaml:3:\d+ error schedules\.a$/);
});

test('a waiver that nothing needs is a warning, also of an audience, and one in defaults is an error', async () => {
  const unneeded = `audiences: { p: { emails: [bo@acme.com], ${waiver} } }\nschedules:\n${to('a', `"\${audience.p}"`, `, ${waiver}`)}`;
  expect((await found(source(unneeded))).map((line) => line.replace(/:\d+ /, ' '))).toEqual([
    'schedules/a.yaml:1 warning accepted-nothing',
    'schedules/a.yaml:3 warning accepted-nothing',
  ]);
  const inDefaults = `defaults: { schedules: { ${waiver} } }\nschedules:\n${to('a', '[bo@out.example]')}`;
  expect((await found(source(inDefaults))).map((line) => line.replace(/:\d+ /, ' '))).toEqual([
    'schedules/a.yaml:1 error waiver-in-defaults',
    'schedules/a.yaml:3 error schedules.a',
  ]);
});

test.each([
  ['2027-03-31T23:59:59Z', 'counts', 'accepted (a partner)'],
  ['2027-04-01T00:00:00Z', 'counts', 'error'],
  ['2027-04-01T00:00:00Z', 'warns', 'warning'],
] as const)(
  'at %s, a waiver until 2027-03-31 of a command where the end %s leaves: %s',
  async (time, ended, expected) => {
    const text = `schedules:\n${to('a', '[bo@out.example]', `, ${waiver}`)}`;
    const all = await found(source(text), { time, ended });
    expect(all.filter((line) => !line.endsWith('acceptance-ends'))).toEqual([
      expect.stringContaining(` ${expected} schedules.a`),
    ]);
  },
);

test('the check is off unless almanac.yaml names it, and needs a list of domains', async () => {
  const outside = source(`schedules:\n${to('a', '[bo@out.example]')}`);
  expect(await found({ ...outside, 'almanac.yaml': 'safety: { internalDomains: [acme.com] }\n' })).toEqual([]);
  expect(await found({ ...outside, 'almanac.yaml': 'checks: { recipient-not-inside: warning }\n' })).toEqual([
    'almanac.yaml:1:11 error no-internal-domains',
  ]);
});

/** The ways of an address into a schedule. */
const ways: Readonly<Record<string, (n: number, address: string, accept: string) => Files>> = {
  literal: (n, address, accept) => ({ [`schedules/${n}.yaml`]: `schedules:\n${to(`s${n}`, `[${address}]`, accept)}` }),
  default: (n, address, accept) => ({
    [`schedules/${n}.yaml`]: `defaults: { schedules: { recipients: [${address}] } }\nschedules:\n${to(`s${n}`, '[]', accept).replace(' recipients: [],', '')}`,
  }),
  audience: (n, address, accept) => ({
    [`schedules/${n}.yaml`]: `audiences: { a${n}: { emails: [${address}] } }\nschedules:\n${to(`s${n}`, `["\${audience.a${n}}"]`, accept)}`,
  }),
  loop: (n, address, accept) => ({
    [`schedules/${n}.yaml`]: `schedules:\n${to(`s${n}`, `["\${each.who}"]`, `, forEach: { x: { who: ${address} } }${accept}`)}`,
  }),
  table: (n, address, accept) => ({
    [`schedules/${n}.csv`]: `code,who\nx,${address}\n`,
    [`schedules/${n}.yaml`]: `schedules:\n${to(`s${n}`, `["\${each.who}"]`, `, forEachRow: { file: ${n}.csv, key: code }${accept}`)}`,
  }),
  variable: (n, _, accept) => ({
    [`schedules/${n}.yaml`]: `schedules:\n${to(`s${n}`, `["\${var.v${n}}"]`, accept)}`,
  }),
};

const kinds = Object.keys(ways);

test('the findings are exactly the addresses outside without those that are waived, where each is written', async () => {
  const entry = fc.record({ way: fc.constantFrom(...kinds), isOutside: fc.boolean(), isWaived: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 8 }),
      fc.array(fc.boolean(), { maxLength: 3 }),
      async (entries, sinks) => {
        const addressOf = (n: number, isOutside: boolean) => `p${n}@${isOutside ? 'out.example' : 'eu.acme.com'}`;
        const files: Record<string, string> = {};
        let config = rule;
        const variables: string[] = [];
        for (const [n, { way, isOutside, isWaived }] of entries.entries()) {
          const address = addressOf(n, isOutside);
          Object.assign(files, ways[way]?.(n, address, isOutside && isWaived ? `, ${waiver}` : ''));
          if (way === 'variable') variables.push(`v${n}: ${address}`);
        }
        config += `variables: { ${variables.join(', ')} }\n`;
        const environments = sinks.map(
          (isOutside, n) => `  e${n}: { deliver: { email: ${addressOf(100 + n, isOutside)} } }\n`,
        );
        if (sinks.length > 0) config += `environments:\n${environments.join('')}`;
        files['almanac.yaml'] = config;
        if (Object.keys(files).length === 1) files['schedules/none.yaml'] = '';
        const diagnostics = await diagnosticsOf(files);
        const ours = diagnostics.filter(
          ({ code, accepted }) => code === 'recipient-not-inside' && accepted === undefined,
        );
        const written = ours.map(({ file = '', line = 0, column = 0, endColumn = 0 }) =>
          files[file]?.split('\n')[line - 1]?.slice(column - 1, endColumn - 1),
        );
        const wanted = [
          ...entries.flatMap(({ isOutside, isWaived }, n) => (isOutside && !isWaived ? addressOf(n, true) : [])),
          ...sinks.flatMap((isOutside, n) => (isOutside ? addressOf(100 + n, true) : [])),
        ];
        expect(written.sort()).toEqual(wanted.sort());
        expect(
          diagnostics.filter(({ severity, code }) => severity === 'error' && code !== 'recipient-not-inside'),
        ).toEqual([]);
      },
    ),
    { numRuns: runs(300) },
  );
});
