import { describe, expect, it } from 'vitest';
import { diagnosticReport } from '../../src/commands/validate/validate.ts';
import type { Diagnostic } from '../../src/model/workspace/diagnostic.ts';

const duplicate: Diagnostic = {
  severity: 'error',
  code: 'duplicate-key',
  summary: 'a key appears twice in the same map',
  message: '`name` stands on line 12 already.',
  file: 'schedules/a.yaml',
  line: 14,
  column: 5,
  endLine: 14,
  endColumn: 9,
};

function reportOf(diagnostics: readonly Diagnostic[], folder = '') {
  const files = ['schedules/a.yaml'];
  return diagnosticReport({ toolVersion: '0', strict: false, diagnostics, files, configFile: undefined, folder });
}

const fingerprintsOf = (...diagnostics: readonly Diagnostic[]) =>
  reportOf(diagnostics).diagnostics.map(({ fingerprint }) => fingerprint);

describe('fingerprints', () => {
  it('a fingerprint stays the same when the fault moves to other lines', () => {
    const moved = { ...duplicate, message: '`name` stands on line 40 already.', line: 42, endLine: 42 };
    expect(fingerprintsOf(moved)).toEqual(fingerprintsOf(duplicate));
    expect(fingerprintsOf(duplicate)[0]).toMatch(/^[0-9a-f]{40}$/);
  });

  it('a fingerprint differs by fault, file, place and resource, and for the second occurrence of a fault', () => {
    const faults: readonly Diagnostic[] = [
      duplicate,
      duplicate,
      { ...duplicate, code: 'invalid-key' },
      { ...duplicate, file: 'schedules/b.yaml' },
      { ...duplicate, path: '/schedules/x/name' },
      { ...duplicate, address: 'schedules.x' },
      { ...duplicate, message: '`subject` stands on line 12 already.' },
    ];
    expect(new Set(fingerprintsOf(...faults)).size).toBe(faults.length);
  });

  it('a fingerprint does not depend on the other findings', () => {
    const other = { ...duplicate, file: 'schedules/0.yaml' };
    expect(fingerprintsOf(other, duplicate)[1]).toBe(fingerprintsOf(duplicate)[0]);
  });
});

describe('paths', () => {
  it('the paths of a report are relative to the root of the repository', () => {
    const { diagnostics, files, home } = reportOf(
      [duplicate, { ...duplicate, file: '../common/x.yaml' }],
      'reports/omni',
    );
    expect(diagnostics.map(({ file }) => file)).toEqual(['reports/omni/schedules/a.yaml', 'reports/common/x.yaml']);
    expect(files).toEqual(['reports/omni/schedules/a.yaml']);
    expect(home).toBe('reports/omni/almanac.yaml');
  });

  it('a report omits the path of a diagnostic that concerns no file', () => {
    const { file: _, line: __, ...rest } = duplicate;
    expect(reportOf([rest]).diagnostics[0]?.file).toBeUndefined();
  });
});
