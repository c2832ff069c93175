// Folds a workspace: runs the stages one after another, each over the texts of those before, and proves the result as a
// whole. What cannot be proven is left out, so that it does not hinder the rest. Writes nothing.

import { invalidWorkspace, type Loaded } from '../../declare/load/load.ts';
import { overlayWorkspace, type ParseAtOnce } from '../../declare/load/load-again.ts';
import type { Workspace } from '../../declare/workspace.ts';
import type { Randomness } from '../../model/outside.ts';
import type { Address } from '../../model/values/address.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { memoize } from '../../model/values/memoize.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { formatYaml } from '../../yaml/format/format-yaml.ts';
import { sourceOrder } from '../../yaml/format/sort-entries.ts';
import type { RawDocument } from '../../yaml/raw-document.ts';
import { type Fault, settleEdits } from '../base/edit/edit-files.ts';
import { type EverywhereProver, type LoadedSide, proverEverywhere, type Side } from '../base/edit/prove-everywhere.ts';
import { foldAudiences } from './fold-audiences.ts';
import { foldDefaults } from './fold-defaults.ts';
import type { Fold, FoldInput, FoldStage, KnownAddresses, NotFolded } from './fold-stage.ts';
import { foldLoops } from './loops/fold-loops.ts';

/** In their order: shared values are looked for in what is left after the loops. */
const foldStages: readonly FoldStage[] = [foldLoops, foldAudiences, foldDefaults];

export interface FoldRequest {
  readonly workspace: Workspace;
  /** The first is the one whose resources the stages look at. */
  readonly sides: readonly LoadedSide[];
  readonly load: (workspace: Workspace, side: Side) => Promise<Loaded>;
  /** What `load` parses with, so that each text is parsed once. */
  readonly parse: ParseAtOnce;
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
  const { sides } = request;
  const invalid = sides.find(({ loaded }) => hasErrors(loaded.findings))?.loaded;
  if (invalid !== undefined)
    throw invalidWorkspace('The declarations have errors; nothing was folded.', invalid.findings, invalid);
  const prove = await proverEverywhere(sides, request.randomness);
  const first = sides[0]?.loaded;
  const fixed = fixedFiles(request, first);
  const wasFormatted = memoize((path: string) => formatYaml(textOf(first, path), sourceOrder) === textOf(first, path));
  const readOnly = [...fixed].map(
    ([file, why]): NotFolded => ({ file, addresses: [], message: `${file} cannot be written: ${why}.` }),
  );
  const { run, refused } = await settle({ request, prove, fixed, wasFormatted });
  const files = [...run.texts].map(([path, after]) => ({ path, before: textOf(first, path), after }));
  return {
    files: files.sort((a, b) => byCodeUnit(a.path, b.path)),
    empty: files
      .filter(({ path, after }) => declaresNothing(request.parse({ path, text: after }).value))
      .map(({ path }) => path),
    folds: run.folds,
    left: [...run.left, ...refused, ...readOnly],
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

/** What every attempt begins with. */
interface Start {
  readonly request: FoldRequest;
  readonly prove: EverywhereProver;
  /** Why files cannot be written, by their path. */
  readonly fixed: ReadonlyMap<string, string>;
  readonly wasFormatted: (path: string) => boolean;
}

/** Tries everything together, then without what is at fault. */
async function settle(start: Start) {
  const skip = new Set<string>();
  const refused: NotFolded[] = [];
  for (;;) {
    const all = await runStages(start, skip);
    if (all.folds.length === 0) return { run: all, refused };
    const settled = await settleEdits(all.folds, {
      addressesOf,
      prove: async (folds) => {
        const run =
          folds.length === all.folds.length
            ? all
            : await runOf(start, folds, [...skip, ...all.folds.map(({ id }) => id)]);
        const fault = await faultOf(start, run);
        return fault ? { ...fault, holds: false, reason: 'unproven' } : { holds: true, result: run };
      },
    });
    if (settled.refused.length === 0) return { run: settled.result ?? all, refused };
    for (const { edit: fold, message } of settled.refused) {
      skip.add(fold.id);
      refused.push({ file: fold.file, addresses: formerAddresses(fold), message });
    }
  }
}

/** With these folds alone. Without others, of which some are known, the stages may propose more. */
async function runOf(start: Start, folds: readonly Fold[], known: readonly string[]): Promise<FoldRun> {
  const ids = new Set(folds.map(({ id }) => id));
  const skip = new Set(known.filter((id) => !ids.has(id)));
  for (;;) {
    const run = await runStages(start, skip);
    const others = run.folds.filter(({ id }) => !ids.has(id));
    if (others.length === 0) return run;
    for (const { id } of others) skip.add(id);
  }
}

async function runStages({ request, fixed, wasFormatted }: Start, skip: ReadonlySet<string>): Promise<FoldRun> {
  const { workspace, sides, parse, stages = foldStages } = request;
  const state = knownAddresses(sides.map(({ side }) => side));
  const texts = new Map<string, string>();
  const folds: Fold[] = [];
  const left: NotFolded[] = [];
  let environments = sides;
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
      parse,
      state,
      skip,
    };
    const step = stage(input);
    folds.push(...step.folds);
    left.push(...step.left);
    if (step.texts.size === 0) continue;
    for (const [path, text] of step.texts) texts.set(path, text);
    environments = await loadAll(request, overlayWorkspace(workspace, texts));
  }
  // What `almanac fmt` leaves unchanged stays so: a value in quotes may have become one that needs none.
  const formatted = [...texts].flatMap(([path, text]): readonly (readonly [string, string])[] => {
    const better = wasFormatted(path) ? formatYaml(text, sourceOrder) : undefined;
    return better === undefined || better === text ? [] : [[path, better]];
  });
  for (const [path, text] of formatted) texts.set(path, text);
  if (formatted.length > 0) environments = await loadAll(request, overlayWorkspace(workspace, texts));
  return { texts, folds, left, environments };
}

async function loadAll({ sides, load }: FoldRequest, workspace: Workspace): Promise<readonly LoadedSide[]> {
  const environments: LoadedSide[] = [];
  for (const { side } of sides) environments.push({ side, loaded: await load(workspace, side) });
  return environments;
}

function faultOf({ prove }: Start, { folds, environments }: FoldRun): Promise<Fault | undefined> {
  const instances = folds.flatMap((fold) => (fold.kind === 'loop' ? fold.instances : []));
  const to = new Map(instances.map((instance) => [instance.from, instance.to]));
  return prove(
    environments.map(({ loaded }) => loaded),
    { done: 'Folded', planned: 'a move', to, hintFor: ({ code }) => (code === 'for-each-many' ? inParts : undefined) },
  );
}

const inParts = 'Move some of them into another file to make several loops of at most 500.';

/** What a state knows moves by an entry. */
function knownAddresses(sides: readonly Side[]): KnownAddresses {
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

function declaresNothing(documents: readonly RawDocument[]): boolean {
  return documents.every(({ value }) => value === null);
}

/** A loop is one. */
function countDeclarations(loaded: Loaded | undefined): number {
  const { resources = [], loops = [] } = loaded?.desired ?? {};
  return resources.filter(({ item }) => item === undefined).length + loops.length;
}
