// Folds a workspace: runs the stages one after another, each over the texts of those before, and proves what each proposes.
// What cannot be proven is left out, so that it does not hinder the rest. Writes nothing.

import { invalidWorkspace, type Loaded } from '../../declare/load/load.ts';
import type { ParsedOnce } from '../../declare/load/load-again.ts';
import type { Address } from '../../model/values/address.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { pushAll } from '../../model/values/many.ts';
import { memoize } from '../../model/values/memoize.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { formatYaml } from '../../yaml/format/format-yaml.ts';
import { sourceOrder } from '../../yaml/format/source-order.ts';
import type { RawDocument } from '../../yaml/raw-document.ts';
import { editFiles, type SettledProof, settleEdits } from '../base/edit/edit-files.ts';
import type { Seen, Side } from '../base/edit/every-environment.ts';
import { type FaultWords, faultOf, proverEverywhere, type Unmeant, unproven } from '../base/edit/prove-everywhere.ts';
import { foldAudiences } from './fold-audiences.ts';
import { foldDefaults } from './fold-defaults.ts';
import type { Fold, FoldInput, FoldStage, KnownAddresses, NotFolded, ProposedFold } from './fold-stage.ts';
import { foldLoops } from './loops/fold-loops.ts';

/** In their order: shared values are looked for in what is left after the loops. */
const foldStages: readonly FoldStage[] = [foldLoops, foldAudiences, foldDefaults];

export interface FoldRequest {
  readonly workspace: ParsedOnce;
  /** The first is the one whose resources the stages look at. */
  readonly sides: readonly Side[];
  /** The only files that may change; undefined for all. */
  readonly named: ReadonlySet<string> | undefined;
  readonly stages?: readonly FoldStage[];
}

export interface FoldedWorkspace {
  /** In the order of their paths. */
  readonly files: readonly { readonly path: string; readonly before: string; readonly after: string }[];
  readonly folds: readonly Fold[];
  readonly left: readonly NotFolded[];
  /** Changed files that declare nothing any more. */
  readonly empty: readonly string[];
  /** How many declarations there are before and after. */
  readonly declarations: { readonly before: number; readonly after: number };
}

/** What is folded so far, in memory. */
interface Folded {
  readonly texts: ReadonlyMap<string, string>;
  readonly folds: readonly ProposedFold[];
  /** What these texts declare in each environment. */
  readonly everywhere: readonly Loaded[];
}

/** Throws Failure invalid-workspace where the declarations of an environment have errors. */
export async function foldWorkspace(request: FoldRequest): Promise<FoldedWorkspace> {
  const { workspace, sides, stages = foldStages } = request;
  const invalid = sides.find(({ loaded }) => hasErrors(loaded.findings))?.loaded;
  if (invalid !== undefined)
    throw invalidWorkspace('The declarations have errors; nothing was folded.', invalid.findings, invalid);
  const original = sides[0]?.loaded;
  const fixed = fixedFiles(request, original);
  const prove = prover(request, fixed);
  const left: NotFolded[] = [];
  const refused: NotFolded[] = [];
  let folded: Folded = { texts: new Map(), folds: [], everywhere: sides.map(({ loaded }) => loaded) };
  for (const stage of stages) {
    const before = folded;
    const step = stage(inputOf(request, before, fixed));
    const settled = await settleEdits(step.folds, { addressesOf, prove: (folds) => prove(before, folds) });
    folded = settled.result ?? before;
    pushAll(left, [...step.left, ...settled.kept.flatMap((each) => each.left ?? [])]);
    for (const { edit, message } of settled.refused)
      refused.push({ file: edit.fold.file, addresses: formerAddresses(edit.fold), message });
  }
  const readOnly = [...fixed].map(
    ([file, why]): NotFolded => ({ file, addresses: [], message: `${file} cannot be written: ${why}.` }),
  );
  const files = [...folded.texts].map(([path, after]) => ({ path, before: textOf(original, path), after }));
  return {
    files: files.sort((a, b) => byCodeUnit(a.path, b.path)),
    empty: files
      .filter(({ path, after }) => declaresNothing(workspace.parse({ path, text: after }).value))
      .map(({ path }) => path),
    folds: folded.folds.map(({ fold }) => fold),
    left: [...left, ...refused, ...readOnly],
    declarations: { before: countDeclarations(original), after: countDeclarations(folded.everywhere[0]) },
  };
}

