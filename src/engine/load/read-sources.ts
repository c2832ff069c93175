// Reads the source files of a workspace, and has each of them parsed that is not known.

import { type Finding, hasErrors } from '../../model/workspace/diagnostic.ts';
import type { EntrySettings } from '../../model/workspace/file-entry.ts';
import type { SourceFile } from '../../model/workspace/source-file.ts';
import type { RawDocument } from '../../parse/parse-source.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { ParseFile } from '../../validate/entry-maker.ts';
import { parseWhenNew } from './parse-when-new.ts';
import { makePauses } from './pauses.ts';

export interface ReadingOptions {
  readonly workspace: Workspace;
  readonly clock: Clock;
  /** Ends the reading with Failure interrupted. */
  readonly signal?: AbortSignal | undefined;
  /** How a file is parsed, for whoever loads it more than once. */
  readonly parse?: ParseFile | undefined;
  /** Gets all source files before the first of them is parsed. */
  readonly prepare?: PrepareFiles | undefined;
}

export type PrepareFiles = (files: readonly SourceFile[], settings: EntrySettings) => Promise<void>;

export interface ReadSources {
  /** The documents of each file. */
  readonly byFile: readonly (readonly RawDocument[])[];
  readonly findings: readonly (readonly Finding[])[];
  /** Every file could be read, and none has a mistake that hides something. */
  readonly isWhole: boolean;
  /** Those whose entry says that nothing is found in them. */
  readonly faultless: ReadonlySet<string>;
}

/** `files` gets every file that is read. Throws Failure interrupted. */
export async function readSources(
  paths: readonly string[],
  settings: EntrySettings,
  { workspace, clock, signal, prepare, parse = parseWhenNew }: ReadingOptions,
  files: Map<string, SourceFile>,
): Promise<ReadSources> {
  const findings: (readonly Finding[])[] = [];
  const byFile: (readonly RawDocument[])[] = [];
  const faultless = new Set<string>();
  let isWhole = true;
  const read = await readTexts(paths, { workspace, clock, signal });
  const readable = read.flatMap((each) => ('finding' in each ? [] : [each]));
  for (const file of readable) files.set(file.path, file);
  await prepare?.(readable, settings);
  const pause = makePauses(clock, signal);
  for (const file of read) {
    if ('finding' in file) {
      findings.push([file.finding]);
      isWhole = false;
      continue;
    }
    await pause(lengthOf(file));
    const source = await parse(file);
    byFile.push(source.value);
    findings.push(source.findings);
    if (source.entry?.isFaultless === true) faultless.add(file.path);
    isWhole &&= !hasErrors(source.findings);
  }
  return { byFile, findings, isWhole, faultless };
}

async function readTexts(
  paths: readonly string[],
  { workspace, clock, signal }: Pick<ReadingOptions, 'workspace' | 'clock' | 'signal'>,
): Promise<readonly (SourceFile | { readonly finding: Finding })[]> {
  const all: (SourceFile | { readonly finding: Finding })[] = [];
  const pause = makePauses(clock, signal);
  for (const path of paths) {
    const read = workspace.read(path);
    all.push('finding' in read ? read : fileAt(path, read));
    await pause('finding' in read ? 0 : lengthOf(read));
  }
  return all;
}

/** Does not ask for the text. */
function fileAt(path: string, read: Pick<SourceFile, 'text' | 'bytes'>): SourceFile {
  return {
    path,
    bytes: read.bytes,
    get text() {
      return read.text;
    },
  };
}

function lengthOf(file: Pick<SourceFile, 'text' | 'bytes'>): number {
  return (file.bytes ?? file.text).length;
}
