// Folds a workspace: proves the loops that are proposed. What cannot be proven is left out, so that it does not hinder the
// rest. Writes nothing.

import { type Loaded, refuseErrors } from '../../declare/load/load.ts';
import type { ParsedOnce } from '../../declare/load/load-again.ts';
import { faultIn, type Obstacle, openProposals, type Proposal } from '../../edit/propose.ts';
import type { Seen, Side } from '../../edit/side.ts';
import type { Address } from '../../model/values/address.ts';
import { memoize } from '../../model/values/memoize.ts';
import { formatYaml } from '../../yaml/format/format-yaml.ts';
import { sourceOrder } from '../../yaml/format/source-order.ts';
import type { RawDocument } from '../../yaml/raw-document.ts';
import type { FoldedLoop, NotFolded } from './document.ts';
import { type FoldInput, type KnownAddresses, type ProposedLoop, proposeLoops } from './fold-loops.ts';

export interface FoldRequest {
  readonly workspace: ParsedOnce;
  /** The first is the one whose resources become loops. */
  readonly sides: readonly Side[];
  /** The only files that may change; undefined for all. */
  readonly named: ReadonlySet<string> | undefined;
}

export interface FoldedWorkspace {
  /** In the order of their paths. */
  readonly files: readonly { readonly path: string; readonly before: string; readonly after: string }[];
  readonly loops: readonly FoldedLoop[];
  readonly left: readonly NotFolded[];
  /** Changed files that declare nothing any more. */
  readonly empty: readonly string[];
  /** How many declarations there are before and after. */
  readonly declarations: { readonly before: number; readonly after: number };
}

/** Throws Failure invalid-workspace where the declarations of an environment have errors. */
export async function foldWorkspace(request: FoldRequest): Promise<FoldedWorkspace> {
  const { workspace, sides } = request;
  for (const { loaded } of sides) refuseErrors(loaded, 'nothing was folded');
  const [{ loaded }] = sides as readonly [Side];
  const fixed = fixedFiles(request, loaded);
  const { proposed, left } = proposeLoops(inputOf(request, loaded, fixed));
  const propose = openProposals(workspace, sides, loaded);
  const { kept, refused, files, after } = await propose(proposalOf(proposed, request, loaded, fixed));
  const notProven = refused.map(
    ({ edit: { loop }, message }): NotFolded => ({
      file: loop.file,
      addresses: loop.instances.map(({ from }) => from),
      message,
    }),
  );
  const readOnly = [...fixed].map(
    ([file, why]): NotFolded => ({ file, addresses: [], message: `${file} cannot be written: ${why}.` }),
  );
  return {
    files,
    empty: files
      .filter(({ path, after }) => declaresNothing(workspace.parse({ path, text: after }).value))
      .map(({ path }) => path),
    loops: kept.map(({ loop }) => loop),
    left: [...left, ...notProven, ...readOnly],
    declarations: { before: countDeclarations(loaded), after: countDeclarations(after[0] ?? loaded) },
  };
}

function inputOf(request: FoldRequest, loaded: Loaded, fixed: FixedFiles): FoldInput {
  const open = loaded.files.filter((path) => mayChange(path, request.named, fixed));
  const files = new Map(open.map((path) => [path, textOf(loaded, path)]));
  return { loaded, files, parse: request.workspace.parse, state: knownAddresses(request.sides) };
}

/** Loops that hold. */
function proposalOf(
  edits: readonly ProposedLoop[],
  { named }: FoldRequest,
  loaded: Loaded,
  fixed: FixedFiles,
): Proposal<ProposedLoop, 'unproven'> {
  const wasFormatted = memoize((path: string) => {
    const text = textOf(loaded, path);
    return formatYaml(text, sourceOrder) === text;
  });
  return {
    edits,
    filesOf: (each) => each.edits,
    addressesOf,
    allowed: (loops) => {
      const instances = loops.flatMap(({ loop }) => loop.instances);
      return { to: new Map(instances.map(({ from, to }) => [from, to])) };
    },
    faultOf: (obstacle) => foldFault(firstOf(obstacle)),
    // An entry in `adopt` may be in a file that is not to be folded, or is read-only.
    mayChange: (path) => mayChange(path, named, fixed),
    // What `almanac fmt` leaves unchanged stays so: a value in quotes may have become one that needs none.
    finished: (path, text) => (wasFormatted(path) ? formatYaml(text, sourceOrder) : undefined) ?? text,
  };
}

function mayChange(path: string, named: FoldRequest['named'], fixed: FixedFiles): boolean {
  return (named?.has(path) ?? true) && !fixed.has(path);
}

/** What is wrong behind a first mistake may follow from it. */
function firstOf(obstacle: Obstacle): Obstacle {
  return obstacle.kind === 'invalid' ? { ...obstacle, findings: obstacle.findings.slice(0, 1) } : obstacle;
}

const inParts = 'Move some of them into another file to make several loops of at most 500.';
const foldFault = faultIn({
  done: 'Folded',
  planned: 'a move',
  declared: 'as it was',
  hintFor: ({ code }) => (code === 'for-each-many' ? inParts : undefined),
});

/** What a state knows moves by an entry. */
function knownAddresses(sides: readonly Seen[]): KnownAddresses {
  if (sides.some((side) => !('state' in side))) return 'unknown';
  return new Set(sides.flatMap(({ state }) => Object.keys(state?.resources ?? {})));
}

function addressesOf({ loop }: ProposedLoop): readonly Address[] {
  return [loop.address, ...loop.instances.map(({ to }) => to)];
}

function textOf(loaded: Loaded, path: string): string {
  return loaded.fileNamed(path)?.text ?? '';
}

/** Why a file cannot be written, by its path. */
type FixedFiles = ReadonlyMap<string, string>;

function fixedFiles({ workspace, named }: FoldRequest, loaded: Loaded): FixedFiles {
  const files = loaded.files.filter((path) => named?.has(path) ?? true);
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
function countDeclarations({ desired }: Loaded): number {
  const { resources, loops = [] } = desired;
  return resources.filter(({ item }) => item === undefined).length + loops.length;
}
