// Loading any text gives diagnostics and throws nothing.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeFindings } from '../../src/declare/load/place-findings.ts';
import { shownSources } from '../../src/declare/load/shown-sources.ts';
import { loadFiles } from '../support/apply/loading.ts';
import { runs } from '../support/runs/runs.ts';

describe('any text at all', () => {
  // Pieces with a meaning, so that the texts get past the first checks.
  const lines = `schedules:|dashboards:|aiJobs:|moved:|adopt:|removed:|defaults:|api:|variables:|environments:|weekly:
format: pdf|format: \${var.x}|recipients: [a@b.c, a@b.c]|passwordUnencrypted: "hunter2|schedule: 0 9 ? * MON *
filters: { a: { values: [1] } }|lifecycle: { ignoreChanges: [x] }|extra: { name: 1 }
{ from: schedules.a, to: schedules.weekly }|<<: *a|&a|*a|: |- |? |{|}|[|]|, |"|'|!!set |08|12e999|null|__proto__: |$secret: `;
  const pieces = [
    ...lines.split(/[|\n]/),
    ...['|', '\n', '\n  ', '\n    ', '\t', '---\n', '...\n', '%YAML 1.1\n', '# x\n'],
    ...['\u0000', '\ud800', '\r\n', '\u2028', '🙂'],
  ];
  const text = fc
    .array(fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...pieces) }, fc.string({ maxLength: 6 })), {
      maxLength: 30,
    })
    .map((parts) => parts.join(''));

  it('loading any text gives diagnostics with their lines and never throws', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (source, config) => {
        const loaded = await loadFiles({ 'schedules/a.yaml': source, 'almanac.yaml': config });
        const sources = shownSources(loaded);
        for (const { file = '', line, column } of await placeFindings(loaded.findings, loaded)) {
          if (line === undefined) continue;
          expect(sources.linesAt(file, line)?.lines.length).toBeGreaterThan(0);
          expect(column).toBeGreaterThan(0);
        }
      }),
      { numRuns: runs(3000) },
    );
  });
});