function inputOf(request: FoldRequest, { everywhere }: Folded, fixed: FixedFiles): FoldInput {
  const [loaded] = everywhere as readonly [Loaded];
  const open = loaded.files.filter((path) => mayChange(path, request, fixed));
  const files = new Map(open.map((path) => [path, textOf(loaded, path)]));
  return { loaded, files, everywhere, parse: request.workspace.parse, state: knownAddresses(request.sides) };
}

/** Whether more folds hold, together with those before them. */
function prover(request: FoldRequest, fixed: FixedFiles) {
  const { workspace, sides } = request;
  const proveEverywhere = proverEverywhere(workspace, sides);
  const original = sides[0]?.loaded;
  const wasFormatted = memoize((path: string) => {
    const text = textOf(original, path);
    return formatYaml(text, sourceOrder) === text;
  });
  // What `almanac fmt` leaves unchanged stays so: a value in quotes may have become one that needs none.
  const formatted = (path: string, text: string) =>
    (wasFormatted(path) ? formatYaml(text, sourceOrder) : undefined) ?? text;
  return async (before: Folded, more: readonly ProposedFold[]): Promise<SettledProof<Folded, 'unproven'>> => {
    const [loaded] = before.everywhere as readonly [Loaded];
    const edits = more.flatMap((each) => each.edits);
    const shut = edits.find(({ file }) => !mayChange(file, request, fixed))?.file;
    if (shut !== undefined) return refusedIn(shut, `${shut} would have to change as well.`, more);
    const edited = editFiles(edits, loaded, workspace.parse);
    if ('notEdited' in edited)
      return refusedIn(edited.notEdited, `The layout of ${edited.notEdited} cannot be edited.`, more);
    const changed = [...edited.texts].map(([path, text]) => [path, formatted(path, text)] as const);
    const texts = new Map([...before.texts, ...changed]);
    const folds = [...before.folds, ...more];
    const instances = folds.flatMap(({ fold }) => (fold.kind === 'loop' ? fold.instances : []));
    const proven = await proveEverywhere(texts, { to: new Map(instances.map(({ from, to }) => [from, to])) });
    if ('after' in proven) return { holds: true, result: { texts, folds, everywhere: proven.after } };
    return unproven(faultOf(firstOf(proven.unmeant), words));
  };
}

/** An entry in `adopt` may be in a file that is not to be folded, or is read-only. */
function mayChange(path: string, { named }: FoldRequest, fixed: FixedFiles): boolean {
  return (named?.has(path) ?? true) && !fixed.has(path);
}

function refusedIn(file: string, message: string, folds: readonly ProposedFold[]) {
  const touching = folds.filter(({ edits }) => edits.some((edit) => edit.file === file));
  return unproven({ message, blame: new Map(touching.flatMap(addressesOf).map((each) => [each, message])) });
}

/** What is wrong behind a first mistake may follow from it. */
function firstOf(unmeant: Unmeant): Unmeant {
  return unmeant.kind === 'invalid' ? { ...unmeant, findings: unmeant.findings.slice(0, 1) } : unmeant;
}

const words: FaultWords = {
  done: 'Folded',
  planned: 'a move',
  declared: 'as it was',
  hintFor: ({ code }) => (code === 'for-each-many' ? inParts : undefined),
};
const inParts = 'Move some of them into another file to make several loops of at most 500.';

/** What a state knows moves by an entry. */
function knownAddresses(sides: readonly Seen[]): KnownAddresses {
  if (sides.some((side) => !('state' in side))) return 'unknown';
  return new Set(sides.flatMap(({ state }) => Object.keys(state?.resources ?? {})));
}

function addressesOf({ fold }: ProposedFold): readonly Address[] {
  return fold.kind === 'loop' ? [fold.address, ...fold.instances.map(({ to }) => to)] : fold.usedBy;
}

function formerAddresses(fold: Fold): readonly Address[] {
  return fold.kind === 'loop' ? fold.instances.map(({ from }) => from) : fold.usedBy;
}

function textOf(loaded: Loaded | undefined, path: string): string {
  return loaded?.fileNamed(path)?.text ?? '';
}

/** Why a file cannot be written, by its path. */
type FixedFiles = ReadonlyMap<string, string>;

function fixedFiles({ workspace, named }: FoldRequest, loaded: Loaded | undefined): FixedFiles {
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
