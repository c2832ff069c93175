// Reads and parses the source files of a workspace.

import { type Finding, hasErrors } from '../../model/workspace/diagnostic.ts';
import type { SourceFile } from '../../model/workspace/source-file.ts';
import type { RawDocument } from '../../parse/raw-document.ts';
import { type ParseFile, readSource } from '../../parse/read-source.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { makePauses } from './pauses.ts';

export interface ReadingOptions {
  readonly workspace: Workspace;
  readonly clock: Clock;
  /** Ends the reading with Failure interrupted. */
  readonly signal?: AbortSignal | undefined;
  /** How a file is parsed, for whoever loads it more than once. */
  readonly parse?: ParseFile | undefined;
}

export interface ReadSources {
  /** The documents of each file. */
  readonly byFile: readonly (readonly RawDocument[])[];
  readonly findings: readonly (readonly Finding[])[];
  /** Every file could be read, and none has a mistake that hides something. */
  readonly isWhole: boolean;
}

/** `files` gets every file that is read. Throws Failure interrupted. */
export async function readSources(
  paths: readonly string[],
  { workspace, clock, signal, parse = readSource }: ReadingOptions,
  files: Map<string, SourceFile>,
): Promise<ReadSources> {
  const findings: (readonly Finding[])[] = [];
  const byFile: (readonly RawDocument[])[] = [];
  let isWhole = true;
  const pause = makePauses(clock, signal);
  for (const path of paths) {
    const read = workspace.read(path);
    if ('finding' in read) {
      findings.push([read.finding]);
      isWhole = false;
      continue;
    }
    const file: SourceFile = { path, text: read.text };
    files.set(path, file);
    await pause(file.text.length);
    const source = await parse(file);
    byFile.push(source.value);
    findings.push(source.findings);
    isWhole &&= !hasErrors(source.findings);
  }
  return { byFile, findings, isWhole };
}
