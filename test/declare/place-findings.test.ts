// From findings to diagnostics: each fault once, causes before consequences, in the order of files and lines, in linear
// time.

import { describe, expect, it } from 'vitest';
import { placeFindings } from '../../src/declare/load/place-findings.ts';
import type { Finding } from '../../src/model/workspace/diagnostic.ts';
import type { FindingSource } from '../../src/model/workspace/failure.ts';
import { nothingDeclared } from '../../src/model/workspace/resource.ts';

const texts: Readonly<Record<string, string>> = {
  'a.yaml': 'one: 08\ntwo: 12e999\nthree: { four: x }\n',
  'b.yaml': 'one: 1\n',
};
const source: FindingSource = {
  desired: nothingDeclared,
  fileNamed: (path) => {
    const text = texts[path];
    return text === undefined ? undefined : { path, text };
  },
};

const at = (code: Finding['code'], pointer: string, more: Partial<Finding> = {}): Finding => ({
  code,
  message: 'It is wrong.',
  hint: 'Mend it.',
  place: { file: 'a.yaml', document: 0, pointer, at: 'value' },
  ...more,
});
const shown = async (findings: readonly Finding[]) =>
  (await placeFindings(findings, source)).map(({ code, file, line, column }) => `${code} ${file}:${line}:${column}`);

describe('a fault', () => {
  it('a fault is reported once, however many resources share it', async () => {
    const one = at('unknown-value', '/one', { address: 'schedules.a' });
    const other = at('unknown-value', '/one', { address: 'schedules.b' });
    const diagnostics = await placeFindings([one, other], source);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]?.address).toBe('schedules.a');
  });

  it('a fault with other words, at another place, or without a place is reported separately', async () => {
    expect(
      await shown([
        at('unknown-value', '/one'),
        at('unknown-value', '/one', { message: 'Wrong otherwise.' }),
        at('unknown-value', '/one', { hint: 'Mend it otherwise.' }),
        at('unknown-value', '/three'),
        { code: 'no-sources', message: 'None.' },
        { code: 'no-sources', message: 'None here, either.' },
      ]),
    ).toHaveLength(6);
  });

  it('a fault hides the findings that follow from it', async () => {
    expect(await shown([at('inexact-number', '/one'), at('wrong-type', '/one')])).toEqual(['wrong-type a.yaml:1:6']);
    expect(await shown([at('inexact-number', '/one'), at('filter-value', '/one')])).toEqual([
      'inexact-number a.yaml:1:6',
    ]);
    expect(await shown([at('invalid-id', '/two'), at('not-a-number', '/two')])).toEqual(['not-a-number a.yaml:2:6']);
    expect(await shown([at('wrong-type', '/two'), at('unknown-anchor', '/two')])).toEqual([
      'unknown-anchor a.yaml:2:6',
    ]);
    expect(await shown([at('inexact-number', '/one'), at('wrong-type', '/two')])).toHaveLength(2);
  });
});

describe('diagnostics', () => {
  it('diagnostics are sorted by file, line, column and code', async () => {
    const findings = [
      at('wrong-type', '/three/four'),
      at('wrong-type', '/two'),
      at('unknown-value', '/two'),
      at('wrong-type', '/one', { place: { file: 'b.yaml', document: 0, pointer: '/one', at: 'value' } }),
      { code: 'no-sources', message: 'None.' } as const,
    ];
    const expected = [
      'no-sources undefined:undefined:undefined',
      'unknown-value a.yaml:2:6',
      'wrong-type a.yaml:2:6',
      'wrong-type a.yaml:3:16',
      'wrong-type b.yaml:1:6',
    ];
    expect(await shown(findings)).toEqual(expected);
    expect(await shown(findings.toReversed())).toEqual(expected);
  });
});
