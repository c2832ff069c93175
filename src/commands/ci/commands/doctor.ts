// `command: doctor`: what an apply would lack, as annotations and as a table in the job summary. The step ends with the
// exit code of almanac, so nothing after it runs if a check failed.

import { parseJson } from '../../../model/values/json.ts';
import { countOf } from '../../../model/values/words.ts';
import type { Check, CheckStatus, DoctorDocument } from '../../doctor/doctor-document.ts';
import { code } from '../comments/markdown.ts';
import type { Level } from '../runner/files.ts';
import type { ActionRun } from './run.ts';
import { errorText, reportFailure, type Said, workspaceWords } from './summary-words.ts';

/** A check's sign in the summary and the level of its annotation, keyed by its status. */
const looks: Readonly<Record<string, { readonly sign: string; readonly level?: Level }>> = {
  ok: { sign: '✅' },
  warning: { sign: '⚠️', level: 'warning' },
  failed: { sign: '❌', level: 'error' },
  skipped: { sign: '➖' },
};

export async function checkReadiness(run: ActionRun): Promise<number> {
  const args = ['doctor', '--format=json', ...run.options];
  const { code: exitCode, stdout, log } = await run.almanac(args, { capture: true });
  run.setOutputs({ exitcode: exitCode });
  const { checks: found, error } = (parseJson(stdout) ?? {}) as Partial<DoctorDocument> & { readonly error?: Said };
  if (!Array.isArray(found)) return reportFailure(run, 'doctor', { exitCode, log, error });
  // Only GitHub knows who may write the branch of the state, and the step before this one asked.
  const checks = (found as readonly Check[]).map((check) =>
    check.name === 'state-branch' ? { name: check.name, ...(run.rules ?? check) } : check,
  );
  for (const check of checks) {
    const level = looks[check.status]?.level;
    if (level !== undefined) run.annotate(level, `${check.name}: ${errorText(check)}`);
  }
  run.addToSummary(table(checks, run));
  return exitCode;
}

function table(checks: readonly Check[], run: ActionRun): string {
  const rows = checks.map(({ name, status, message, hint }) => {
    const words = [message, ...(hint === undefined ? [] : [hint])].map((text) => code(String(text))).join('<br>');
    return `| ${looks[status]?.sign ?? code(String(status))} | ${code(String(name))} | ${words} |`;
  });
  return [
    `## Almanac doctor: ${ending(checks)}`,
    '',
    `${workspaceWords(run)}| | check | |`,
    '|---|---|---|',
    ...rows,
  ].join('\n');
}

function ending(checks: readonly Check[]): string {
  const count = (wanted: CheckStatus) => checks.filter(({ status }) => status === wanted).length;
  const [failed, warnings] = [count('failed'), count('warning')];
  const words = [
    ...(failed === 0 ? [] : [`${countOf(failed, 'check')} failed`]),
    ...(warnings === 0 ? [] : [countOf(warnings, 'warning')]),
  ];
  return words.length === 0 ? 'everything is in place for an apply' : words.join(', ');
}
