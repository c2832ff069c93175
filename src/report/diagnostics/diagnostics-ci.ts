// Diagnostics for CI: annotations of GitHub Actions, and GitLab's code quality report. An annotation is a workflow
// command on a line of its own, which the runner shows at the line of the pull request. People read the text between
// the commands in the log.

import type { Severity } from '../../model/workspace/codes.ts';
import type { DiagnosticReport, ReportedDiagnostic } from '../../model/workspace/diagnostic.ts';
import { renderJson } from '../text/render-json.ts';
import { safeText } from '../text/terminal-text.ts';
import { messageWithPlaces, renderDiagnosticsSummary } from './findings-doc.ts';

const commands: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', note: 'notice' };

/** GitHub shows this many annotations of each kind for a step, and silently drops the others. */
const maxShown = 10;

/** Ends with a newline. */
export function renderGithubAnnotations(report: DiagnosticReport): string {
  const { diagnostics } = report;
  const summary = `${renderDiagnosticsSummary(report)}.`;
  const isCut = Object.keys(commands).some(
    (severity) => diagnostics.filter((each) => each.severity === severity).length > maxShown,
  );
  const limitNotice = `${summary} GitHub shows the first ${maxShown} of each kind; the log has all of them.`;
  const notice = `::notice title=almanac validate::${escapeGithub(limitNotice)}`;
  return `${[...(isCut ? [notice] : []), ...diagnostics.map(annotation), summary].join('\n')}\n`;
}

function annotation(diagnostic: ReportedDiagnostic): string {
  const { severity, code, summary } = diagnostic;
  const properties = { ...placeProperties(diagnostic), title: `${code}: ${summary}` };
  const given = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${escapeGithubProperty(String(value))}`,
  );
  return `::${commands[severity]} ${given.join(',')}::${escapeGithub(messageWithPlaces(diagnostic))}`;
}

function placeProperties({
  file,
  line,
  column,
  endLine,
  endColumn,
}: ReportedDiagnostic): Record<string, string | number | undefined> {
  if (file === undefined) return {};
  if (line === undefined) return { file };
  // GitHub takes columns only where the annotation begins and ends on one line.
  const isOnOneLine = endLine === undefined || endLine === line;
  return {
    file,
    line,
    col: isOnOneLine ? column : undefined,
    endLine,
    endColumn: isOnOneLine ? endColumn : undefined,
  };
}

/** Percent-encodes characters that would end the command or begin another one, except for line ends. */
function escapeGithub(text: string): string {
  return safeText(text, { keepNewlines: true }).replaceAll('%', '%25').replaceAll('\n', '%0A');
}

function escapeGithubProperty(text: string): string {
  return escapeGithub(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

const severities: Readonly<Record<Severity, string>> = { error: 'major', warning: 'minor', note: 'info' };

/** The Code Climate format, as far as GitLab reads it. Ends with a newline. */
export function renderGitlabCodeQuality({ diagnostics, home }: DiagnosticReport): string {
  const issues = diagnostics.map((diagnostic) => ({
    description: safeText(messageWithPlaces(diagnostic)).replace(/ {2,}/g, ' '),
    check_name: diagnostic.code,
    fingerprint: diagnostic.fingerprint,
    severity: severities[diagnostic.severity],
    location: { path: diagnostic.file ?? home, lines: { begin: diagnostic.line ?? 1 } },
  }));
  return renderJson(issues);
}
