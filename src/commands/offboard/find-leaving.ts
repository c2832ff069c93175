// Finds edits that remove a person from the source files, and remaining mentions. All edits of recipients and owners
// are proven together, in every environment, before any file is written. Writes nothing.

import type { ParsedOnce } from '../../declare/load/load-again.ts';
import { refuseErrors } from '../../declare/load/refuse-errors.ts';
import { type ValuePlaces, valuePlaces } from '../../declare/value-places.ts';
import type { EnvironmentState, InEnvironment } from '../../edit/in-environment.ts';
import { faultsIn, openProposals, type ProvenEdits } from '../../edit/propose.ts';
import type { AllowedDifference } from '../../edit/prove-everywhere.ts';
import type { FileToWrite } from '../../edit/write-files.ts';
import { deliveryOf, ownerAt } from '../../model/fields/delivery.ts';
import { type Kind, kindAt } from '../../model/values/address.ts';
import { byCodeUnit, type Json, type JsonObject } from '../../model/values/json.ts';
import { type Pointer, valueAt, withValueAt } from '../../model/values/pointer.ts';
import type { SourceFile } from '../../model/workspace/diagnostic.ts';
import { type Declared, declaredAttributes, type Resource } from '../../model/workspace/resource.ts';
import { fileAndLine } from '../../report/text/words.ts';
import type { FileNamed } from '../../yaml/parsed-files.ts';
import { referencesIn } from '../../yaml/references-in.ts';
import type { BlockedAddress, OffboardEdit } from './offboard-document.ts';
import {
  fieldAt,
  insteadOfUserId,
  isThem,
  type Leaver,
  mailedAt,
  namedAt,
  type PersonEdit,
  personEdits,
  withVariables,
} from './person-texts.ts';

interface OffboardRequest extends Leaver {
  readonly workspace: ParsedOnce;
  /** Every environment: their files are the same. */
  readonly environments: readonly InEnvironment[];
}

interface OffboardFiles {
  readonly edits: readonly OffboardEdit[];
  readonly blocked: readonly BlockedAddress[];
  /** Blocked places that only stay because nobody would be left. */
  readonly noneLeft: readonly string[];
  readonly files: readonly FileToWrite[];
  readonly remainingMentions: readonly RemainingMention[];
}

/** Throws Failure invalid-workspace if the declarations of an environment have errors. */
export async function findLeaving(request: OffboardRequest): Promise<OffboardFiles> {
  const { environments, email, memberId } = request;
  for (const { loaded } of environments) refuseErrors(loaded, 'nothing was changed');
  const { files, fileNamed } = filesOf(environments);
  const places = valuePlaces({ resources: environments.flatMap(({ loaded }) => loaded.desired.resources), fileNamed });
  const last = lastOnes(environments, places, request);
  const searched = { ...request, files, fileNamed, places };
  const edits = personEdits({
    ...searched,
    lastOnes: new Set(last.map(({ address, resource }) => resource ?? address)),
  });
  const settled = await settle(edits, searched);
  const { keptEdits, files: made } = settled;
  const { blocked, noneLeft } = whatRemains({
    ...searched,
    ...settled,
    last: new Set(last.map(({ address }) => address)),
  });
  return {
    edits: keptEdits
      .map(({ origin, line, before, value }) => ({
        file: origin.file,
        line,
        path: origin.pointer,
        before,
        after: value ?? null,
      }))
      .sort((a, b) => byCodeUnit(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0) || byCodeUnit(a.path, b.path)),
    blocked,
    noneLeft,
    files: made,
    remainingMentions: stillNamed(
      [email, ...(memberId === undefined ? [] : [memberId])],
      files,
      new Map(made.map(({ path, after }) => [path, after])),
    ),
  };
}

/** The configuration, the source files, and the CSV files of loops, each once. */
function filesOf(environments: readonly EnvironmentState[]) {
  const found = environments.flatMap(({ loaded: { config, files, desired, fileNamed } }) => {
    const tables = desired.resources.flatMap(({ item }) => item?.origin.file ?? []);
    const paths = [...new Set([config?.file ?? '', ...files, ...tables])];
    return paths.flatMap((path) => fileNamed(path) ?? []);
  });
  const byPath = new Map(found.map((file) => [file.path, file]));
  return { files: [...byPath.values()], fileNamed: (path: string) => byPath.get(path) };
}

interface SearchInput extends OffboardRequest {
  readonly fileNamed: FileNamed;
  readonly places: ValuePlaces;
}

interface KeptEdits extends Pick<ProvenEdits<PersonEdit, 'unproven'>, 'keptEdits' | 'files' | 'after'> {
  /** Each with a whole sentence. */
  readonly refused: ReadonlyMap<PersonEdit, string>;
}

