// `command: doctor`: what an apply would lack, as annotations and as a table in the job summary. The step ends with the
// exit code of almanac, so nothing after it runs where a check failed.

import { code } from '../comments/markdown.mjs';
import { parsed } from '../runner/json.mjs';
import { countOf, errorText, failureWords, workspaceWords } from './summary-words.mjs';

/** How a check looks in the summary, and the level of its annotation. */
const looks = {
  ok: { sign: '✅' },
  warning: { sign: '⚠️', level: 'warning' },
  failed: { sign: '❌', level: 'error' },
  skipped: { sign: '➖' },
};

export async function checkReadiness(run) {
  const answer = await run.almanac(['doctor', '--format=json', ...run.options], { capture: true });
  const { code: exitCode, stdout, log } = answer;
  run.setOutputs({ exitcode: exitCode });
  const document = parsed(stdout);
  if (!Array.isArray(document?.checks)) {
    const words = document?.error === undefined ? '' : errorText(document.error);
    if (words !== '') run.annotate('error', words);
    run.addToSummary(failureWords('doctor', { exitCode, log: `${log}${words}` }, run));
    return exitCode || 1;
  }
  const checks = document.checks.map((check) => answered(check, run));
  for (const check of checks) {
    const level = looks[check.status]?.level;
    if (level !== undefined) run.annotate(level, `${check.name}: ${errorText(check)}`);
  }
  run.addToSummary(table(checks, run));
  return exitCode;
}

/** Who may write the branch of the state is a question for GitHub, which the step before this one asked. */
function answered(check, { rules }) {
  return check.name === 'state-branch' && rules !== undefined ? { name: check.name, ...rules } : check;
}

function table(checks, run) {
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

function ending(checks) {
  const count = (wanted) => checks.filter(({ status }) => status === wanted).length;
  const [failed, warnings] = [count('failed'), count('warning')];
  const words = [
    ...(failed === 0 ? [] : [`${countOf(failed, 'check')} failed`]),
    ...(warnings === 0 ? [] : [countOf(warnings, 'warning')]),
  ];
  return words.length === 0 ? 'everything is in place for an apply' : words.join(', ');
}
