// Turns proposed edits into new files: those that hold in every environment. It also tells why the others are left out.
// Each command says what its edits change, and what may differ; `write-files.ts` writes what holds.

import type { Loaded } from '../declare/load/load.ts';
import type { ParsedOnce } from '../declare/load/load-again.ts';
import type { Address } from '../model/values/address.ts';
import { groupBy, largest, pushAll } from '../model/values/collections.ts';
import { byCodeUnit } from '../model/values/json.ts';
import type { Reasoned } from '../model/values/refusal.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { editFiles, type FileEdit } from './edit-files.ts';
import type { InEnvironment } from './in-environment.ts';
import { type AllowedDifference, proverEverywhere, type Unexpected } from './prove-everywhere.ts';
import type { FileToWrite } from './write-files.ts';

/** An obstacle to edits: what they would do, or a file. */
export type Obstacle =
  | Unexpected
  /** The layout of the file cannot be edited, or it cannot hold a character of a value. */
  | { readonly kind: 'unparseable' | 'unencodable'; readonly file: string }
  /** The file must not be changed; the resources of the edits that need it. */
  | { readonly kind: 'read-only'; readonly file: string; readonly addresses: readonly Address[] };

export interface ProposedEdits<E, R extends string> extends EditUnits<E> {
  readonly edits: readonly E[];
  readonly filesOf: (edit: E) => readonly FileEdit[];
  readonly allowed: (edits: readonly E[]) => AllowedDifference;
  readonly faultsOf: (obstacle: Obstacle, edits: readonly E[]) => EditFaults<R>;
  /** The files that may change; all if absent. */
  readonly mayChange?: (path: string) => boolean;
  /** The last touch to a new text. */
  readonly finished?: (path: string, text: string) => string;
}

export interface ProvenEdits<E, R extends string> {
  readonly keptEdits: readonly E[];
  readonly refused: readonly Reasoned<E, R>[];
  /** The files in the order of their paths; empty if nothing is kept. */
  readonly files: readonly FileToWrite[];
  /** The declarations in each environment, in the order of the environments. */
  readonly after: readonly Loaded[];
}

/** `earlier` are edits that are kept in any case, with those that were left out beside them. */
export type Propose = <E, R extends string>(
  proposal: ProposedEdits<E, R>,
  earlier?: Pick<ProvenEdits<E, R>, 'keptEdits' | 'refused' | 'files' | 'after'>,
) => Promise<ProvenEdits<E, R>>;

/** `files`: as they are. Throws Failure invalid-workspace where an environment has errors. */
export function openProposals(
  workspace: ParsedOnce,
  environments: readonly InEnvironment[],
  files: Pick<Loaded, 'fileNamed' | 'config'>,
): Propose {
  const prove = proverEverywhere(workspace, environments);
  const textNow = (path: string): string | undefined => {
    const read = files.fileNamed(path) ?? workspace.read(path);
    return 'text' in read ? read.text : workspace.exists(path) ? '' : undefined;
  };
  return async (
    proposal,
    earlier = { keptEdits: [], refused: [], files: [], after: environments.map(({ loaded }) => loaded) },
  ) => {
    const { edits, filesOf, allowed, faultsOf, mayChange = () => true, finished = (_, text) => text } = proposal;
    type Edit = (typeof edits)[number];
    type Reason = ReturnType<typeof faultsOf>[number]['reason'];
    type Result = Pick<ProvenEdits<Edit, Reason>, 'files' | 'after'>;
    const newFiles = async (all: readonly Edit[]): Promise<Obstacle | Result> => {
      // Several edits can need the same line.
      const changes = [...new Map(all.flatMap(filesOf).map((edit) => [JSON.stringify(edit), edit])).values()];
      const shut = changes.find(({ file }) => !mayChange(file))?.file;
      if (shut !== undefined) {
        const needing = all.filter((edit) => filesOf(edit).some(({ file }) => file === shut));
        return { kind: 'read-only', file: shut, addresses: needing.flatMap(proposal.addressesOf) };
      }
      const edited = editFiles(changes, files, workspace.parse);
      if ('notEdited' in edited) return { kind: 'unparseable', file: edited.notEdited };
      const texts = new Map([...edited.texts].map(([path, text]) => [path, finished(path, text)]));
      const lost = [...texts].find(([, text]) => !isReadBack(text))?.[0];
      if (lost !== undefined) return { kind: 'unencodable', file: lost };
      const proven = await prove(texts, allowed(all));
      if ('unexpected' in proven) return proven.unexpected;
      const made = [...texts].map(([path, after]) => ({ path, before: textNow(path), after }));
      return { files: made.sort((a, b) => byCodeUnit(a.path, b.path)), after: proven.after };
    };
    const proof = async (more: readonly Edit[]): Promise<Proof<Result, Reason>> => {
      const all = [...earlier.keptEdits, ...more];
      const result = await newFiles(all);
      return 'kind' in result ? { holds: false, faults: faultsOf(result, all) } : { holds: true, result };
    };
    const { keptEdits, refused, result = earlier } = await keepWhatHolds(edits, proof, proposal);
    const { files: made, after } = result;
    return {
      keptEdits: [...earlier.keptEdits, ...keptEdits],
      refused: [...earlier.refused, ...refused],
      files: made,
      after,
    };
  };
}

/** A file holds neither NUL nor half of a character, and a byte order mark at its start is no part of its text. */
function isReadBack(text: string): boolean {
  return !text.includes('\0') && !text.startsWith('\uFEFF') && text === Buffer.from(text).toString();
}

