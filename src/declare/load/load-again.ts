// Parses each text once for a workspace that is loaded again and again.

import { normalize } from 'node:path/posix';
import type { SourceFile } from '../../model/workspace/diagnostic.ts';
import { parseSource } from '../../yaml/parse-source.ts';
import type { ParsedSource } from '../../yaml/raw-document.ts';
import { readValues } from '../../yaml/read-values.ts';
import type { Workspace } from '../workspace.ts';

export type ParseAtOnce = (file: SourceFile) => ParsedSource;

/** Each text of its files is parsed once. */
export interface ParsedOnce extends Workspace {
  readonly parse: ParseAtOnce;
}

/** How many texts of one file are kept: the original one, and those of the latest steps. */
const maxKept = 3;

/** For a workspace that is loaded more than once. Parsed values must not be changed. */
export function parsedOnce(workspace: Workspace, parse: ParseAtOnce = parseNow): ParsedOnce {
  const known = new Map<string, { readonly text: string; readonly parsed: ReturnType<ParseAtOnce> }[]>();
  const parseAgain: ParseAtOnce = (file) => {
    const ofPath = known.get(file.path) ?? [];
    const found = ofPath.find(({ text }) => text === file.text);
    if (found !== undefined) return found.parsed;
    const parsed = parse(file);
    known.set(file.path, [{ text: file.text, parsed }, ...ofPath.slice(0, maxKept - 1)]);
    return parsed;
  };
  return { ...workspace, parse: parseAgain };
}

function parseNow(file: SourceFile): ParsedSource {
  const documents = readValues(file);
  return documents === undefined ? parseSource(file) : { value: documents, findings: [] };
}

// A workspace with other texts than on the disk. Its readers parse again; this does not.

/** A workspace in which some files have other texts, keyed by path relative to the root. Nothing is written. */
export function overlayWorkspace(workspace: Workspace, texts: ReadonlyMap<string, string>): Workspace {
  const laidOver = (path: string, read: ReturnType<Workspace['read']>) => {
    const text = texts.get(normalize(path));
    // An unreadable file stays so despite another text; a file that does not exist yet gets it.
    return text === undefined || ('finding' in read && workspace.exists(path)) ? read : { text };
  };
  return {
    ...workspace,
    read: (path) => laidOver(path, workspace.read(path)),
    readReference: (path, states) => laidOver(path, workspace.readReference(path, states)),
  };
}

/** The files that a workspace has elsewhere, such as in another commit. */
interface OtherFiles {
  /** All of them. */
  readonly paths: readonly string[];
  /** The texts that differ from those on the disk. */
  readonly texts: ReadonlyMap<string, string>;
  /** Says why a file cannot be read; undefined for all others. */
  readonly whyUnread: (path: string) => string | undefined;
}

/** A workspace that has these files and no others. */
export function otherWorkspace(workspace: Workspace, { paths, texts, whyUnread }: OtherFiles): Workspace {
  const over = overlayWorkspace(workspace, texts);
  const all = new Set(paths);
  const reading = (path: string, read: () => ReturnType<Workspace['readReference']>) => {
    const named = normalize(path);
    const why = all.has(named) ? whyUnread(named) : 'it does not exist';
    if (why === undefined) return read();
    const message = `${path} cannot be read: ${why}.`;
    return { finding: { code: 'unreadable-file', message, place: { file: path } } } as const;
  };
  return {
    ...over,
    list: (globs) => workspace.among(paths, globs),
    exists: (path) => all.has(normalize(path)),
    read: (path) => reading(path, () => over.read(path)),
    readReference: (path, states) => reading(path, () => over.readReference(path, states)),
  };
}
