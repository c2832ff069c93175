// `command: plan`: the plan with every report, and the text of the comment on the pull request.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { code } from '../comments/markdown.mjs';
import { firstLine, markerOf } from '../comments/marker.mjs';
import { baseLines, baseWords, compareWithBase } from './compare-base.mjs';
import { planned, planSummary } from './reports.mjs';
import { failureWords, workspaceWords } from './summary-words.mjs';

/** The parts of a plan document that a reviewer should see. */
const reviewed = ['changes', 'dangers', 'diagnostics', 'drift', 'orphans', 'unresolved'];

export async function planWorkspace(run) {
  const { differences, options } = await compareWithBase(run, run.base);
  for (const line of baseLines(differences)) run.annotate('warning', line);
  const first = baseWords(differences);
  const plan = await planned(run, [...run.options, ...options]);
  if (plan.failed) {
    const words = `${first}${failureWords('plan', plan, run)}`;
    run.setOutputs({ exitcode: plan.exitCode, ...commentOutput(run, words, { digest: '', changes: [] }) });
    run.addToSummary(words);
    return 1;
  }
  const { document } = plan;
  const differs = document.changes.length > 0;
  const exitCode = differs ? 2 : 0;
  const comment = commentOutput(run, `${first}${commentWords(plan, run)}`, document);
  run.setOutputs({ changes: differs, exitcode: exitCode, ...comment });
  run.addToSummary(`${first}${planSummary(plan, run)}`);
  return run.detailedExitcode ? exitCode : 0;
}

/** A pull request that changes nothing in Omni gets one short paragraph, which records that too. */
function commentWords({ document, paths }, run) {
  const isCalm = reviewed.every((part) => (document[part] ?? []).length === 0);
  if (!isCalm) return `${workspaceWords(run)}${readFileSync(paths.markdown, 'utf8')}`;
  const at = document.baseUrl ? ` at ${code(String(document.baseUrl))}` : '';
  return `${workspaceWords(run)}**Almanac plan: no changes**${at}. Merging this applies nothing.\n`;
}

function commentOutput(run, markdown, { digest, changes }) {
  const identity = markerOf({ environment: run.environment, directory: run.folder.name });
  const first = firstLine(identity, { digest, head: run.head, base: run.base.branch, changes });
  const path = join(run.reports, 'comment.md');
  writeFileSync(path, run.redact(`${first}\n${markdown}`));
  return { 'comment-path': path };
}
