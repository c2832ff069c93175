// What others changed in Omni, as new texts of the source files. Decides and proves; writes nothing.

import { selectMatches } from '../../apply/propose/selection.ts';
import { valuePlaces } from '../../declare/value-places.ts';
import type { DriftDocument, NotWrittenField, WrittenField } from '../../model/plan/plan.ts';
import { type Address, withInstances } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/group-by.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { memoize } from '../../model/values/memoize.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { SourceFile } from '../../model/workspace/diagnostic.ts';
import { trackedAs } from '../../plan/match.ts';
import { makeLocator } from '../../yaml/locate.ts';
import { settleEdits } from '../base/edit/settle-edits.ts';
import { choosePlaces } from './choose-place.ts';
import { driftGoals, refusal } from './drift-goals.ts';
import { fileOf, type PlaceEdit } from './place-edit.ts';
import { makeProver, type ProofInput } from './prove-edits.ts';

export interface AcceptRequest extends Omit<ProofInput, 'documents'> {
  /** Only these; undefined for all that drifted. */
  readonly addresses: readonly Address[] | undefined;
  /** Texts that go into no file, wherever they come from. */
  readonly secrets: readonly string[];
}

export interface AcceptedDrift extends Required<Pick<DriftDocument, 'written' | 'notWritten'>> {
  readonly files: readonly EditedFile[];
  /** Other environments that read what was written. */
  readonly alsoReadBy: readonly string[];
}

export interface EditedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

export async function acceptDrift(request: AcceptRequest): Promise<AcceptedDrift> {
  const { basis, observation, addresses, workspace, secrets } = request;
  const { loaded, config, desired } = basis;
  const known = basis.matching.value.flatMap((entry) => [entry.address, trackedAs(entry)]);
  const named = addresses && new Set(withInstances(addresses, known));
  const matches = selectMatches(basis, addresses).filter(
    (entry) => named === undefined || [entry.address, trackedAs(entry)].some((name) => named.has(name)),
  );
  const { goals, refused } = driftGoals(matches, observation, secrets);
  const { fileNamed } = loaded;
  const { environment } = config;
  const otherEnvironments = config.environments.filter((name) => name !== environment);
  // A resource of another environment reads the files as well, so a value that it shares is not changed for this one alone.
  const places = valuePlaces({ resources: [...desired.resources, ...(desired.absent ?? [])], fileNamed });
  const isProse = (path: string) => prose.test(path) && path !== config.file && !loaded.files.includes(path);
  const byLoop = groupBy(desired.resources, ({ item }) => item?.loop.address);
  const instancesOf = (loop: Address) => byLoop.get(loop) ?? [];
  const { file: configFile, defaults } = config;
  const choice = { places, configFile, defaults, environment, otherEnvironments, isProse, instancesOf };
  const chosen = choosePlaces(goals, choice);
  const whyFixed = memoize((path) => workspace.whyFixed(path));
  const fixed = chosen.places.flatMap((place) => {
    const file = fileOf(place);
    return whyFixed(file) === undefined ? [] : [[place, file] as const];
  });
  const readOnly = fixed.flatMap(([place, file]) =>
    refuseAll(place, { reason: 'read-only', message: `${file} cannot be written: ${whyFixed(file)}.` }),
  );
  const writable = chosen.places.filter((place) => !fixed.some(([each]) => each === place));
  const proven = await settleEdits(writable, {
    prove: makeProver({ ...request, documents: places.documents }),
    addressesOf,
    partsOf,
  });
  const unproven = proven.refused.flatMap(({ edit, ...why }) => refuseAll(edit, why));
  const texts = proven.result ?? new Map<string, string>();
  const files = [...texts].map(([path, after]) => ({ path, before: textOf(request, path), after }));
  const inEnvironment = environment === undefined ? undefined : pointerTo('environments', environment);
  const isForAll = ({ place }: PlaceEdit) =>
    !('origin' in place) || inEnvironment === undefined || !place.origin.pointer.startsWith(`${inEnvironment}/`);
  return {
    files,
    written: sorted(writtenAt(proven.kept, texts, fileNamed)),
    notWritten: sorted([...refused, ...chosen.refused, ...readOnly, ...unproven]),
    alsoReadBy: proven.kept.some(isForAll) ? otherEnvironments : [],
  };
}

/** Files that hold texts for people. What others wrote in Omni goes into no program and no configuration. */
const prose = /\.(?:txt|md|html?)$/i;

function textOf({ workspace, basis }: AcceptRequest, path: string): string {
  const known = basis.loaded.fileNamed(path)?.text;
  if (known !== undefined) return known;
  const read = workspace.read(path);
  return 'text' in read ? read.text : '';
}

function writtenAt(
  edits: readonly PlaceEdit[],
  texts: ReadonlyMap<string, string>,
  fileNamed: (path: string) => SourceFile | undefined,
): readonly WrittenField[] {
  const locator = makeLocator((path) => {
    const text = texts.get(path);
    return text === undefined ? fileNamed(path) : { ...fileNamed(path), path, text };
  });
  const inOrder = [...edits].sort((a, b) => byCodeUnit(fileOf(a), fileOf(b)));
  return inOrder.flatMap((edit) => {
    const { place, goals } = edit;
    const line = place.kind === 'text-file' ? 1 : (locator.locate({ ...place.origin, at: 'key' })?.line ?? 1);
    const file = fileOf(edit);
    return goals.map(({ resource: { address }, field }) => ({ address, path: pointerTo(field), file, line }));
  });
}

function sorted<T extends Pick<WrittenField, 'address' | 'path'>>(fields: readonly T[]): readonly T[] {
  return [...fields].sort((a, b) => byCodeUnit(a.address, b.address) || byCodeUnit(a.path, b.path));
}

/** What is refused, or kept, together: the fields of an edit, and the edits of companions. */
export function refuseAll(
  { goals }: PlaceEdit,
  { reason, message }: Pick<NotWrittenField, 'reason' | 'message'>,
): readonly NotWrittenField[] {
  return goals.map(({ resource, field }) => refusal(resource.address, pointerTo(field), reason, message));
}

export function addressesOf({ goals }: PlaceEdit): readonly Address[] {
  return goals.map(({ resource }) => resource.address);
}

/** Fields of which one is not valid without the other. */
const companions: readonly ReadonlySet<string>[] = [
  new Set(['conditionType', 'conditionQueryMapKey']),
  new Set(['slackRecipientType', 'recipients']),
];

/** The edits of one resource that hold or fail together. */
export function partsOf(unit: readonly PlaceEdit[]): readonly (readonly PlaceEdit[])[] {
  const isIn = (fields: ReadonlySet<string>) => (edit: PlaceEdit) => edit.goals.every(({ field }) => fields.has(field));
  const pairs = companions.map((fields) => unit.filter(isIn(fields))).filter((pair) => pair.length > 0);
  const alone = unit.filter((edit) => !pairs.some((pair) => pair.includes(edit)));
  return [...pairs, ...alone.map((edit) => [edit])];
}
