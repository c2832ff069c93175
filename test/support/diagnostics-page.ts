// docs/diagnostics.md as data: the section of each code, and the workspace in which its examples stand.

import { readFileSync } from 'node:fs';

export const diagnosticsPage = 'docs/diagnostics.md';

/** By path; what stands in a block under the name of a file is that file. */
export type ExampleFiles = Readonly<Record<string, string>>;

export interface CodeSection {
  readonly code: string;
  readonly severity: string;
  readonly summary: string;
  /** The command that says it first, where it isn't `validate`. */
  readonly by: string | undefined;
  /** Sentences. */
  readonly words: string;
  readonly failing: ExampleFiles | undefined;
  readonly fixed: ExampleFiles | undefined;
}

export interface DiagnosticsPage {
  /** What lies under every example. */
  readonly workspace: ExampleFiles;
  readonly sections: readonly CodeSection[];
}

const sourceFile = 'schedules/example.yaml';

export function readDiagnosticsPage(): DiagnosticsPage {
  const [intro = '', ...parts] = readFileSync(diagnosticsPage, 'utf8').split(/^### /m);
  return { workspace: filesIn(/^```yaml\n([\s\S]*?)^```$/m.exec(intro)?.[1] ?? ''), sections: parts.map(sectionOf) };
}

function sectionOf(part: string): CodeSection {
  const [, code = '', severity = '', by, summary = '', words = ''] =
    /^(\S+)\n\n\*\*(\w+)\*\*(?:, by `(\w+)`)?: (.+)\n\n([\s\S]*?)(?:\n\n```diff|\n\n## |\n*$)/.exec(part) ?? [];
  const diff = /^```diff\n([\s\S]*?)^```$/m.exec(part)?.[1];
  const [failing, fixed] = diff === undefined ? [] : [sideOf(diff, '+'), sideOf(diff, '-')];
  return { code, severity, summary, by, words, failing, fixed };
}

/** The files of a diff without the lines that the other side has. */
function sideOf(diff: string, other: '-' | '+'): ExampleFiles {
  const lines = diff.split(/(?<=\n)/).filter((line) => !line.startsWith(other));
  return filesIn(lines.map((line) => line.replace(/^[ +-]/, '')).join(''));
}

function filesIn(block: string): ExampleFiles {
  const files: Record<string, string> = {};
  let path = sourceFile;
  for (const line of block.split(/(?<=\n)/)) {
    const named = /^# ([\w./-]+\.(?:yaml|md|csv))\n$/.exec(line)?.[1];
    if (named !== undefined) path = named;
    else files[path] = (files[path] ?? '') + line;
  }
  return files;
}
