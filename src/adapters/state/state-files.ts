// The files of a state, and how they are read: strictly, because anything misread would be written back.

import { createHash } from 'node:crypto';
import { parseJournal } from '../../parse/parse-journal.ts';
import { parseState, unreadable } from '../../parse/parse-state.ts';
import type { StoredState } from '../../ports/state-store.ts';
import { decodeUtf8 } from '../files/decode-utf8.ts';
import { readIfThere, whyOf } from '../files/file-system.ts';
import type { Host } from './host.ts';

export interface StateFiles {
  /** The name of the state file in messages. */
  readonly name: string;
  readonly host: Host;
  readonly state: string;
  readonly journal: string;
  readonly lock: string;
}

export interface StoredFiles {
  readonly stored: StoredState;
  /** The digest of the state file; null if there is none. */
  readonly digest: string | null;
}

/** Reads the journal first: if an apply commits in between, the journal is recognised as already folded. */
export async function readStateFiles(files: StateFiles): Promise<StoredFiles> {
  const { host, name } = files;
  const journalBytes = await readBytes(host, files.journal, `${name}.journal`);
  const stateBytes = await readBytes(host, files.state, name);
  return {
    stored: {
      state: stateBytes && parseState(textOf(stateBytes, name), name),
      journal: journalBytes && parseJournal(journalTextOf(journalBytes, `${name}.journal`), `${name}.journal`),
    },
    digest: digestOf(stateBytes),
  };
}

async function readBytes({ fs }: Host, path: string, name: string): Promise<Uint8Array | undefined> {
  try {
    return await readIfThere(fs, path);
  } catch (error) {
    throw unreadable(name, whyOf(error), 'Check the path of the state (`state.path`, `--state`) and its permissions.');
  }
}

/** The last line may be cut off inside a character; all lines before it must be valid. */
function journalTextOf(bytes: Uint8Array, name: string): string {
  const whole = bytes.lastIndexOf(0x0a) + 1;
  return textOf(bytes.subarray(0, whole), name) + new TextDecoder().decode(bytes.subarray(whole));
}

function textOf(bytes: Uint8Array, name: string): string {
  const decoded = decodeUtf8(bytes);
  if ('text' in decoded) return decoded.text;
  throw unreadable(name, decoded.problem, `Put its last good version back, for example with \`git restore ${name}\`.`);
}

export function digestOf(bytes: Uint8Array | undefined): string | null {
  return bytes === undefined ? null : createHash('sha256').update(bytes).digest('hex');
}
