// Diagnostics as SARIF 2.1.0, for code scanning. It has one run, a rule for each code that occurs, and a result for
// each diagnostic.

import { byCodeUnit } from '../../model/values/json.ts';
import { type Code, codes } from '../../model/workspace/codes.ts';
import type { DiagnosticReport, RelatedDiagnostic, ReportedDiagnostic } from '../../model/workspace/diagnostic.ts';
import { renderJson } from '../text/render-json.ts';
import { safeText } from '../text/terminal-text.ts';
import { codeHelp } from './code-help.ts';
import { messageWithHint } from './findings-doc.ts';

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const sourceRoot = '%SRCROOT%';

/** Ends with a newline. */
export function renderSarif({ toolVersion, diagnostics, home }: DiagnosticReport): string {
  const occurring = [...new Set(diagnostics.map(({ code }) => code))].sort(byCodeUnit);
  const rank = new Map(occurring.map((code, index) => [code, index]));
  return renderJson({
    $schema: schema,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'almanac', version: toolVersion, rules: occurring.map(ruleOf) } },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { [sourceRoot]: { description: { text: 'The root of the repository.' } } },
        results: diagnostics.map((diagnostic) => ({
          ruleId: diagnostic.code,
          ruleIndex: rank.get(diagnostic.code),
          level: diagnostic.severity,
          message: { text: escapeSarif(messageWithHint(diagnostic)) },
          locations: [locationOf(diagnostic, home)],
          relatedLocations: relatedLocations(diagnostic),
          partialFingerprints: { 'almanacDiagnostic/v1': diagnostic.fingerprint },
          suppressions: suppressions(diagnostic),
        })),
      },
    ],
  });
}

/** A finding that a declaration accepts is closed where it is declared (SARIF 2.1.0, 3.35). */
function suppressions({ accepted }: ReportedDiagnostic): readonly object[] | undefined {
  return accepted === undefined
    ? undefined
    : [{ kind: 'inSource', justification: safeText(accepted, { keepNewlines: true }) }];
}

function ruleOf(code: Code): object {
  const { severity, summary } = codes[code];
  const help = codeHelp[code];
  return {
    id: code,
    shortDescription: { text: `${summary.charAt(0).toUpperCase()}${summary.slice(1)}` },
    fullDescription: { text: plain(help) },
    help: { text: plain(help), markdown: help },
    defaultConfiguration: { level: severity },
  };
}

/** A diagnostic about the whole workspace is placed at the top of its configuration: code scanning needs a place. */
function locationOf(diagnostic: ReportedDiagnostic, home: string): object {
  const { address, file = home } = diagnostic;
  return {
    physicalLocation: physicalLocation({ ...diagnostic, file }),
    logicalLocations: address === undefined ? undefined : [{ fullyQualifiedName: address, kind: 'resource' }],
  };
}

function physicalLocation({ file, line, column, endLine, endColumn }: Omit<RelatedDiagnostic, 'message'>): object {
  const region = line === undefined ? { startLine: 1 } : { startLine: line, startColumn: column, endLine, endColumn };
  return { artifactLocation: { uri: uriOf(file), uriBaseId: sourceRoot }, region };
}

/** Other places of the diagnostic (SARIF 2.1.0, 3.27.22). */
function relatedLocations({ related }: ReportedDiagnostic): readonly object[] | undefined {
  return related?.map(({ message, ...place }, id) => ({
    id,
    physicalLocation: physicalLocation(place),
    message: { text: escapeSarif(message) },
  }));
}

/** A relative reference, with each part of the path in percent where necessary. */
function uriOf(path: string): string {
  return path
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/');
}

/** `[text](target)` would be a link and `{0}` a placeholder (SARIF 2.1.0, 3.11.5 and 3.11.6). */
function escapeSarif(text: string): string {
  const safe = safeText(text, { keepNewlines: true });
  const unlinked = /\]\(/.test(safe) ? safe.replace(/[\\[\]]/g, '\\$&') : safe;
  return /\{\d+\}/.test(unlinked) ? unlinked.replace(/[{}]/g, '$&$&') : unlinked;
}

function plain(markdown: string): string {
  return markdown.replaceAll('`', '');
}
