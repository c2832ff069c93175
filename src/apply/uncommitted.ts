// An apply of files that no commit holds: what it says of them, and what the state keeps, so that a later plan of other files
// can say that it would undo them.

import type { Loaded } from '../declare/load/load.ts';
import type { Reporter } from '../model/outside.ts';
import type { JournalHeader } from '../model/plan/journal.ts';
import type { Uncommitted } from '../model/plan/standing.ts';
import type { Address } from '../model/values/address.ts';
import { byCodeUnit, equalJson } from '../model/values/json.ts';
import { nameSome } from '../model/values/words.ts';
import { hasErrors } from '../model/workspace/diagnostic.ts';
import { goingBack } from '../plan/guard-plan.ts';
import { withDeclarations } from '../plan/inputs.ts';
import type { Proposal } from '../plan/proposal.ts';

/** The files of a run that differ from the commit that is checked out. */
export interface FileEdits {
  /** From the root of the workspace. */
  readonly paths: readonly string[];
  /** As the state records them. */
  readonly files: Uncommitted['files'];
  /** What is declared without them. */
  committed(): Promise<Loaded>;
}

export function noteUncommitted({ paths }: FileEdits, { reporter }: { readonly reporter: Reporter }): void {
  const differ = paths.length === 1 ? 'differs' : 'differ';
  reporter.emit({
    type: 'note',
    message: `${nameSome(paths)} ${differ} from the commit that is checked out. No commit holds what this apply changes because of that, so the next apply by somebody else undoes it: commit and push it.`,
  });
}

type Recorded = Pick<JournalHeader, 'checkout' | 'uncommitted'>;

/**
 * What the state records of the files of an apply. An apply that is behind and leaves later work in place is no step back: the
 * state keeps the later commit.
 */
export async function recordedFiles(
  proposal: Proposal,
  edits: FileEdits | undefined,
  { checkout, isWhole }: { readonly checkout: string | undefined; readonly isWhole: boolean },
): Promise<Recorded> {
  const { inputs, document } = proposal;
  const { standing } = inputs;
  const leavesLater = standing.behind !== undefined && !(isWhole && goingBack(document, standing) > 0);
  if (checkout === undefined || leavesLater) return {};
  return { checkout, uncommitted: await uncommittedAfter(proposal, edits) };
}

/** What these files change, and what earlier ones changed as far as this apply leaves it. */
async function uncommittedAfter(
  { inputs, steps }: Proposal,
  edits: FileEdits | undefined,
): Promise<Uncommitted | undefined> {
  const { state } = inputs;
  const before = inputs.standing.uncommitted;
  const changed = new Set(
    steps.flatMap(({ change: { address, previousAddress } }) => [address, previousAddress ?? address]),
  );
  const earlier = before?.addresses.filter((address) => !changed.has(address)) ?? [];
  const known = new Set([...changed, ...(state?.uncommitted?.addresses ?? [])]);
  const now =
    edits === undefined ? [] : await declaredOtherwise(inputs, edits).then((all) => all.filter((at) => known.has(at)));
  if (earlier.length + now.length === 0) return undefined;
  return {
    files: { ...(earlier.length > 0 ? before?.files : {}), ...(now.length > 0 ? edits?.files : {}) },
    addresses: [...new Set([...earlier, ...now])].sort(byCodeUnit),
  };
}

/** Where nobody knows what the commit declares, all of it may be other. */
async function declaredOtherwise(inputs: Proposal['inputs'], edits: FileEdits): Promise<readonly Address[]> {
  const committed = await edits.committed();
  const here = attributesIn(inputs.desired);
  if (committed.config === undefined || hasErrors(committed.findings))
    return [...new Set([...here.keys(), ...Object.keys(inputs.state?.resources ?? {})])];
  const there = attributesIn((await withDeclarations(inputs, committed)).desired);
  return [...new Set([...here.keys(), ...there.keys()])].filter((address) => {
    const [a, b] = [here.get(address), there.get(address)];
    return a === undefined || b === undefined || !equalJson(a, b);
  });
}

function attributesIn({ resources }: Proposal['inputs']['desired']) {
  return new Map(resources.map(({ address, attributes }) => [address, attributes]));
}
