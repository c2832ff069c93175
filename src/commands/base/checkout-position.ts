// Git's facts about a run's files. It says how they compare with the commit that was applied last, what a diverged line
// brought, and which merged changes were never applied.

import { unsetVariables } from '../../apply/check-secrets.ts';
import type { Brought, CheckoutPosition } from '../../model/plan/checkout-position.ts';
import type { Unapplied } from '../../model/plan/names.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { State } from '../../model/plan/state.ts';
import type { Address } from '../../model/values/address.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { touchedPlaces, trackedAddress } from '../../plan/guard-plan.ts';
import { makeInputs, type PlanInputs } from '../../plan/inputs.ts';
import { planOf } from '../../plan/proposal.ts';
import { findUnapplied } from '../../plan/unapplied.ts';
import type { Checkout } from '../../state/git/checkout.ts';
import type { Run, Session } from './run.ts';

type OfRun = Pick<Run, 'openCheckout' | 'loadFrom' | 'randomness' | 'toolVersion'>;

/** `loaded` is undefined if the declarations cannot be read. */
interface OfFiles {
  readonly workspace: Session['workspace'];
  readonly loaded: Session['loaded'] | undefined;
}

/** Git is not asked if nothing was applied from a clone, and no submodule is read. */
export async function standingOf(run: OfRun, files: OfFiles, state: State | undefined): Promise<CheckoutPosition> {
  const { workspace, loaded } = files;
  const { checkout: commit } = state ?? {};
  const submodules = loaded?.parts.submodules ?? [];
  if (state === undefined && submodules.length === 0) return {};
  const checkout = await run.openCheckout(workspace.root);
  const moved = submodules.length === 0 ? [] : await checkout.moved(submodules);
  const isInRepository = workspace.repository() !== undefined;
  if (state === undefined || commit === undefined)
    return { moved, isInRepository, isUnrecorded: state !== undefined && (await checkout.head()) !== undefined };
  const states = (loaded?.config?.stateFiles ?? []).map(({ path }) => path);
  // The state's journal and lock lie beside it.
  const standing = await checkout.standing(commit, (path) => states.some((each) => path.startsWith(each)));
  if (standing === undefined) return { moved, isInRepository };
  const { parted, ...told } = standing;
  const brought = parted === undefined ? undefined : await broughtSince(parted, checkout, { run, files, state });
  return { moved, isInRepository, last: { ...told, commit, brought } };
}

/**
 * Everything applied since two lines parted is what a plan of the files committed there would take back. Returns undefined if
 * nobody can tell.
 */
async function broughtSince(parted: string, checkout: Checkout, of: OfPlan): Promise<Brought | undefined> {
  const changes = await plannedAt(parted, checkout, of);
  if (typeof changes === 'string') return undefined;
  return new Map(changes.map((change) => [trackedAddress(change), touchedPlaces(change)]));
}

interface OfPlan {
  readonly run: OfRun;
  readonly files: OfFiles;
  readonly state: State;
}

/**
 * The changes of a plan of the files that a commit has, or the reason why there is none. The same planner answers, so defaults,
 * loops, tables and environments count.
 */
async function plannedAt(
  commit: string,
  checkout: Checkout,
  { run, files: { workspace, loaded }, state }: OfPlan,
): Promise<readonly Change[] | WhyNotPlanned> {
  const { config, read = [], files = [], parts } = loaded ?? {};
  if (config === undefined) return 'errors';
  const known = new Set(read);
  const committed = await checkout.filesAt(commit, async (paths) => {
    const sources = new Set(await workspace.among(paths, config.sources));
    return paths.filter((path) => sources.has(path) || known.has(path) || !workspace.exists(path));
  });
  if (committed === undefined) return 'unread';
  const { otherWorkspace } = await import('../../declare/load/load-again.ts');
  const { paths, pathsNow, texts, notCompared } = committed;
  const uncommitted = new Set(files.filter((path) => !pathsNow.has(path)));
  const isInSubmodule = (path: string) => parts?.submodules.some((each) => path.startsWith(each.path)) ?? false;
  // The files of a submodule stay as they are here, and so does a table or a text that git ignores.
  const elsewhere = read.filter((path) => isInSubmodule(path) || !(pathsNow.has(path) || uncommitted.has(path)));
  let unread: WhyNotPlanned | undefined;
  const whyUnread = (path: string) => {
    const why = notCompared.get(path);
    unread ??= why;
    return why;
  };
  const then = otherWorkspace(workspace, { paths: [...paths, ...elsewhere].sort(byCodeUnit), texts, whyUnread });
  try {
    const inputs = await makeInputs(await run.loadFrom(then), state, run);
    return unread ?? planOf(inputs).value.plan.changes;
  } catch (error) {
    if (error instanceof Failure && error.code === 'invalid-workspace') return unread ?? 'errors';
    throw error;
  }
}

type WhyNotPlanned = 'errors' | 'unread' | 'lfs';

const day = 86_400_000;
/** The number of commits whose files may have errors before it counts as not known what they declare. */
const maxTries = 10;

/**
 * The changes of a plan of the newest commit of the line that is older than a day, or the reason why nobody knows them; empty if no
 * commit is, or everything up to it was applied. A commit is as old as the latest of its date, those of the commits below it, and
 * the last apply that left nothing: dates of commits are what their authors say.
 */
async function plannedYesterday(run: Run, files: OfFiles, state: State): Promise<readonly Change[] | WhyNotTold> {
  const checkout = await run.openCheckout(files.workspace.root);
  const line = await checkout.line();
  if (typeof line === 'string') return line;
  const before = run.clock.now() - day;
  if (state.commitAt !== undefined && Date.parse(state.commitAt) > before) return [];
  const firstYoung = line.findLastIndex(({ date }) => date > before);
  const { commit } = line[firstYoung + 1] ?? {};
  if (commit === undefined) return [];
  if (state.commit !== undefined && (await checkout.isIn(commit, state.commit))) return [];
  const changes = await plannedAt(commit, checkout, { run, files, state });
  if (changes !== 'errors') return changes;
  for (const earlier of await checkout.changing(commit, maxTries)) {
    const changesThen = await plannedAt(earlier, checkout, { run, files, state });
    if (changesThen !== 'errors') return changesThen;
  }
  return 'errors';
}

type WhyNotTold = NonNullable<Unapplied['notTold']>;

/** Findings about changes that the files declare and nobody applied. */
export async function unappliedIn(
  run: Run,
  files: Pick<Session, 'workspace' | 'loaded'>,
  inputs: PlanInputs,
  targets?: readonly Address[],
): Promise<Unapplied | undefined> {
  const { state } = inputs;
  if (state === undefined) return undefined;
  const unset = new Set(unsetVariables(inputs.loaded.desired, run.environment).flatMap(({ addresses }) => addresses));
  return findUnapplied(inputs, { targets, unset, yesterday: () => plannedYesterday(run, files, state) });
}

/** The same for commands that make no plan. Declarations with errors give no findings. */
export async function unappliedTo(
  run: Run,
  files: Pick<Session, 'workspace' | 'loaded'>,
  state: State | undefined,
): Promise<Unapplied | undefined> {
  if (state === undefined || hasErrors(files.loaded.findings)) return undefined;
  return unappliedIn(run, files, await makeInputs(files.loaded, state, run));
}
