// A workspace of megabytes with thousands of findings: all are found, in time.

import { describe, expect, it } from 'vitest';
import { placeFindings } from '../../src/declare/load/place-findings.ts';
import type { Finding } from '../../src/model/workspace/diagnostic.ts';
import { nothingDeclared } from '../../src/model/workspace/resource.ts';
import { diagnosticsOf, loadFiles, schedule } from '../support/apply/loading.ts';
import { runs } from '../support/runs/runs.ts';

describe('a large workspace', () => {
  it('a workspace of one file with 5 MB is loaded', async () => {
    const count = runs(30_000);
    const source = `schedules:\n${Array.from({ length: count }, (_, index) => schedule(`s${index}`)).join('')}`;
    expect(source.length).toBeGreaterThan(runs(4.9e6));
    const loaded = await loadFiles({ 'schedules/a.yaml': source });
    expect(loaded.findings).toEqual([]);
    expect(loaded.desired.resources).toHaveLength(count);
    expect(loaded.desired.resources.at(-1)?.line).toBe(count + 1);
  });

  it('a large workspace with an error in every resource, with and without anchors, is checked in time', async () => {
    const count = runs(5000);
    const wrong = Array.from({ length: count }, (_, index) => schedule(`s${index}`, ', <<: *more, colour: red'));
    const diagnostics = await diagnosticsOf({
      'schedules/a.yaml': `x-more: &more { paperFormat: a5 }\nschedules:\n${wrong.join('')}`,
    });
    // The mistake behind the anchor counts once.
    expect(diagnostics).toHaveLength(count + 1);
  });

  it('a workspace with more findings than a call can have arguments reports all of them', async () => {
    const count = Math.max(15_000, runs(150_000));
    const diagnostics = await diagnosticsOf({ 'schedules/a.yaml': `x-a:\n${'- .nan\n'.repeat(count)}` });
    expect(diagnostics).toHaveLength(10_001);
    expect(diagnostics.at(0)?.message).toBe(`${(count - 10_000).toLocaleString('en')} more findings were left out.`);
  });

  it('a workspace with thousands of moves and adoptions is checked in time', async () => {
    const count = runs(5000);
    const uuid = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    const indices = [...Array(count).keys()];
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
  });
});

describe('diagnostics', () => {
  const at = (code: Finding['code'], pointer: string): Finding => ({
    code,
    message: 'It is wrong.',
    hint: 'Fix it.',
    place: { file: 'a.yaml', document: 0, pointer, at: 'value' },
  });

  it('the time to place diagnostics grows with their number and the size of the file, no faster', async () => {
    const count = runs(8000);
    const lines = Array.from({ length: count }, (_, index) => `k${index}: &x { a: 08 }\nl${index}: *x\n`);
    const file = { path: 'a.yaml', text: lines.join('') };
    const findings = Array.from({ length: count }, (_, index): Finding[] => [
      at('wrong-type', `/k${index}/a`),
      at('unknown-value', `/l${index}/a`),
      { code: 'inexact-number', message: 'x', place: { file: 'a.yaml', span: { start: index, end: index + 1 } } },
    ]).flat();
    expect(await placeFindings(findings, { desired: nothingDeclared, fileNamed: () => file })).toHaveLength(
      Math.min(3 * count, 10_001),
    );
  });
});
