// `command: drift`: what differs in Omni from what was applied, and what nobody declared. Other steps show the same
// reports where people look for them, such as in an issue.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fence, folded } from '../comments/markdown.mjs';
import { failureWords, workspaceWords } from './plan-reports.mjs';

const files = { text: 'drift.txt', markdown: 'drift.md', json: 'drift.json' };

export async function driftWorkspace(run) {
  const paths = Object.fromEntries(Object.entries(files).map(([format, name]) => [format, run.reportFile(name)]));
  const reports = Object.entries(paths).map(([format, path]) => `--report=${format}=${path}`);
  const deep = run.deep ? ['--deep'] : [];
  const { code: exitCode, log } = await run.almanac(['drift', ...deep, '--untracked', ...reports, ...run.options]);
  const failed = (exitCode !== 0 && exitCode !== 2) || Object.values(paths).some((path) => !existsSync(path));
  if (failed) {
    run.setOutputs({ exitcode: exitCode || 1 });
    run.addToSummary(failureWords('drift', { exitCode: exitCode || 1, log }, run));
    return 1;
  }
  // Masks secrets in the reports too, because they are uploaded or shown.
  for (const path of Object.values(paths)) writeFileSync(path, run.redact(readFileSync(path, 'utf8')));
  const { drift = [], untracked = [] } = JSON.parse(readFileSync(paths.json, 'utf8'));
  run.setOutputs({
    changes: drift.length > 0,
    untracked: untracked.length,
    exitcode: exitCode,
    'text-plan-path': paths.text,
    'markdown-plan-path': paths.markdown,
    'json-plan-path': paths.json,
  });
  const text = folded('The same as text', fence(readFileSync(paths.text, 'utf8')));
  run.addToSummary(`${workspaceWords(run)}${readFileSync(paths.markdown, 'utf8')}\n${text}`);
  if (drift.length > 0) run.annotate('warning', `Drift: ${countOf(drift.length, 'resource')}.`);
  if (untracked.length > 0) run.annotate('notice', `Not declared: ${countOf(untracked.length, 'schedule')} in Omni.`);
  return run.detailedExitcode ? exitCode : 0;
}

function countOf(count, word) {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}
