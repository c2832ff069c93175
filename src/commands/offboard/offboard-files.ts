// What leaves with a person: what they receive, the edits that take them out of the source files as recipients and owners, and
// what cannot be edited. All edits are proven together, in every environment, before any file is written. Writes nothing.

import { nearest } from '../../declare/findings/suggest.ts';
import { invalidWorkspace, type Loaded } from '../../declare/load/load.ts';
import { overlayWorkspace } from '../../declare/load/load-again.ts';
import type { Workspace } from '../../declare/workspace.ts';
import type { Randomness } from '../../model/outside.ts';
import type { BlockedAddress, OffboardEdit, Received } from '../../model/people.ts';
import { groupBy } from '../../model/values/group-by.ts';
import { byCodeUnit, type Json, type JsonObject } from '../../model/values/json.ts';
import { once } from '../../model/values/memoize.ts';
import type { Origin, SourceFile } from '../../model/workspace/diagnostic.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { layoutOf } from '../../yaml/edit/layout.ts';
import { editFiles, forAllReaders, type SettledProof, settleEdits } from '../base/edit/edit-files.ts';
import { type LoadedSide, type Meant, proverEverywhere, type Side } from '../base/edit/prove-everywhere.ts';
import { distinctReceivers, whoReceives } from '../base/people/who.ts';
import { collectEdits, type PersonEdit, type Use } from './person-edits.ts';
import { isThem, type Leaving } from './written-places.ts';

interface OffboardRequest extends Leaving {
  readonly workspace: Workspace;
  /** Every environment: their files are the same. */
  readonly sides: readonly LoadedSide[];
  /** The one that the report is about. */
  readonly side: LoadedSide;
  readonly load: (workspace: Workspace, side: Side) => Promise<Loaded>;
  readonly randomness: Randomness;
}

interface Offboarding {
  readonly receives: readonly Received[];
  readonly edits: readonly OffboardEdit[];
  readonly blocked: readonly BlockedAddress[];
  /** Those of the blocked that would have no recipient left. */
  readonly lastOnes: ReadonlySet<string>;
  readonly files: readonly { readonly path: string; readonly before: string; readonly after: string }[];
  /** Where the files still name the person once they are written. */
  readonly still: readonly StillNamed[];
  /** Who was probably meant, where nothing names the address. */
  readonly meant: string | undefined;
}

/** Throws Failure invalid-workspace where the declarations of an environment have errors. */
export async function offboard(request: OffboardRequest): Promise<Offboarding> {
  const { sides, side, email, workspace } = request;
  const invalid = sides.find(({ loaded }) => hasErrors(loaded.findings))?.loaded;
  if (invalid !== undefined)
    throw invalidWorkspace('The declarations have errors; nothing was changed.', invalid.findings, invalid);
  const { edits, uses, blocked, lastOnes } = collectEdits(request, (path) => workspace.whyFixed(path));
  const settled = await settleEdits(edits, {
    prove: makeProof(request, uses),
    addressesOf: ({ addresses }) => [...addresses],
  });
  for (const { edit, message } of settled.refused)
    for (const address of edit.addresses) if (!blocked.has(address)) blocked.set(address, message);
  const texts = settled.result ?? new Map<string, string>();
  const receives = received(side, email);
  return {
    receives,
    meant: receives.length + uses.length === 0 ? nearest(email, everybody(side)) : undefined,
    edits: settled.kept
      .map(({ origin, line, before, value }) => ({
        file: origin.file,
        line,
        path: origin.pointer,
        before,
        after: value ?? null,
      }))
      .sort((a, b) => byCodeUnit(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0) || byCodeUnit(a.path, b.path)),
    blocked: [...blocked]
      .map(([address, reason]) => ({ address, reason }))
      .sort((a, b) => byCodeUnit(a.address, b.address)),
    lastOnes,
    files: [...texts]
      .map(([path, after]) => ({ path, before: side.loaded.fileNamed(path)?.text ?? '', after }))
      .sort((a, b) => byCodeUnit(a.path, b.path)),
    still: stillNamed([email, ...(request.memberId === undefined ? [] : [request.memberId])], filesOf(sides), texts),
  };
}

