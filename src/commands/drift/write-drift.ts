// `almanac drift --write`: writes changes that others made in Omni into the source files. It chooses their places,
// proves the edits, then writes the files, each as a whole and only if nobody changed it since it was read.

import { parsedOnce } from '../../declare/load/load-again.ts';
import { valuePlaces } from '../../declare/value-places.ts';
import { forAllReaders } from '../../edit/edit-files.ts';
import { environmentWords, type InEnvironment } from '../../edit/in-environment.ts';
import { openProposals } from '../../edit/propose.ts';
import { type FileToWrite, writeFiles } from '../../edit/write-files.ts';
import { fieldsOf } from '../../model/fields/fields.ts';
import type { DriftDocument, DriftedField, NotWritten, WrittenField } from '../../model/plan/drift-document.ts';
import { kinds } from '../../model/values/address.ts';
import { groupBy, memoize, pushAll } from '../../model/values/collections.ts';
import { byCodeUnit, equalJson, isJsonObject, type Json, mapAt } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { nameSome } from '../../model/values/words.ts';
import type { DefaultsLayer } from '../../model/workspace/config.ts';
import { hasErrors, type Origin, type SourceFile } from '../../model/workspace/diagnostic.ts';
import type { ValuePlace } from '../../model/workspace/origins.ts';
import { heldField, type SealedResource } from '../../model/workspace/resource.ts';
import { tokensIn } from '../../observe/token-source.ts';
import { secretsOf } from '../../plan/fingerprints.ts';
import { trackedAs } from '../../plan/match.ts';
import type { Proposal } from '../../plan/proposal.ts';
import { selectMatches } from '../../plan/selection.ts';
import { isSetField } from '../../report/fields/set-differences.ts';
import { makeLocator } from '../../yaml/locate.ts';
import type { ParsedFiles } from '../../yaml/parsed-files.ts';
import { filtersOfDelivery } from '../../yaml/raw-document.ts';
import { loadEverywhere } from '../base/every-environment.ts';
import type { Run, Session } from '../base/run.ts';
import { driftedField, driftGoals, type WantedValue } from './drift-goals.ts';
import { itemCandidates, lackedCandidates } from './item-value.ts';
import { itemsWords, NotEditable, refusalWords, sharedValueWords } from './not-editable.ts';
import {
  candidateKey,
  fileOf,
  ownHolder,
  type PlaceChoice,
  type PlaceEdit,
  type Placement,
  plainOf,
  rawIn,
  type WrittenRaw,
  wholeCandidates,
} from './place-edit.ts';
import { driftProposal } from './prove-edits.ts';
import { inFormOf, isPartlyReference, rewritten } from './rewrite-value.ts';

interface DriftToWrite {
  readonly session: Session;
  readonly proposal: Proposal;
}

export interface WrittenDrift extends Required<Pick<DriftDocument, 'written' | 'notWritten'>> {
  readonly alsoReadBy: readonly string[];
}

export async function writeDrift(run: Run, { session, proposal }: DriftToWrite): Promise<WrittenDrift> {
  const workspace = parsedOnce(session.workspace);
  const { inputs, observation, selection } = proposal;
  const { written } = selection;
  if (observation === undefined) throw new Error('drift was written without a look at the service');
  const { loaded, config, desired } = inputs;
  const { fileNamed } = loaded;
  const named = written && new Set(written);
  const matches = selectMatches(inputs, written).filter(
    (entry) => named === undefined || [entry.address, trackedAs(entry)].some((name) => named.has(name)),
  );
  const { goals, refused } = driftGoals(matches, observation, secretTexts(session, run));
  // A resource of another environment reads the files as well, so a value that it shares is not changed for this one
  // alone.
  const places = valuePlaces({ resources: [...desired.resources, ...(desired.absent ?? [])], fileNamed });
  const byLoop = groupBy(desired.resources, ({ item }) => item?.loop.address);
  const chosen = choosePlaces(goals, {
    places,
    config,
    sources: new Set(loaded.files),
    instancesOf: (loop) => byLoop.get(loop) ?? [],
    readOnlyReason: memoize((path) => workspace.readOnlyReason(path)),
  });
  const current: InEnvironment = {
    name: config.environment,
    loaded,
    state: inputs.state,
    observation,
    inputs: async () => inputs,
    load: (edited) => run.loadFrom(edited, { everywhere: true }),
  };
  const otherEnvironments = chosen.places.length === 0 ? [] : await loadEverywhere(run, workspace, current);
  const valid = otherEnvironments.filter(({ loaded: { findings } }) => !hasErrors(findings));
  const propose = openProposals(workspace, [current, ...valid], loaded);
  const { keptEdits, files, ...proven } = await propose(driftProposal(chosen.places, current, places.documents));
  const unproven = proven.refused.map(({ about, ...why }) => ({
    ...why,
    about: about.flatMap(({ goals: of }) => of.map(driftedField)),
  }));
  await writeFiles(run, workspace, files, 'drift looked at Omni');
  for (const { name } of files.length === 0 ? [] : otherEnvironments.filter((side) => !valid.includes(side)))
    run.say(
      `warning: The declarations of ${environmentWords(name)} have errors, so nobody checked what the edits change there.`,
      run.stderr,
    );
  const { environment } = config;
  const isForAll = ({ place }: PlaceEdit) =>
    environment === undefined ||
    place.kind === 'text-file' ||
    !place.origin.pointer.startsWith(`${pointerTo('environments', environment)}/`);
  return {
    written: sorted(writtenAt(keptEdits, files, fileNamed)),
    notWritten: sorted([...refused, ...chosen.refused, ...unproven].flatMap(notWrittenRows)),
    alsoReadBy: keptEdits.some(isForAll) ? config.environments.filter((name) => name !== environment) : [],
  };
}

