// Every finding about a plan, as the team wants it. The checks that almanac.yaml turns off and that would warn of what the
// plan changes are named: a pull request can change both, and whoever reviews its plan sees only the plan.

import type { Change } from '../../model/plan/plan.ts';
import { planFindings } from '../../model/plan/plan-findings.ts';
import { type Finding, severityOf } from '../../model/workspace/diagnostic.ts';
import { countOf } from '../../render/text/count-words.ts';
import { judgeFindings } from '../../validate/checks/judge-findings.ts';
import type { Loaded } from '../load/load.ts';
import { placeFindings } from '../load/place-findings.ts';

/** `found`: what the plan adds to the findings about the files. */
export async function judgedFindings(
  found: readonly Finding[],
  changes: readonly Change[],
  loaded: Loaded,
): Promise<readonly Finding[]> {
  const findings = [...loaded.findings, ...judgeFindings(found, loaded)];
  return [...findings, ...(await turnedOff(findings, changes, loaded))];
}

/** One note for all of them; none where no warning would be shown. */
async function turnedOff(
  findings: readonly Finding[],
  changes: readonly Change[],
  { config, fileNamed }: Loaded,
): Promise<readonly Finding[]> {
  const off = findings.filter((finding) => severityOf(finding) === 'off');
  if (off.length === 0) return [];
  const warnings = await placeFindings(
    off.map((finding) => ({ ...finding, severity: 'warning' as const })),
    fileNamed,
  );
  const hidden = [...new Set(warnings.map(({ code }) => code))].sort().flatMap((code) => {
    const ofCode = warnings.filter((warning) => warning.code === code);
    const { shown, more } = planFindings({ changes, diagnostics: ofCode });
    const count = more.reduce((sum, each) => sum + each.count, shown.length);
    return count === 0 ? [] : [{ code, count }];
  });
  if (hidden.length === 0) return [];
  const count = hidden.reduce((sum, each) => sum + each.count, 0);
  const [are, they] = count === 1 ? ['is', 'it is'] : ['are', 'they are'];
  const names = hidden.map(({ code }) => `\`${code}\``).join(', ');
  return [
    {
      code: 'check-turned-off',
      message: `${countOf(count, 'warning')} that this plan would show ${are} turned off by \`checks\`: ${names}.`,
      hint: `Where you did not expect that, remove the entry from \`checks\` to see what ${they}.`,
      ...(config?.file === undefined
        ? {}
        : { place: { file: config.file, document: 0, pointer: '/checks', at: 'key' } }),
    },
  ];
}