/** Each once: the configuration, the source files, and the CSV files of loops. */
function filesOf(sides: readonly LoadedSide[]): readonly SourceFile[] {
  const found = sides.flatMap(({ loaded: { config, files, desired, fileNamed } }) => {
    const tables = desired.resources.flatMap(({ item }) => item?.origin.file ?? []);
    const paths = [...new Set([config?.file ?? '', ...files, ...tables])];
    return paths.flatMap((path) => fileNamed(path) ?? []);
  });
  return [...new Map(found.map((file) => [file.path, file])).values()];
}

function everybody({ loaded }: LoadedSide): readonly string[] {
  const { resources } = loaded.desired;
  return resources.flatMap((resource) => distinctReceivers(resource).map(({ recipient }) => recipient));
}

/** One for each schedule, though several places may give it. */
function received({ side, loaded }: LoadedSide, email: string): readonly Received[] {
  const request = { loaded, state: side.state, patterns: [email], external: false };
  const found = whoReceives(request).recipients.flatMap(({ deliveries }) => deliveries);
  const first = found.filter(({ address }, index) => found[index - 1]?.address !== address);
  return first.flatMap(({ address, id, name, identifier, managed, via, file, line }) => {
    if (address === undefined || file === undefined) return [];
    return { address, id, name, identifier, managed, via, file, line };
  });
}

type Proof = SettledProof<ReadonlyMap<string, string>, 'layout' | 'unproven'>;

function makeProof(
  { workspace, sides, load, randomness, ...leaving }: OffboardRequest,
  uses: readonly Use[],
): (edits: readonly PersonEdit[]) => Promise<Proof> {
  // Plans every environment, so only where something is edited.
  const prover = once(() => proverEverywhere(sides, randomness));
  const [first] = sides;
  return async (edits) => {
    if (first === undefined || edits.length === 0) return { holds: true, result: new Map() };
    const edited = editFiles(edits.flatMap(inPlace), first.loaded);
    if ('notEdited' in edited) {
      const message = `The layout of ${edited.notEdited} cannot be edited. Change it yourself.`;
      const ofFile = edits.filter(({ origin }) => origin.file === edited.notEdited);
      const own = notEditable(ofFile, first.loaded);
      const blame = new Map(own.flatMap(({ addresses }) => [...addresses].map((each) => [each, message] as const)));
      return { holds: false, reason: 'layout', message, blame };
    }
    const overlaid = overlayWorkspace(workspace, edited.texts);
    const loaded: Loaded[] = [];
    for (const { side } of sides) loaded.push(await load(overlaid, side));
    const prove = await prover();
    const fault = await prove(loaded, meant(edits, uses, leaving));
    return fault ? { ...fault, holds: false, reason: 'unproven' } : { holds: true, result: edited.texts };
  };
}

/** The edits of one file at which its layout fails; all of them if they fail only together. */
function notEditable(edits: readonly PersonEdit[], loaded: Loaded): readonly PersonEdit[] {
  if ('texts' in editFiles(edits.flatMap(inPlace), loaded)) return [];
  const half = Math.ceil(edits.length / 2);
  const found =
    edits.length < 2 ? [] : [edits.slice(0, half), edits.slice(half)].flatMap((some) => notEditable(some, loaded));
  return found.length === 0 ? edits : found;
}

function inPlace({ origin, list, value, documents, isCell }: PersonEdit) {
  const edit = { pointer: origin.pointer, value };
  const all = isCell ? [edit] : forAllReaders(list ?? origin, [edit], documents);
  return all.map((each): typeof each & Origin => ({ ...origin, ...each }));
}

/** Only recipients and owners may differ, and only of those whose every place is edited. */
function meant(edits: readonly PersonEdit[], uses: readonly Use[], leaving: Leaving): Meant {
  const made = new Set(edits.map(({ key }) => key));
  const keyOf = (name: string | undefined, address: string, field: Use['field']) =>
    JSON.stringify([name ?? null, field, field === 'sink' ? null : address]);
  const left = new Set<string>();
  const changed = new Set<string>();
  for (const { environment, address, key, field } of uses) {
    const own = keyOf(environment, address, field);
    (key !== undefined && made.has(key) ? changed : left).add(own);
  }
  return {
    done: 'Edited',
    planned: 'other recipients and owners',
    fields: {
      names: new Set(['recipients', 'owner']),
      after: ({ address, sink }, fields, { name, isSent }) => {
        const isChanged = (field: Use['field']) => {
          const own = keyOf(name, address, field);
          return changed.has(own) && !left.has(own);
        };
        const others = isChanged(isSent && sink !== undefined ? 'sink' : 'recipients')
          ? withoutThem(fields, leaving)
          : fields;
        return isChanged('owner') ? ownedByOther(others, leaving) : others;
      },
    },
  };
}