function writtenAt(
  edits: readonly PlaceEdit[],
  files: readonly FileToWrite[],
  fileNamed: (path: string) => SourceFile | undefined,
): readonly WrittenField[] {
  const texts = new Map(files.map(({ path, after }) => [path, after]));
  const locator = makeLocator((path) => {
    const text = texts.get(path);
    return text === undefined ? fileNamed(path) : { ...fileNamed(path), path, text };
  });
  const inOrder = [...edits].sort((a, b) => byCodeUnit(fileOf(a), fileOf(b)));
  return inOrder.flatMap((edit) => {
    const { place, goals } = edit;
    const line = place.kind === 'text-file' ? 1 : (locator.locate({ ...place.origin, at: 'key' })?.line ?? 1);
    const file = fileOf(edit);
    return goals.map((goal) => ({ ...driftedField(goal), file, line }));
  });
}

function notWrittenRows({ about, reason, message }: NotWritten): WrittenDrift['notWritten'] {
  return about.map((field) => ({ ...field, reason, message }));
}

function sorted<T extends DriftedField>(fields: readonly T[]): readonly T[] {
  return [...fields].sort((a, b) => byCodeUnit(a.address, b.address) || byCodeUnit(a.path, b.path));
}

/** The tokens that are set, and every secret that is declared. */
function secretTexts({ loaded: { config, desired } }: Session, { environment }: Run): readonly string[] {
  const tokens = config === undefined ? [] : tokensIn(config, environment);
  const declared = secretsOf(desired).flatMap((secret) => secret.revealAll());
  return [...tokens, ...declared].filter(({ length }) => length >= shortestSecret);
}

/** Shorter ones are parts of many words. */
const shortestSecret = 4;

// Chooses the place to edit so that a field gets the value from Omni. It is the deepest place that gives the value only
// to fields that changed alike. Values that others share stay, and the new one is written at the resource, or in the
// item of a loop's instance.

interface ChosenPlaces {
  readonly places: readonly PlaceEdit[];
  readonly refused: readonly NotWritten[];
}

function choosePlaces(goals: readonly WantedValue[], choice: PlaceChoice): ChosenPlaces {
  const ways = goals.map((goal) => ({ goal, candidates: candidatesOf(goal, choice) }));
  const byKey = new Map<string, Placement>();
  const wantedBy = new Map<string, ReadonlySet<string>>();
  for (const { goal, candidates } of ways) {
    const own = candidates.flatMap((each) => (each instanceof NotEditable ? [] : [each]));
    for (const each of own) byKey.set(each.key, byKey.get(each.key) ?? each);
    wantedBy.set(fieldKey(goal), new Set(own.map(({ key }) => key)));
  }
  const otherUses = memoize((key: string) =>
    (byKey.get(key)?.users() ?? []).filter((user) => !user.isWhole || !wantedBy.get(fieldKey(user))?.has(key)),
  );
  const firstOf = (goal: WantedValue, candidates: Candidates) => {
    for (const each of candidates) {
      if (each instanceof NotEditable)
        return (each.reason === 'items' && sharedIn(goal, candidates, otherUses)) || each;
      if (otherUses(each.key).length === 0) return byKey.get(each.key) ?? each;
    }
    return new NotEditable('used-elsewhere');
  };
  const places: PlaceEdit[] = [];
  const refused: NotWritten[] = [];
  for (const [first, group] of groupBy(ways, ({ goal, candidates }) => firstOf(goal, candidates))) {
    const together = group.map(({ goal }) => goal);
    const edit = first instanceof NotEditable ? first : orNotEditable(() => editFor(first, together, choice));
    if (edit instanceof NotEditable)
      pushAll(
        refused,
        together.map((goal) => refuse(goal, edit)),
      );
    else places.push(edit);
  }
  return { places, refused };
}