export interface FaultWords {
  /** `Folded`: begins the sentences that say what is wrong. */
  readonly done: string;
  /** `a move`: what a plan may hold. */
  readonly planned: string;
  /** `as it was`: how what is there should be declared. */
  readonly declared: string;
  /** The advice about a finding that was not there before: a sentence behind its own. */
  readonly hintFor?: (finding: Finding) => string | undefined;
}

/** The faults in words, each resource with its own. */
export function faultsIn({
  done,
  planned,
  declared,
  hintFor,
}: FaultWords): (obstacle: Obstacle) => EditFaults<'unproven'> {
  const reason = 'unproven';
  return (obstacle) => {
    switch (obstacle.kind) {
      case 'unparseable':
        return [{ about: [], reason, message: `The layout of ${obstacle.file} cannot be edited.` }];
      case 'unencodable':
        return [{ about: [], reason, message: `${obstacle.file} cannot hold a character of the value.` }];
      case 'read-only':
        return [{ about: obstacle.addresses, reason, message: `${obstacle.file} would have to change as well.` }];
      case 'invalid':
        return obstacle.findings.map((finding) => {
          const where = whereWords(obstacle.side);
          const hint = hintFor?.(finding);
          const message = `${done}, it would not be valid${where}. ${finding.message}${hint === undefined ? '' : ` ${hint}`}`;
          return { about: finding.address === undefined ? [] : [finding.address], reason, message };
        });
      case 'declared':
      case 'planned': {
        const wordsFor = (address: Address) =>
          obstacle.kind === 'declared'
            ? `${done}, \`${address}\` would not be declared ${declared}${whereWords(obstacle.side)}.`
            : `${done}, the plan for \`${address}\` would hold more than ${planned}${whereWords(obstacle.side)}.`;
        return obstacle.addresses.map((each) => ({ about: [each], reason, message: wordsFor(each) }));
      }
    }
  };
}

/** Words to be put behind a clause. */
export function whereWords({ name }: Pick<InEnvironment, 'name'>): string {
  return name === undefined ? '' : ` in the environment ${name}`;
}

// Finds out which of many edits hold together. All of them are proven at once; if that fails, those that are at fault
// are found and left out, with as few proofs as possible, because each proof loads the whole workspace.

/** The reasons why edits do not hold: at least one, each about the resources at fault, as far as these are known. */
export type EditFaults<R extends string> = readonly Reasoned<Address, R>[];

export type Proof<T, R extends string> =
  | { readonly holds: true; readonly result: T }
  | { readonly holds: false; readonly faults: EditFaults<R> };

interface HeldEdits<E, T, R extends string> {
  readonly keptEdits: readonly E[];
  /** The result of the proof of the kept edits; undefined if none is kept. */
  readonly result: T | undefined;
  readonly refused: readonly Reasoned<E, R>[];
}

export interface EditUnits<E> {
  /** The resources that an edit changes: the edits of one resource are parted only if they do not hold together. */
  readonly addressesOf: (edit: E) => readonly Address[];
  /** Groups one resource's edits that must stay together; without it, each edit is a group of its own. */
  readonly partsOf?: (unit: readonly E[]) => readonly (readonly E[])[];
}

export async function keepWhatHolds<E, T, R extends string>(
  edits: readonly E[],
  prove: (edits: readonly E[]) => Promise<Proof<T, R>>,
  { addressesOf, partsOf = (unit) => unit.map((edit) => [edit]) }: EditUnits<E>,
): Promise<HeldEdits<E, T, R>> {
  /** Edits that are kept or left out together. */
  type Unit = readonly E[];
  const keptEdits: E[] = [];
  const refused: Reasoned<E, R>[] = [];
  let result: T | undefined;
  const settle = async (units: readonly Unit[]): Promise<void> => {
    if (units.length === 0) return;
    const proof = await prove([...keptEdits, ...units.flat()]);
    if (proof.holds) {
      pushAll(keptEdits, units.flat());
      result = proof.result;
      return;
    }
    const [first] = proof.faults;
    if (first === undefined) throw new Error('edits do not hold, and no reason was given');
    // The first fault of a resource counts.
    const blame = new Map(
      proof.faults.flatMap((fault) => fault.about.map((each) => [each, fault] as const)).toReversed(),
    );
    const faultOf = (unit: Unit) =>
      unit.flatMap(addressesOf).flatMap((address) => blame.get(address) ?? [])[0] ??
      (units.length === 1 ? first : undefined);
    const blamed = units.filter((unit) => faultOf(unit) !== undefined);
    if (blamed.length < units.length) {
      const innocent = units.filter((unit) => !blamed.includes(unit));
      for (const some of blamed.length === 0 ? halvesOf(units) : [innocent, blamed]) await settle(some);
      return;
    }
    const several: (readonly Unit[])[] = [];
    for (const unit of units) {
      const parts = partsOf(unit);
      if (parts.length > 1) several.push(parts);
      else refused.push({ ...(faultOf(unit) ?? first), about: unit });
    }
    const [only, ...others] = several;
    // One unit may have thousands of parts, of which most hold.
    if (only !== undefined && others.length === 0) {
      for (const half of halvesOf(only)) await settle([half.flat()]);
      return;
    }
    // Each round tries one part of every resource, so that a faulty part does not discard its neighbours.
    const most = largest(several.map((parts) => parts.length));
    for (let part = 0; part < most; part += 1) await settle(several.flatMap((parts) => parts.slice(part, part + 1)));
  };
  await settle([...groupBy(edits, (edit) => addressesOf(edit)[0] ?? '').values()]);
  return { keptEdits, result, refused };
}

function halvesOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  const half = Math.ceil(all.length / 2);
  return [all.slice(0, half), all.slice(half)];
}