function ownedByOther(fields: JsonObject, leaving: Leaving): JsonObject {
  return leaving.to !== undefined && isThem(fields['owner'], leaving) ? { ...fields, owner: leaving.to } : fields;
}

function withoutThem(fields: JsonObject, { email, to }: Leaving): JsonObject {
  const recipients = fields['recipients'];
  if (!Array.isArray(recipients)) return fields;
  const isNot = (name: string) => (each: Json) => typeof each !== 'string' || each.toLowerCase() !== name;
  const others: readonly Json[] = recipients.filter(isNot(email));
  const isNew = to !== undefined && others.every(isNot(to.toLowerCase()));
  return { ...fields, recipients: isNew ? [...others, to] : others };
}

/**
 * Where the source files still name somebody once the edits are made: a plain search of the texts, comments included, because
 * nobody knows what a body or a field of `extra` that holds an address is for.
 */
interface StillNamed {
  readonly file: string;
  /** Of the file as it is, from 1. */
  readonly line: number;
  /** Of the file with the edits. */
  readonly lineAfter: number;
  readonly isComment: boolean;
}

/** `after`: the texts of the edited files. `names`: in any case. One for each line, by file and line. */
function stillNamed(
  names: readonly string[],
  files: readonly SourceFile[],
  after: ReadonlyMap<string, string>,
): readonly StillNamed[] {
  return files
    .flatMap((file) => {
      const edited = after.get(file.path);
      const left = namedIn(names, edited === undefined ? file : { ...file, text: edited });
      if (left.length === 0) return [];
      if (edited === undefined)
        return left.map(({ line, isComment }) => ({ file: file.path, line, lineAfter: line, isComment }));
      // An edit changes the line of what follows it.
      const before = new Set(namedIn(names, file));
      const same = groupBy([...before], (each) => each.text);
      const sameFor = new Map([...same].map(([text, lines]) => [text, lines.values()]));
      return left.map(({ text, line, isComment }): StillNamed => {
        const found = firstIn(before, sameFor.get(text) ?? []) ?? firstIn(before, before);
        if (found !== undefined) before.delete(found);
        return { file: file.path, line: found?.line ?? line, lineAfter: line, isComment };
      });
    })
    .sort((a, b) => byCodeUnit(a.file, b.file) || a.lineAfter - b.lineAfter);
}

/** What the iterator of a list has passed is taken, so it need not begin at the first again. */
function firstIn(all: ReadonlySet<NamingLine>, some: Iterable<NamingLine>): NamingLine | undefined {
  const iterator = some[Symbol.iterator]();
  for (let next = iterator.next(); next.done !== true; next = iterator.next())
    if (all.has(next.value)) return next.value;
  return undefined;
}

interface NamingLine {
  readonly line: number;
  readonly text: string;
  readonly isComment: boolean;
}

function namedIn(names: readonly string[], file: SourceFile): NamingLine[] {
  const found: NamingLine[] = [];
  const isNaming = naming(names);
  if (file.text.search(isNaming) < 0) return found;
  const layout = file.isTable ? undefined : layoutOf(file.text);
  let start = 0;
  for (const [index, text] of file.text.split('\n').entries()) {
    const places = [...text.matchAll(isNaming)].map((match) => start + match.index);
    start += text.length + 1;
    if (places.length === 0) continue;
    found.push({ line: index + 1, text, isComment: layout !== undefined && places.every(layout.isComment) });
  }
  return found;
}

/** A longer address that ends or begins like one of them is another one. */
function naming(names: readonly string[]): RegExp {
  const either = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return new RegExp(`(?<![\\w.+%@-])(?:${either})(?![\\w@-]|\\.\\w)`, 'gi');
}