/** The item has the value, but another field that did not change alike gets it from there as well. */
function sharedIn(
  { resource, field }: WantedValue,
  candidates: Candidates,
  otherUses: (key: string) => readonly FieldUse[],
): NotEditable | undefined {
  for (const each of candidates) {
    if (each instanceof NotEditable || each.itemValue === undefined) continue;
    const others = otherUses(each.key).filter((user) => fieldKey(user) !== fieldKey({ resource, field }));
    const names = others.map((user) =>
      user.resource.address === resource.address
        ? `\`${user.field}\``
        : `\`${user.field}\` of \`${user.resource.address}\``,
    );
    if (names.length === 0) continue;
    const words = sharedValueWords(resource, field, each.itemValue, nameSome([...new Set(names)]));
    return new NotEditable('used-elsewhere', words);
  }
  return undefined;
}

type FieldUse = ReturnType<Placement['users']>[number];

function fieldKey({
  resource,
  field,
}: Pick<WantedValue, 'field'> & { readonly resource: Pick<SealedResource, 'address'> }) {
  return `${resource.address} ${field}`;
}

function refuse(goal: WantedValue, why: NotEditable): NotWritten {
  return { about: [driftedField(goal)], reason: why.reason, message: refusalWords(why, goal.resource) };
}

function orNotEditable<T>(make: () => T): T | NotEditable {
  try {
    return make();
  } catch (error) {
    if (error instanceof NotEditable) return error;
    throw error;
  }
}

function editFor(candidate: Placement, goals: readonly WantedValue[], choice: PlaceChoice): PlaceEdit {
  const { places, readOnlyReason } = choice;
  const { place, also } = candidate;
  const written = overOthers(candidate.value(), place, goals[0], choice);
  for (const file of [fileOf(candidate), ...(also === undefined ? [] : [also.origin.file])]) {
    const why = readOnlyReason(file);
    if (why !== undefined) throw new NotEditable('read-only', `${file} cannot be written: ${why}.`);
  }
  if (place.kind === 'text-file') return { goals, place, edits: [], text: String(written) };
  const editsAt = (origin: Origin, value: Json | undefined) =>
    forAllReaders(origin, [{ pointer: origin.pointer, value }], places.documents).map((edit) => ({
      ...origin,
      ...edit,
    }));
  const edits = editsAt(place.origin, written);
  return { goals, place, edits: also === undefined ? edits : [...edits, ...editsAt(also.origin, also.value)] };
}

/** A map of filters as it is written over those of defaults: its null stays, and what is joined with it is not repeated. */
function overOthers(
  written: Json | undefined,
  place: ValuePlace,
  goal: WantedValue | undefined,
  { places }: PlaceChoice,
): Json | undefined {
  const isOfDeclaration = place.kind === 'resource' || place.kind === 'default';
  if (goal?.field !== filtersOfDelivery || !isOfDeclaration || !isJsonObject(written)) return written;
  const own = places.documents.valueAt(place.origin);
  if (!isJsonObject(own)) return written;
  const isJoined = (id: string) =>
    !Object.hasOwn(own, id) && equalJson(mapAt(goal.value)[id], mapAt(goal.declared)[id]);
  const takenAway = Object.entries(own).filter(([, filter]) => filter === null);
  return {
    ...Object.fromEntries(takenAway),
    ...Object.fromEntries(Object.entries(written).filter(([id]) => !isJoined(id))),
  };
}

/** The deepest place first. A refusal among them says that those behind it are not for this field. */
type Candidates = readonly (Placement | NotEditable)[];

function candidatesOf(goal: WantedValue, choice: PlaceChoice): Candidates {
  const written = rawIn(heldField(goal.resource, goal.field), choice.places.documents);
  const found = orNotEditable(() => itemCandidates(goal, written, choice));
  if (found instanceof NotEditable) return [found];
  const others = goal.value === undefined ? toUnset(goal, written, choice) : toSet(goal, goal.value, written, choice);
  return [...found, ...others];
}

