// Folds a workspace: runs the stages one after another, each over the texts of those before, and proves the result as a
// whole. What cannot be proven is left out, so that it does not hinder the rest. Writes nothing.

import type { Address } from '../../model/values/address.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { sourceOrder } from '../../parse/format/canonical-order.ts';
import { formatYaml } from '../../parse/format/format-yaml.ts';
import { parseSource } from '../../parse/parse-source.ts';
import type { Randomness } from '../../ports/randomness.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { invalidWorkspace } from '../load/invalid-workspace.ts';
import type { Loaded } from '../load/load.ts';
import { overlayWorkspace } from '../load/overlay-workspace.ts';
import type { Fold, FoldInput, FoldStage, KnownAddresses, NotFolded } from './fold-stage.ts';
import { type FoldProof, type FoldProver, type FoldSide, makeFoldProver } from './prove-fold.ts';
import { foldStages } from './stages.ts';

export interface FoldRequest {
  readonly workspace: Workspace;
  /** The first is the one whose resources the stages look at. */
  readonly sides: readonly LoadedSide[];
  readonly load: (workspace: Workspace, side: FoldSide) => Promise<Loaded>;
  /** The only files that may change; undefined for all. */
  readonly named: ReadonlySet<string> | undefined;
  readonly randomness: Randomness;
  readonly stages?: readonly FoldStage[];
}

export interface FoldedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

export interface FoldedWorkspace {
  /** In the order of their paths. */
  readonly files: readonly FoldedFile[];
  readonly folds: readonly Fold[];
  readonly left: readonly NotFolded[];
  /** Changed files that declare nothing any more. */
  readonly empty: readonly string[];
  /** How many declarations there are before and after. */
  readonly declarations: { readonly before: number; readonly after: number };
}

/** Throws Failure invalid-workspace where the declarations of an environment have errors. */
export async function foldWorkspace(request: FoldRequest): Promise<FoldedWorkspace> {
  const { sides: asIs } = request;
  const invalid = asIs.find(({ loaded }) => hasErrors(loaded.findings))?.loaded;
  if (invalid !== undefined)
    throw invalidWorkspace('The declarations have errors; nothing was folded.', invalid.findings, invalid);
  const prover = await makeFoldProver(asIs, request.randomness);
  const first = asIs[0]?.loaded;
  const fixed = fixedFiles(request, first);
  const { run, refused } = await settle({ request, prover, fixed, asIs });
  const files = [...run.texts].map(([path, after]) => ({ path, before: textOf(first, path), after }));
  return {
    files: files.sort((a, b) => byCodeUnit(a.path, b.path)),
    empty: files.filter(({ path, after }) => declaresNothing(path, after)).map(({ path }) => path),
    folds: run.folds,
    left: [...run.left, ...refused, ...[...fixed].flatMap(([file, why]) => readOnly(file, why))],
    declarations: { before: countDeclarations(first), after: countDeclarations(run.environments[0]?.loaded) },
  };
}

interface FoldRun {
  readonly texts: ReadonlyMap<string, string>;
  readonly folds: readonly Fold[];
  readonly left: readonly NotFolded[];
  /** With these texts. */
  readonly environments: readonly LoadedSide[];
}

export interface LoadedSide {
  readonly side: FoldSide;
  readonly loaded: Loaded;
}

/** What every attempt begins with. */
interface Start {
  readonly request: FoldRequest;
  readonly prover: FoldProver;
  /** Why files cannot be written, by their path. */
  readonly fixed: ReadonlyMap<string, string>;
  readonly asIs: readonly LoadedSide[];
}

interface Settled {
  readonly run: FoldRun;
  readonly refused: readonly NotFolded[];
}

/** Tries everything together, then without what is at fault. */
async function settle(start: Start): Promise<Settled> {
  const skip = new Set<string>();
  const refused: NotFolded[] = [];
  for (;;) {
    const run = await runStages(start, skip);
    const proof = await proveRun(start, run);
    if (proof.holds || run.folds.length === 0) return { run, refused };
    const blamed = run.folds.filter((fold) => addressesOf(fold).some((address) => proof.blame.includes(address)));
    const guilty = blamed.length > 0 ? blamed : await unprovenAlone(start, run, skip);
    for (const fold of guilty.length > 0 ? guilty : run.folds) {
      skip.add(fold.id);
      refused.push({ file: fold.file, addresses: formerAddresses(fold), message: proof.message });
    }
  }
}

