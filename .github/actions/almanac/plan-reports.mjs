// A plan as the reports that `almanac plan` writes, and what the action tells of it.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isDigest } from './inputs.mjs';
import { code, fence, folded } from './markdown.mjs';

const files = { text: 'plan.txt', markdown: 'plan.md', json: 'plan.document.json' };
const counted = ['create', 'update', 'replace', 'delete'];
/** Of the log, where it failed. */
const shownOfLog = 8_000;

/** Plans, with reports. `saved` is where the plan is saved. */
export async function planned(run, { args, saved }) {
  const reports = Object.entries(files).map(([format, name]) => `--report=${format}=${run.reportFile(name)}`);
  const { code: exitCode, log } = await run.almanac([
    'plan',
    `--out=${saved}`,
    ...reports,
    '--detailed-exitcode',
    ...args,
  ]);
  const paths = Object.fromEntries(Object.entries(files).map(([format, name]) => [format, run.reportFile(name)]));
  const failed = (exitCode !== 0 && exitCode !== 2) || !existsSync(paths.json);
  if (failed) return { failed, exitCode: exitCode === 0 ? 1 : exitCode, log };
  // What is uploaded or shown holds no secret either.
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

/** What a program reads is a number or a digest, and nothing else. */
export function outputsOf({ summary, digest }) {
  const counts = counted.map((name) => [name, Number.isSafeInteger(summary?.[name]) ? summary[name] : 0]);
  return { ...Object.fromEntries(counts), digest: isDigest(String(digest)) ? digest : '' };
}

/** Names the workspace, where a run may have several. */
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
