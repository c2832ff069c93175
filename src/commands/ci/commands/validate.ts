// `command: validate`: findings in the log, in the summary, and as annotations on the lines of the files.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fence } from '../comments/markdown.ts';
import type { ActionRun } from './run.ts';
import { failureWords, workspaceWords } from './summary-words.ts';

/** Every prefix of an annotation; a report contains no other workflow command. */
const annotation = /^::(?:error|warning|notice) /;

export async function validateWorkspace(run: ActionRun): Promise<number> {
  const report = join(run.reports, 'annotations.txt');
  const checked = await run.almanac(['validate', `--report=github=${report}`, ...run.options]);
  run.setOutputs({ exitcode: checked.code });
  if (existsSync(report)) {
    const lines = run.redact(readFileSync(report, 'utf8')).split('\n');
    for (const line of lines) if (annotation.test(line)) run.step.say(`${line}\n`);
  }
  run.addToSummary(
    checked.code === 0
      ? `## Almanac: the declarations are valid\n\n${workspaceWords(run)}${fence(checked.log)}`
      : failureWords('validate', { exitCode: checked.code, log: checked.log }, run),
  );
  return checked.code;
}
