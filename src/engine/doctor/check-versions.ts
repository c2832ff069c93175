// Whether this Almanac may run here, and whether it is as new as the one that wrote the state.

import type { State } from '../../model/plan/state.ts';
import { failed, passed, type Verdict, warned } from './verdict.ts';

export interface Versions {
  readonly almanac: string;
  readonly node: string;
  /** The versions of Node that it runs on: `>=20`. */
  readonly supportedNode: string;
}

export function checkVersions({ almanac, node, supportedNode }: Versions, state: State | undefined): Verdict {
  const here = `almanac ${almanac} on Node ${node}.`;
  if (isOlder(node, supportedNode.replace(/^>=\s*/, ''))) {
    return failed(here, `Almanac needs Node ${supportedNode}. Run it with a newer version of Node.`);
  }
  if (state === undefined || !isOlder(almanac, state.toolVersion)) return passed(here);
  return warned(
    `${here} The state was written by almanac ${state.toolVersion}, which is newer.`,
    'Use the same version everywhere: an older one does not know what the newer one has recorded.',
  );
}

/** Compares major, minor and patch. */
function isOlder(version: string, than: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(than)];
  const at = a.findIndex((number, index) => number !== b[index]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}

function numbersOf(version: string): readonly number[] {
  const parts = version.split('.', 3).map((part) => Number.parseInt(part, 10) || 0);
  return [0, 1, 2].map((index) => parts[index] ?? 0);
}