function toSet(goal: WantedValue, value: Json, written: WrittenRaw | undefined, choice: PlaceChoice): Candidates {
  const { resource, field, declared } = goal;
  const isSet = isSetField(resource.kind, [field]);
  const target = inFormOf(declared, value);
  const rewrite = () => {
    const instances = resource.item === undefined ? [] : choice.instancesOf(resource.item.loop.address);
    const isAlike = instances.every(({ attributes }) => equalJson(attributes[field], declared));
    return rewritten(written === undefined || !isAlike ? null : plainOf(written), declared, target, isSet);
  };
  const own = () => atDeclaration(goal, target, rewrite, choice);
  if (written === undefined) return own();
  // The item leaves it out.
  if (resource.item !== undefined && declared === undefined)
    return [...lackedCandidates(goal, target, choice), forEveryItem(goal, choice)];
  // Refused wherever it would be written.
  if (isPartlyReference(written.raw))
    return [resource.item === undefined ? new NotEditable('partly-reference') : forEveryItem(goal, choice)];
  const held = wholeCandidates(written, target, goal, choice);
  return [...held, ...(isOwnText(goal, written) ? [new NotEditable('used-elsewhere')] : own())];
}

/** A resource cannot hide text of its own that others use. */
function isOwnText({ resource }: WantedValue, { place }: WrittenRaw): boolean {
  return resource.item === undefined && place.kind === 'resource';
}

/** The place at the resource itself. A loop's place is for all its instances, which must agree. */
function atDeclaration(goal: WantedValue, target: Json, value: () => Json, choice: PlaceChoice): Candidates {
  const { resource, field } = goal;
  const { origin, item } = resource;
  const place = { kind: 'resource' as const, origin: below(origin, field) };
  const instances = item === undefined ? [] : choice.instancesOf(item.loop.address);
  const users = () => instances.map((instance) => ({ resource: instance, field, isWhole: true }));
  const key = `declared ${candidateKey(place, target, isSetField(resource.kind, [field]))}`;
  const declared = { place, key, users, value };
  return item === undefined
    ? [declared]
    : [declared, ...lackedCandidates(goal, target, choice), forEveryItem(goal, choice)];
}

/** Every item would have to be rewritten for one of them. */
function forEveryItem({ resource, field }: WantedValue, { places }: PlaceChoice): NotEditable {
  const { item, origin } = resource;
  return new NotEditable('items', itemsWords(resource, field, places.documents.valueAt(item?.origin ?? origin)));
}

/** If nothing can be written, there may be no value. */
function toUnset(goal: WantedValue, written: WrittenRaw | undefined, choice: PlaceChoice): Candidates {
  const { resource, field } = goal;
  const { places, config } = choice;
  const { default: byDefault } = fieldsOf[resource.kind][field] ?? {};
  const ways: (Placement | NotEditable)[] = [];
  const holder = written && ownHolder(written, choice);
  if (holder !== undefined) {
    const { place, overridden } = holder;
    const value = () => {
      // Without the value here, a hidden one would take effect.
      const isLast = overridden === undefined && !hidesAnother(resource, field, config.defaults, places.documents);
      if (!isLast && byDefault === undefined) throw new NotEditable('no-value');
      return isLast ? undefined : byDefault;
    };
    const key = candidateKey(place, undefined, isSetField(resource.kind, [field]));
    ways.push({ place, key, users: () => places.usesOf(overridden ?? place), value });
  }
  if (written !== undefined && isOwnText(goal, written)) ways.push(new NotEditable('used-elsewhere'));
  else if (byDefault === undefined) ways.push(new NotEditable('no-value'));
  else
    pushAll(
      ways,
      atDeclaration(goal, byDefault, () => byDefault, choice),
    );
  return ways;
}

/** True if a field would have another value after its present source stops giving one. */
function hidesAnother(
  { kind, origin }: SealedResource,
  field: string,
  defaults: readonly DefaultsLayer[],
  { documentsOf, suppliersAt }: ParsedFiles,
): boolean {
  const section = kinds[kind].section;
  const layers = [
    ...defaults.map((layer) => below(layer.origin, section)),
    ...documentsOf(origin.file).map((document) => below(document, 'defaults', section)),
  ];
  return [origin, ...layers].flatMap((holder) => suppliersAt(below(holder, field))).length > 1;
}

function below(origin: Origin, ...segments: readonly string[]): Origin {
  return { ...origin, pointer: origin.pointer + pointerTo(...segments) };
}
