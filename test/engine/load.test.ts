// Loading as a whole: whatever stands in the files, and in whatever order, the same is said of them, and nothing throws.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Loaded, load } from '../../src/engine/load/load.ts';
import { placeFindings } from '../../src/engine/load/place-findings.ts';
import { showableFile, snippetAt } from '../../src/engine/load/source-snippet.ts';
import { secretsOf } from '../../src/engine/propose/seal.ts';
import type { Diagnostic } from '../../src/model/workspace/diagnostic.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { makeMemoryWorkspace } from '../support/memory-workspace.ts';

type Files = Readonly<Record<string, string>>;

function loadFiles(files: Files, paths?: readonly string[]): Promise<Loaded> {
  const clock = makeInstantClock(Date.UTC(2026, 10, 21));
  return load({ workspace: makeMemoryWorkspace(files), environment: () => undefined, clock, paths });
}

async function diagnosticsOf(files: Files, paths?: readonly string[]): Promise<readonly Diagnostic[]> {
  const loaded = await loadFiles(files, paths);
  return placeFindings(loaded.findings, loaded.fileNamed);
}

const schedule = (key: string, more = '') =>
  `  ${key}: { identifier: 12db1a0a, name: ${key}, schedule: 0 9 ? * MON *, timezone: UTC, format: pdf, destinationType: email, recipients: [ana@example.com], subject: x${more} }\n`;

