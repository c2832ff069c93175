// The check `recipient-not-inside`: that it finds every address outside and no other one, and when waivers end. How it says
// so, and who waives an address, is in transcripts/validate/recipients-outside.txt.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeFindings } from '../../src/declare/acceptances.ts';
import type { Config } from '../../src/model/workspace/config.ts';
import type { Finding } from '../../src/model/workspace/diagnostic.ts';
import { diagnosticsOf, type LoadingOptions, loadFiles, schedule } from '../support/apply/loading.ts';
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

test('a finding of a check that is off by default is dropped where checks does not name it, and kept as off where it does', () => {
  const finding: Finding = { code: 'recipient-not-inside', message: 'She is outside.', hint: 'Remove her.' };
  const judgedWith = (checks: Config['checks']) =>
    judgeFindings([finding], {
      config: { checks },
      desired: { resources: [] },
      days: { today: '2026-11-21', ended: 'warns' },
    });
  expect(judgedWith({})).toEqual([]);
  expect(judgedWith({ 'recipient-not-inside': 'off' })).toMatchObject([{ severity: 'off' }]);
  expect(judgedWith({ 'recipient-not-inside': 'warning' })).toMatchObject([{ severity: 'warning' }]);
});

const source = (text: string) => ({ 'schedules/a.yaml': text });

test('an address of an audience that a thousand schedules use is found once', async () => {
  const items = [...Array(1000).keys()].map((n) => `i${n}: {}`).join(', ');
  const loop = to('a', `"\${audience.p}"`, `, forEach: { ${items} }`).replace('name: a', `name: "a \${each.key}"`);
  const emails = [...Array(5).keys()].map((n) => `p${n}@out.example`).join(', ');
  const all = await found(source(`audiences: { p: { emails: [${emails}] } }\nschedules:\n${loop}`));
  expect(all.filter((line) => line.includes(' error '))).toHaveLength(5);
});

test('an address that many use is one finding, which counts them, names five and concerns all', async () => {
  const items = [...Array(1000).keys()].map((n) => `i${n}: {}`).join(', ');
  const loop = to('a', `"\${audience.p}"`, `, forEach: { ${items} }`).replace('name: a', `name: "a \${each.key}"`);
  const text = `audiences: { p: { emails: [p0@out.example, p1@out.example] } }\nschedules:\n${loop}`;
  const { findings } = await loadFiles({ 'almanac.yaml': rule, ...source(text) });
  const ours = findings.filter(({ code }) => code === 'recipient-not-inside');
  expect(ours).toHaveLength(2);
  for (const { message, concerns } of ours) {
    expect(message).toMatch(
      / in `schedules\.a\.i0`, `schedules\.a\.i1`, `schedules\.a\.i2`, `schedules\.a\.i3`, `schedules\.a\.i4` and 995 more\.$/,
    );
    expect(concerns).toHaveLength(1000);
  }
});

test.each(['ana%out.example@acme.com', 'out.example!ana@acme.com', '=?utf-8?q?ana=40out.example=3e=00?=bo@acme.com'])(
  'the address %s is outside, because it may have a way behind its domain',
  async (address) => {
    const all = await diagnosticsOf({ 'almanac.yaml': rule, ...source(`schedules:\n${to('a', `["${address}"]`)}`) });
    expect(all.map(({ code }) => code)).toContain('recipient-not-inside');
  },
);

test('what is no address has that error alone, and is judged only where nothing else judges it', async () => {
  const recipients = to('a', '["Ana <ana@out.example>"]', ', extra: { cc: "Ana <ana@out.example>" }');
  const emails = 'audiences: { p: { emails: ["Bo <bo@acme.com>"] } }';
  expect((await found(source(`${emails}\nschedules:\n${recipients}`))).toSorted()).toEqual([
    expect.stringMatching(/:1:\d+ warning unused-audience$/),
    expect.stringMatching(/:1:\d+ error invalid-email$/),
    expect.stringMatching(/:3:\d+ error invalid-email$/),
    expect.stringMatching(/:3:\d+ error schedules\.a$/),
  ]);
});

test('audiences that are aliases of one list are each judged by their own waiver', async () => {
  const uses = ['p', 'q'].map((name) => to(name, `"\${audience.${name}}"`)).join('');
  const audiences = `audiences: { p: { emails: &all [bo@out.example], ${waiver} }, q: { emails: *all } }`;
  expect(await found(source(`${audiences}\nschedules:\n${uses}`))).toEqual(['schedules/a.yaml:1:33 error schedules.q']);
});

test('a waiver of the audience, or of all who use it, accepts the finding with its reason', async () => {
  const of = (ofAudience: string, ofUses: string) => {
    const uses = ['a', 'b'].map((key) => to(key, `"\${audience.p}"`, ofUses)).join('');
    return found(source(`audiences: { p: { emails: [bo@out.example]${ofAudience} } }\nschedules:\n${uses}`));
  };
  const accepted = ['schedules/a.yaml:1:28 accepted (a partner) schedules.a schedules.b'];
  expect(await of(`, ${waiver}`, '')).toEqual(accepted);
  expect(await of('', `, ${waiver}`)).toEqual(accepted);
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