async function unprovenAlone(start: Start, { folds }: FoldRun, skip: ReadonlySet<string>): Promise<readonly Fold[]> {
  const unproven: Fold[] = [];
  for (const fold of folds) {
    const others = folds.filter(({ id }) => id !== fold.id).map(({ id }) => id);
    const alone = await runStages(start, new Set([...skip, ...others]));
    if (!(await proveRun(start, alone)).holds) unproven.push(fold);
  }
  return unproven;
}

async function runStages({ request, fixed, asIs }: Start, skip: ReadonlySet<string>): Promise<FoldRun> {
  const { workspace, sides, stages = foldStages } = request;
  const state = knownAddresses(sides.map(({ side }) => side));
  const texts = new Map<string, string>();
  const folds: Fold[] = [];
  const left: NotFolded[] = [];
  let environments = asIs;
  for (const stage of stages) {
    const [first] = environments;
    if (first === undefined || hasErrors(first.loaded.findings)) break;
    const { loaded } = first;
    const named = loaded.files.filter((path) => (request.named?.has(path) ?? true) && !fixed.has(path));
    const input: FoldInput = {
      loaded,
      files: new Map(named.map((path) => [path, textOf(loaded, path)])),
      environments: environments.map(({ side: { name }, loaded: { desired } }) => ({
        name,
        resources: desired.resources,
      })),
      state,
      skip,
    };
    const step = stage(input);
    folds.push(...step.folds);
    left.push(...step.left);
    if (step.texts.size === 0) continue;
    for (const [path, text] of step.texts) texts.set(path, asFormatted(input.files.get(path), text));
    environments = await loadAll(request, overlayWorkspace(workspace, texts));
  }
  return { texts, folds, left, environments };
}

/** What `almanac fmt` leaves unchanged stays so: a value in quotes may have become one that needs none. */
function asFormatted(before: string | undefined, after: string): string {
  const isFormatted = before !== undefined && formatYaml(before, sourceOrder) === before;
  return (isFormatted ? formatYaml(after, sourceOrder) : undefined) ?? after;
}

async function loadAll({ sides, load }: FoldRequest, workspace: Workspace): Promise<readonly LoadedSide[]> {
  const environments: LoadedSide[] = [];
  for (const { side } of sides) environments.push({ side, loaded: await load(workspace, side) });
  return environments;
}

function proveRun({ prover }: Start, { folds, environments }: FoldRun): Promise<FoldProof> {
  const instances = folds.flatMap((fold) => (fold.kind === 'loop' ? fold.instances : []));
  const to = new Map(instances.map((instance) => [instance.from, instance.to]));
  return prover.prove(
    environments.map(({ loaded }) => loaded),
    to,
  );
}

/** What a state knows moves by an entry. */
function knownAddresses(sides: readonly FoldSide[]): KnownAddresses {
  if (sides.some((side) => !('state' in side))) return 'unknown';
  return new Set(sides.flatMap(({ state }) => Object.keys(state?.resources ?? {})));
}

function addressesOf(fold: Fold): readonly Address[] {
  return fold.kind === 'loop' ? [fold.address, ...fold.instances.map(({ to }) => to)] : fold.usedBy;
}

function formerAddresses(fold: Fold): readonly Address[] {
  return fold.kind === 'loop' ? fold.instances.map(({ from }) => from) : fold.usedBy;
}

function textOf(loaded: Loaded | undefined, path: string): string {
  return loaded?.fileNamed(path)?.text ?? '';
}

/** Why a file cannot be written, by its path. */
function fixedFiles({ workspace, named }: FoldRequest, loaded: Loaded | undefined): ReadonlyMap<string, string> {
  const files = loaded?.files.filter((path) => named?.has(path) ?? true) ?? [];
  return new Map(
    files.flatMap((path) => {
      const why = workspace.whyFixed(path);
      return why === undefined ? [] : [[path, why] as const];
    }),
  );
}

function readOnly(file: string, why: string): readonly NotFolded[] {
  return [{ file, addresses: [], message: `${file} cannot be written: ${why}.` }];
}

function declaresNothing(path: string, text: string): boolean {
  return parseSource({ path, text }).value.every(({ value }) => value === null);
}

/** A loop is one. */
function countDeclarations(loaded: Loaded | undefined): number {
  const { resources = [], loops = [] } = loaded?.desired ?? {};
  return resources.filter(({ item }) => item === undefined).length + loops.length;
}