describe('any text at all', () => {
  // Pieces that mean something here, so that the texts get far.
  const pieces = [
    'schedules:',
    'dashboards:',
    'aiJobs:',
    'moved:',
    'adopt:',
    'removed:',
    'defaults:',
    'api:',
    'variables:',
    'environments:',
    'weekly:',
    'format: pdf',
    'format: ${var.x}',
    'recipients: [a@b.c, a@b.c]',
    'passwordUnencrypted: "hunter2',
    'schedule: 0 9 ? * MON *',
    'filters: { a: { values: [1] } }',
    'lifecycle: { ignoreChanges: [x] }',
    'extra: { name: 1 }',
    '{ from: schedules.a, to: schedules.weekly }',
    '<<: *a',
    '&a',
    '*a',
    ': ',
    '- ',
    '? ',
    '\n',
    '\n  ',
    '\n    ',
    '\t',
    '{',
    '}',
    '[',
    ']',
    ', ',
    '"',
    "'",
    '|',
    '---\n',
    '...\n',
    '%YAML 1.1\n',
    '!!set ',
    '08',
    '12e999',
    'null',
    '__proto__: ',
    '$secret: ',
    '# x\n',
    '\u0000',
    '\ud800',
    '\r\n',
    '\u2028',
    '🙂',
  ];
  const text = fc
    .array(fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...pieces) }, fc.string({ maxLength: 6 })), {
      maxLength: 30,
    })
    .map((parts) => parts.join(''));

  it('gives diagnostics, each with its lines, and never throws', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (source, config) => {
        const loaded = await loadFiles({ 'schedules/a.yaml': source, 'almanac.yaml': config });
        const secrets = secretsOf(loaded.desired).flatMap((secret) => secret.reveal() ?? []);
        for (const { file = '', line, column } of placeFindings(loaded.findings, loaded.fileNamed)) {
          if (line === undefined) continue;
          const { lines } = snippetAt(showableFile(loaded.fileNamed(file)?.text ?? '', secrets), line);
          expect(lines.length).toBeGreaterThan(0);
          expect(column).toBeGreaterThan(0);
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe('the order of files', () => {
  const parts: readonly string[] = [
    `schedules:\n${schedule('a')}`,
    `schedules:\n${schedule('b', ', colour: red')}`,
    `schedules:\n${schedule('c', ', paperFormat: a5')}dashboards: { d: { identifier: x, filterOrder: [a] } }\n`,
    'moved: [{ from: schedules.old, to: schedules.a }, { from: schedules.x, to: schedules.y }]\n',
    'adopt: [{ to: schedules.b, id: 2abba91d-9bec-41a0-8a8d-6f133b4ff0b7 }]\nremoved: [{ from: schedules.c, keep: true }]\n',
    'defaults: { schedules: { timezone: Nowhere } }\nschedules: { e: { identifier: y } }\n',
  ];

  it('has no meaning', async () => {
    // A file goes by the same name wherever it stands in the order; only the prefix changes.
    const inOrder = async (order: readonly number[]) => {
      const files = Object.fromEntries(order.map((part, at) => [`schedules/${at}-${part}.yaml`, parts[part] ?? '']));
      const loaded = await loadFiles(files);
      const plain = (value: unknown) => JSON.stringify(value).replaceAll(/schedules\/\d-/g, 'schedules/');
      return {
        diagnostics: placeFindings(loaded.findings, loaded.fileNamed).map(plain).sort(),
        resources: loaded.desired.resources.map(plain).sort(),
        moves: loaded.desired.moves.map(plain).sort(),
      };
    };
    const expected = await inOrder([...parts.keys()]);
    expect(expected.diagnostics.length).toBeGreaterThan(6);
    const orders = fc.shuffledSubarray([...parts.keys()], { minLength: parts.length });
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        expect(await inOrder(order)).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });
});

describe('a large workspace', () => {
  it('of one file of 5 MB simply works', async () => {
    const count = 30_000;
    const source = `schedules:\n${Array.from({ length: count }, (_, index) => schedule(`s${index}`)).join('')}`;
    expect(source.length).toBeGreaterThan(5e6);
    const loaded = await loadFiles({ 'schedules/a.yaml': source });
    expect(loaded.findings).toEqual([]);
    expect(loaded.desired.resources).toHaveLength(count);
    expect(loaded.desired.resources.at(-1)?.line).toBe(count + 1);
  });

  it('with an error in every resource, behind anchors and without, finds them in time', async () => {
    const wrong = Array.from({ length: 5000 }, (_, index) => schedule(`s${index}`, ', <<: *more, colour: red'));
    const began = performance.now();
    const diagnostics = await diagnosticsOf({
      'schedules/a.yaml': `x-more: &more { paperFormat: a5 }\nschedules:\n${wrong.join('')}`,
    });
    // What is wrong behind the anchor is one mistake.
    expect(diagnostics).toHaveLength(5001);
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  it('with more findings than a call has room for arguments finds them all', async () => {
    const diagnostics = await diagnosticsOf({ 'schedules/a.yaml': `x-a:\n${'- 08\n'.repeat(200_000)}` });
    expect(diagnostics).toHaveLength(200_000);
  });

  it('of thousands of moves and adoptions checks them in time', async () => {
    const count = 5000;
    const uuid = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    const indices = [...Array(count).keys()];
    const began = performance.now();
    const diagnostics = await diagnosticsOf({
      'schedules/a.yaml': `schedules:\n${schedule('end')}moved:\n${indices
        .map(
          (index) =>
            `- { from: schedules.m${index}, to: schedules.${index + 1 === count ? 'end' : `m${index + 1}`} }\n`,
        )
        .join('')}`,
      'schedules/b.yaml': `schedules:\n${indices.map((index) => schedule(`a${index}`)).join('')}adopt:\n${indices
        .map((index) => `- { to: schedules.a${index}, id: ${uuid(index)} }\n`)
        .join('')}`,
    });
    expect(diagnostics).toEqual([]);
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});

describe('files that are named', () => {
  const files = {
    'schedules/a.yaml': `schedules:\n${schedule('a', ', colour: red')}`,
    'schedules/b.yaml': `moved: [{ from: schedules.old, to: schedules.a }]\nschedules:\n${schedule('a')}`,
  };

  it('are the only ones of which is spoken, and are read with the others', async () => {
    const { findings, files: read, desired } = await loadFiles(files, ['schedules/b.yaml']);
    expect(findings.map(({ code }) => code)).toEqual(['duplicate-address']);
    expect([read, desired.resources.length]).toEqual([['schedules/b.yaml'], 1]);
  });

  it('hear of what stands twice, whichever of the two is named', async () => {
    const codes = async (path: string) => (await diagnosticsOf(files, [path])).map(({ code, file }) => [code, file]);
    expect(await codes('schedules/a.yaml')).toContainEqual(['duplicate-address', 'schedules/a.yaml']);
    expect(await codes('schedules/b.yaml')).toContainEqual(['duplicate-address', 'schedules/b.yaml']);
  });
});