async function settle(edits: readonly PersonEdit[], searched: SearchInput): Promise<KeptEdits> {
  const { workspace, environments, fileNamed } = searched;
  const propose = openProposals(workspace, environments, { fileNamed, config: environments[0]?.loaded.config });
  const how = {
    filesOf: (edit: PersonEdit) => edit.edits,
    addressesOf: (edit: PersonEdit) => edit.addresses,
    allowed: () => allowedFor(searched),
    faultsOf: faultsIn({ done: 'Edited', planned: 'other recipients and owners', declared: 'as it should be' }),
  };
  const open = edits.filter(({ why }) => why === undefined);
  // A text that only names a variable stays so if the variable itself can be edited.
  const namesVariable = ({ before, value }: PersonEdit) =>
    value !== undefined && referencesIn(before).whole !== undefined;
  const first = await propose({ ...how, edits: open.filter((edit) => !namesVariable(edit)) });
  const isStillThem = ({ before }: PersonEdit) =>
    first.after.some((loaded) => isThem(withVariables(before, loaded), searched));
  const second = open.filter((edit) => namesVariable(edit) && isStillThem(edit));
  const { refused, ...proven } = await propose({ ...how, edits: second }, first);
  return {
    ...proven,
    refused: new Map([
      ...edits.flatMap((edit) => (edit.why === undefined ? [] : [[edit, edit.why] as const])),
      ...refused.flatMap(({ about, message }) =>
        about.map((edit) => {
          const place = fileAndLine({ file: edit.origin.file, line: edit.line });
          return [edit, `${message} Change ${place} yourself.`] as const;
        }),
      ),
    ]),
  };
}

/** Only recipients and owners may differ, and only by the person and the successor. */
function allowedFor(leaving: Leaver): AllowedDifference {
  return {
    fields: {
      of: (address) => new Set(namedAt(kindAt(address)).map(fieldAt)),
      after: (fields, edited, kind) => ownedByOther(withoutThem(fields, edited, kind, leaving), edited, kind, leaving),
    },
  };
}

/** Somebody who is still the owner or a recipient stays as before, with all others. */
function ownedByOther(fields: JsonObject, edited: JsonObject, kind: Kind, leaving: Leaver): JsonObject {
  const { to, whyNoOwner } = leaving;
  const at = ownerAt(kind);
  if (at === undefined || to === undefined || whyNoOwner !== undefined) return fields;
  const isGiven = isThem(valueAt(fields, at), leaving) && !isThem(valueAt(edited, at), leaving);
  return isGiven ? withValueAt(fields, at, to) : fields;
}

function withoutThem(fields: JsonObject, edited: JsonObject, kind: Kind, { email, to }: Leaver): JsonObject {
  const at = mailedAt(kind);
  if (at === undefined) return fields;
  const isNamed = (name: string) => (each: Json) => typeof each === 'string' && each.toLowerCase() === name;
  const [before, after] = [valueAt(fields, at), valueAt(edited, at)];
  if (!Array.isArray(before) || !before.some(isNamed(email))) return fields;
  if (!Array.isArray(after) || after.some(isNamed(email))) return fields;
  const others: readonly Json[] = before.filter((each) => !isNamed(email)(each));
  const isNew = to !== undefined && !others.some(isNamed(to.toLowerCase()));
  return withValueAt(fields, at, isNew ? [...others, to] : others);
}

interface RemainingInput extends SearchInput, KeptEdits {
  /** The addresses of resources that would have nobody left, in any environment. */
  readonly last: ReadonlySet<string>;
}

/** Everything that names the person after the edits, in any environment: everything else is free of them. */
function whatRemains(staying: RemainingInput): Pick<OffboardFiles, 'blocked' | 'noneLeft'> {
  const { environments, places, after, refused, last, to, memberId, whyNoOwner } = staying;
  const whyRefused = new Map([...refused].flatMap(([{ addresses }, why]) => addresses.map((each) => [each, why])));
  const reasons = new Map<string, Set<string>>();
  const add = (address: string, why: string) => reasons.set(address, (reasons.get(address) ?? new Set()).add(why));
  for (const [index, environment] of environments.entries()) {
    const before = new Map(environment.loaded.desired.resources.map((resource) => [resource.address, resource]));
    const whyNot = (address: string, at: (kind: Kind) => Pointer | undefined) => {
      const resource = before.get(address);
      const place = resource && at(resource.kind);
      return whyRefused.get(address) ?? reasonNotEdited(resource, place === undefined ? '' : fieldAt(place), staying);
    };
    const now = { ...environment, loaded: after[index] ?? environment.loaded };
    for (const { address, names } of receiving(now, places))
      if (names.some((name) => isThem(name, staying)))
        add(address, last.has(address) ? needsSomebody : whyNot(address, mailedAt));
    for (const { address, kind, attributes } of now.loaded.desired.resources) {
      const at = ownerAt(kind);
      const { userId } = attributes;
      if (at !== undefined && isThem(attributes[fieldAt(at)], staying))
        add(address, (to === undefined ? needsOwner : whyNoOwner) ?? whyNot(address, ownerAt));
      if (memberId !== undefined && isThem(userId, staying))
        add(address, `Its \`userId\` is their membership id. ${insteadOfUserId[kind]}`);
    }
  }
  const blocked = [...reasons].map(([address, whys]) => ({ address, reason: [...whys].join(' ') }));
  return {
    blocked: blocked.sort((a, b) => byCodeUnit(a.address, b.address)),
    noneLeft: [...reasons].flatMap(([address, whys]) => (whys.size === 1 && whys.has(needsSomebody) ? [address] : [])),
  };
}

