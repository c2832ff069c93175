// Runs almanac with one report for each format, in the folder of the reports of this run.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fence, folded } from '../comments/markdown.mjs';

/** The paths of the reports in a folder, by format; `files` are their names. */
export function reportsIn(folder, files) {
  return Object.fromEntries(Object.entries(files).map(([format, name]) => [format, join(folder, name)]));
}

/**
 * `argsWith` makes the arguments from the options for the reports. `failed` says that almanac failed or left a report out;
 * else `document` is what the JSON report holds.
 */
export async function reported(run, files, argsWith) {
  const paths = reportsIn(run.reports, files);
  const reports = Object.entries(paths).map(([format, path]) => `--report=${format}=${path}`);
  const { code: exitCode, log } = await run.almanac(argsWith(reports));
  if ((exitCode !== 0 && exitCode !== 2) || Object.values(paths).some((path) => !existsSync(path)))
    return { failed: true, exitCode: exitCode || 1, log };
  // Masks secrets in the reports too, because they are uploaded or shown.
  for (const path of Object.values(paths)) writeFileSync(path, run.redact(readFileSync(path, 'utf8')));
  run.setOutputs({ 'text-plan-path': paths.text, 'markdown-plan-path': paths.markdown, 'json-plan-path': paths.json });
  return { failed: false, exitCode, log, paths, document: JSON.parse(readFileSync(paths.json, 'utf8')) };
}

/** The report as Markdown, and folded the same as text. */
export function shownReports({ paths }, title) {
  return `${readFileSync(paths.markdown, 'utf8')}\n${folded(title, fence(readFileSync(paths.text, 'utf8')))}`;
}
