// Loading as a whole: the order of the files, what is reported about named ones, and which defaults apply.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeFindings } from '../../src/declare/load/place-findings.ts';
import { diagnosticsOf, loadFiles, schedule } from '../support/apply/loading.ts';
import { runs } from '../support/runs/runs.ts';

describe('the order of files', () => {
  const parts: readonly string[] = [
    `schedules:\n${schedule('a')}`,
    `schedules:\n${schedule('b', ', colour: red')}`,
    `schedules:\n${schedule('c', ', paperFormat: a5')}dashboards: { d: { identifier: x, filterOrder: [a] } }\n`,
    'moved: [{ from: schedules.old, to: schedules.a }, { from: schedules.x, to: schedules.y }]\n',
    'adopt: [{ to: schedules.b, id: 2abba91d-9bec-41a0-8a8d-6f133b4ff0b7 }]\nremoved: [{ from: schedules.c, keep: true }]\n',
    'defaults: { schedules: { timezone: Nowhere } }\nschedules: { e: { identifier: y } }\n',
  ];

  it('the order of files does not change what is loaded', async () => {
    // A file keeps its name at any position; only the prefix changes.
    const inOrder = async (order: readonly number[]) => {
      const files = Object.fromEntries(order.map((part, at) => [`schedules/${at}-${part}.yaml`, parts[part] ?? '']));
      const loaded = await loadFiles(files);
      const plain = (value: unknown) => JSON.stringify(value).replaceAll(/schedules\/\d-/g, 'schedules/');
      return {
        diagnostics: (await placeFindings(loaded.findings, loaded)).map(plain).sort(),
        resources: loaded.desired.resources.map(plain).sort(),
        moves: loaded.desired.moves.map(plain).sort(),
      };
    };
    const expected = await inOrder([...parts.keys()]);
    expect(expected.diagnostics.length).toBeGreaterThan(5);
    const orders = fc.shuffledSubarray([...parts.keys()], { minLength: parts.length });
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        expect(await inOrder(order)).toEqual(expected);
      }),
      { numRuns: runs(50) },
    );
  });
});

describe('files that are named', () => {
  const files = {
    'schedules/a.yaml': `schedules:\n${schedule('a', ', colour: red')}`,
    'schedules/b.yaml': `moved: [{ from: schedules.old, to: schedules.a }]\nschedules:\n${schedule('a')}`,
  };

  it('a duplicate is reported for a named file whichever of the two files is named', async () => {
    const codes = async (path: string) => (await diagnosticsOf(files, [path])).map(({ code, file }) => [code, file]);
    expect(await codes('schedules/a.yaml')).toContainEqual(['duplicate-address', 'schedules/b.yaml']);
    expect(await codes('schedules/b.yaml')).toContainEqual(['duplicate-address', 'schedules/b.yaml']);
  });
});
