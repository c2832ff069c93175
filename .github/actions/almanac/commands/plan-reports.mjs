// Runs `almanac plan` with reports, and shows them in the outputs and the summary of the action.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { code, fence, folded } from '../comments/markdown.mjs';
import { isDigest } from '../runner/inputs.mjs';

const files = { text: 'plan.txt', markdown: 'plan.md', json: 'plan.document.json' };
const counted = ['create', 'update', 'replace', 'delete'];
/** Characters of the log that a failure shows. */
const shownOfLog = 8_000;

/** The paths of the reports in a folder, by format. */
export function reportsIn(folder) {
  return Object.fromEntries(Object.entries(files).map(([format, name]) => [format, join(folder, name)]));
}

/** Plans and writes the reports. `saved` is the path of the saved plan. */
export async function planned(run, { args, saved }) {
  const paths = reportsIn(run.reports);
  const reports = Object.entries(paths).map(([format, path]) => `--report=${format}=${path}`);
  const { code: exitCode, log } = await run.almanac([
    'plan',
    `--out=${saved}`,
    ...reports,
    '--detailed-exitcode',
    ...args,
  ]);
  const failed = (exitCode !== 0 && exitCode !== 2) || !existsSync(paths.json);
  if (failed) return { failed, exitCode: exitCode === 0 ? 1 : exitCode, log };
  // Masks secrets in the reports too, because they are uploaded or shown.
  for (const path of Object.values(paths)) writeFileSync(path, run.redact(readFileSync(path, 'utf8')));
  const document = JSON.parse(readFileSync(paths.json, 'utf8'));
  run.setOutputs({
    ...outputsOf(document),
    'text-plan-path': paths.text,
    'markdown-plan-path': paths.markdown,
    'json-plan-path': paths.json,
    'saved-plan-path': saved,
  });
  return { failed, exitCode, log, document, paths };
}

/** Outputs for programs are only numbers and digests. */
export function outputsOf({ summary, digest }) {
  const counts = counted.map((name) => [name, Number.isSafeInteger(summary?.[name]) ? summary[name] : 0]);
  return { ...Object.fromEntries(counts), digest: isDigest(String(digest)) ? digest : '' };
}

/** Names the workspace, because a run may have several. */
export function workspaceWords({ environment, folder }) {
  const words = [
    ...(environment === '' ? [] : [`Environment ${code(environment)}`]),
    ...(folder.name === '.' ? [] : [`workspace ${code(folder.name)}`]),
  ];
  return words.length === 0 ? '' : `${words.join(', ')}\n\n`;
}

export function planSummary({ paths }, run) {
  const text = readFileSync(paths.text, 'utf8');
  return `${workspaceWords(run)}${readFileSync(paths.markdown, 'utf8')}\n${folded('The full plan as text', fence(text))}`;
}

export function failureWords(what, { exitCode, log }, run) {
  const end = log.length > shownOfLog ? `…\n${log.slice(-shownOfLog)}` : log;
  return `## almanac ${what} failed\n\n${workspaceWords(run)}It ended with exit code ${exitCode}.\n\n${fence(end)}`;
}