const needsSomebody = 'It would have no recipients. Use --to, or delete the declaration.';
const needsOwner = 'It declares them as its `owner`. Name a successor with --to.';
const elsewhere = 'The address is written where Almanac cannot edit it. Change the address yourself.';

/** A source of mail: a resource, or a sink or audience that others might use. */
interface MailSource {
  /** `environments.NAME` of a sink, `audiences.NAME` of an audience that nothing uses. */
  readonly address: string;
  readonly resource?: Resource;
  readonly names: readonly string[];
}

function receiving({ name: environment = '', loaded }: EnvironmentState, places: ValuePlaces): readonly MailSource[] {
  const { desired, config, audiences } = loaded;
  const unused = [...(audiences?.values() ?? [])].filter(
    ({ name, origin }) => places.usesOf({ kind: 'audience', name, origin }).length === 0,
  );
  return [
    ...desired.resources.map((resource) => ({ address: resource.address, resource, names: mailed(resource) })),
    { address: `environments.${environment}`, names: config?.deliver?.email ?? [] },
    ...unused.map(({ name, attributes }) => ({ address: `audiences.${name}`, names: textsIn(attributes['emails']) })),
  ];
}

/** Slack ids do not count: nothing says whose they are. */
function mailed(resource: Resource): readonly string[] {
  const { to } = deliveryOf(resource.kind, declaredAttributes(resource));
  return to.flatMap(({ kind, compared }) => (kind === 'email' ? [compared] : []));
}

function textsIn(list: Declared | undefined): readonly string[] {
  return Array.isArray(list) ? list.filter((each: Declared) => typeof each === 'string') : [];
}

/** Sources that name nobody but the person, if there is no successor. */
function lastOnes(
  environments: readonly EnvironmentState[],
  places: ValuePlaces,
  leaving: Leaver,
): readonly MailSource[] {
  if (leaving.to !== undefined) return [];
  const all = environments.flatMap((side) => receiving(side, places));
  return all.filter(({ names }) => names.length > 0 && names.every((name) => isThem(name, leaving)));
}

/** A way to name somebody that the search does not find, or from which nobody can be removed. */
function reasonNotEdited(
  resource: Resource | undefined,
  field: string,
  { places, to, ...person }: RemainingInput,
): string {
  const value = resource && declaredAttributes(resource)[field];
  const traces = resource === undefined ? [] : places.tracesOf(resource, field, value);
  const trace = traces.find(({ path }) => isThem(valueAt(value as Json, path), person));
  if (trace === undefined) return elsewhere;
  const where = fileAndLine(places.viaOf(trace.place));
  return to === undefined && trace.place.kind === 'item'
    ? `The loop reads the address from ${where}, and an instance without it cannot be written. Use --to, or change the address yourself.`
    : `Almanac cannot edit the address at ${where}. Change the address yourself.`;
}

/**
 * A place where the source files still name somebody after the edits: a plain search of the texts, comments included,
 * because the purpose of an address in a body or a field of `extra` is not known.
 */
interface RemainingMention {
  readonly file: string;
  /** The line in the unedited file, from 1. */
  readonly line: number;
  /** The line in the edited file. */
  readonly lineAfter: number;
}

/** `after` are the texts of the edited files. `names` match in any case. One result for each line, by file and line. */
function stillNamed(
  names: readonly string[],
  files: readonly SourceFile[],
  after: ReadonlyMap<string, string>,
): readonly RemainingMention[] {
  return files
    .flatMap(({ path: file, text: whole }) => {
      const mentions = namedIn(names, after.get(file) ?? whole);
      // An edit moves the lines that follow it.
      const before = [...namedIn(names, whole)];
      return mentions.map(({ text, line: lineAfter }): RemainingMention => {
        const same = before.findIndex((each) => each.text === text);
        const [found] = before.splice(Math.max(0, same), 1);
        return { file, line: found?.line ?? lineAfter, lineAfter };
      });
    })
    .sort((a, b) => byCodeUnit(a.file, b.file) || a.lineAfter - b.lineAfter);
}

interface NamingLine {
  readonly line: number;
  readonly text: string;
}

function namedIn(names: readonly string[], whole: string): readonly NamingLine[] {
  const isNaming = naming(names);
  if (whole.search(isNaming) < 0) return [];
  const lines = whole.split('\n').map((text, index) => ({ line: index + 1, text }));
  return lines.filter(({ text }) => text.search(isNaming) >= 0);
}

/** A longer address that ends or begins with one of them is another one. */
function naming(names: readonly string[]): RegExp {
  const either = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return new RegExp(`(?<![\\w.+%@-])(?:${either})(?![\\w@-]|\\.\\w)`, 'gi');
}
