// Findings to diagnostics: each with its line and column, each fault once, in the order of files and lines.

import { codes } from '../model/codes.ts';
import { byPlace, type Diagnostic, type Finding, severityOf } from '../model/diagnostic.ts';
import { byCodeUnit } from '../model/json.ts';
import type { SourceFile } from '../model/source-file.ts';
import { type Locator, makeLocator } from '../parse/locate.ts';

export function placeFindings(
  findings: readonly Finding[],
  fileNamed: (path: string) => SourceFile | undefined,
): readonly Diagnostic[] {
  const locator = makeLocator(fileNamed);
  const byFile = [...findings].sort((a, b) => byCodeUnit(a.place?.file ?? '', b.place?.file ?? ''));
  const distinct = new Map<string, Diagnostic>();
  for (const finding of byFile) {
    const fault = JSON.stringify([finding.code, finding.place, finding.message]);
    if (!distinct.has(fault)) distinct.set(fault, diagnosticOf(finding, locator));
  }
  return [...distinct.values()].sort(byPlace);
}

function diagnosticOf(finding: Finding, locator: Locator): Diagnostic {
  const { place } = finding;
  const position = place && locator.locate(place);
  const hint = finding.quote && place ? quoteHint(locator.sourceAt(place)) : finding.hint;
  return {
    severity: severityOf(finding),
    code: finding.code,
    summary: codes[finding.code].summary,
    message: finding.message,
    ...(place === undefined ? {} : { file: place.file }),
    ...(position === undefined
      ? {}
      : { line: position.line, column: position.column, endLine: position.endLine, endColumn: position.endColumn }),
    ...(finding.address === undefined ? {} : { address: finding.address }),
    ...(place !== undefined && 'pointer' in place ? { path: place.pointer } : {}),
    ...(hint === undefined ? {} : { hint }),
  };
}

function quoteHint(source: string | undefined): string {
  return source === undefined ? 'Quote it.' : `Quote it: "${source}".`;
}
