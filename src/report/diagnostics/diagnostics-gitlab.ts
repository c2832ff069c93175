// Diagnostics as GitLab's code quality report (the Code Climate format, as far as GitLab reads it).

import type { Severity } from '../../model/workspace/codes.ts';
import type { DiagnosticReport } from '../../model/workspace/diagnostic.ts';
import { renderJson } from '../text/render-json.ts';
import { safeText } from '../text/terminal-text.ts';
import { messageWithPlaces } from '../text/words.ts';

const severities: Readonly<Record<Severity, string>> = { error: 'major', warning: 'minor', note: 'info' };

/** Ends with a newline. */
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
