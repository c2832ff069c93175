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

function commentOutput(run, markdown, document) {
  const identity = markerOf({ environment: run.environment, directory: run.folder.name });
  const { digest, changes } = document;
  const { branch: base, commit: onto } = run.base;
  const first = firstLine(identity, { digest, head: run.head, base, onto, ...silence(document, run.options), changes });
  const path = join(run.reports, 'comment.md');
  writeFileSync(path, run.redact(`${first}\n${markdown}`));
  return { 'comment-path': path };
}

/** The options with which a plan is silent about changes that are open. */
const partial = /^--(?:target|replace|refresh-only)(?:=|$)/;
/** Findings about a resource that was not compared, or that is left as it is. */
const notCompared = ['missing-variable', 'secret-waits', 'not-observed', 'entry-left-as-is'];

/** What a plan of this document says nothing about: its silence withdraws no review of that. */
export function silence({ changes, unresolved = [], orphans = [], drift = [], diagnostics = [] }, options) {
  const open = changes.filter(({ digest, blocked }) => digest === undefined || blocked !== undefined);
  const left = diagnostics.filter(({ code }) => notCompared.includes(code));
  const named = [...open, ...unresolved, ...orphans, ...drift, ...left].flatMap(
    ({ address, previousAddress, addresses = [] }) =>
      [address, previousAddress, ...addresses].filter((each) => each !== undefined),
  );
  // What another run is changing right now is neither open nor done.
  const isUnderWay = diagnostics.some(({ code }) => code === 'run-under-way');
  return { isWhole: !isUnderWay && !options.some((option) => partial.test(option)), named };
}
