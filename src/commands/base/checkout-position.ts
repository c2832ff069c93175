// Git's facts about a run's files. It says how they compare with the commit that was applied last, what a diverged line
// brought, and which merged changes were never applied.

import { unsetVariables } from '../../apply/check-secrets.ts';
import type { Brought, CheckoutPosition } from '../../model/plan/checkout-position.ts';
import type { State } from '../../model/plan/state.ts';
import type { Unapplied } from '../../model/plan/unapplied.ts';
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
  if (state === undefined || commit === undefined) {
    if (submodules.length === 0) return {};
    return { moved: await (await run.openCheckout(workspace.root)).moved(submodules) };
  }
  const checkout = await run.openCheckout(workspace.root);
  const moved = submodules.length === 0 ? [] : await checkout.moved(submodules);
  const states = (loaded?.config?.stateFiles ?? []).map(({ path }) => path);
  // The state's journal and lock lie beside it.
  const standing = await checkout.standing(commit, (path) => states.some((each) => path.startsWith(each)));
  if (standing === undefined) return { moved };
  const { parted, ...told } = standing;
  const brought = parted === undefined ? undefined : await broughtSince(parted, checkout, { run, files, state });
  return { moved, last: { ...told, commit, brought } };
}

/**
 * Everything applied since two lines parted is what a plan of the files committed there would take back. The same
 * planner answers, so defaults, loops, tables and environments count. Returns undefined if these files have errors
 * today.
 */
async function broughtSince(
  parted: string,
  checkout: Checkout,
  { run, files: { workspace, loaded }, state }: { readonly run: OfRun; readonly files: OfFiles; readonly state: State },
): Promise<Brought | undefined> {
  const { config, read = [], parts } = loaded ?? {};
  if (config === undefined) return undefined;
  const known = new Set(read);
  const committed = await checkout.textsAt(parted, async (paths) => {
    const sources = new Set(await workspace.among(paths, config.sources));
    return paths.filter((path) => sources.has(path) || known.has(path) || !workspace.exists(path));
  });
  if (committed === undefined) return undefined;
  const { overlayWorkspace } = await import('../../declare/load/other-texts.ts');
  const { paths, texts } = committed;
  // A submodule's own files stay as they are here.
  const inSubmodules = read.filter((path) => parts?.submodules.some((each) => path.startsWith(each.path)));
  const then = {
    ...overlayWorkspace(workspace, texts),
    list: (globs: readonly string[]) => workspace.among([...paths, ...inSubmodules].sort(byCodeUnit), globs),
  };
  try {
    const inputs = await makeInputs(await run.loadFrom(then), state, run);
    const { changes } = planOf(inputs).value.plan;
    return new Map(changes.map((change) => [trackedAddress(change), touchedPlaces(change)]));
  } catch (error) {
    if (error instanceof Failure && error.code === 'invalid-workspace') return undefined;
    throw error;
  }
}

const day = 86_400_000;

/** Findings about changes that the files declare and nobody applied. */
export async function unappliedIn(
  run: Pick<Run, 'openCheckout' | 'environment' | 'clock'>,
  root: string,
  inputs: PlanInputs,
  targets?: readonly Address[],
): Promise<Unapplied | undefined> {
  const unset = new Set(unsetVariables(inputs.loaded.desired, run.environment).flatMap(({ addresses }) => addresses));
  const files = async () => (await run.openCheckout(root)).files(new Date(run.clock.now() - day).toISOString());
  return findUnapplied(inputs, { targets, unset, files });
}

/** The same for commands that make no plan. Declarations with errors give no findings. */
export async function unappliedTo(
  run: Run,
  { workspace, loaded }: Pick<Session, 'workspace' | 'loaded'>,
  state: State | undefined,
): Promise<Unapplied | undefined> {
  if (state === undefined || hasErrors(loaded.findings)) return undefined;
  return unappliedIn(run, workspace.root, await makeInputs(loaded, state, run));
}
