// Folds a workspace by proving the proposed loops. Unproven loops are left out, so that they do not hinder the rest.
// Writes nothing.

import type { Loaded } from '../../declare/load/load.ts';
import type { ParsedOnce } from '../../declare/load/load-again.ts';
import { refuseErrors } from '../../declare/load/refuse-errors.ts';
import type { EnvironmentState, InEnvironment } from '../../edit/in-environment.ts';
import {
  type EditFaults,
  faultsIn,
  type Obstacle,
  openProposals,
  type Propose,
  type ProposedEdits,
} from '../../edit/propose.ts';
import type { FileToWrite } from '../../edit/write-files.ts';
import { type Kind, kinds } from '../../model/values/address.ts';
import { memoize, pushAll } from '../../model/values/collections.ts';
import { isJsonObject, type Json, mapAt } from '../../model/values/json.ts';
import { valueAt } from '../../model/values/pointer.ts';
import type { PlacedRefusal, Refusal } from '../../model/values/refusal.ts';
import { codeList } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Loop, Resource } from '../../model/workspace/resource.ts';
import { choiceAmong, resolve } from '../../plan/select.ts';
import { formatYaml } from '../../yaml/format/format-yaml.ts';
import { sourceOrder } from '../../yaml/format/source-order.ts';
import { proposeItem } from './add-items.ts';
import { chooseNamed, refusedMember } from './choose-named.ts';
import type { FoldDocument } from './fold-document.ts';
import {
  type FoldInput,
  type KnownAddresses,
  keysTaken,
  newFile,
  type ProposedLoop,
  proposeLoop,
  proposeLoops,
  type WantedLoop,
} from './fold-loops.ts';
import { cellProblem, listsOfReceivers, rowsOf } from './item-rows.ts';
import { type Member, readMembers, type Sources, whyNoMember, writtenDeclarations } from './read-members.ts';

export interface FoldRequest {
  readonly workspace: ParsedOnce;
  /** The first is the one whose resources become loops. */
  readonly environments: readonly InEnvironment[];
}

export interface FoldedWorkspace extends Pick<FoldDocument, 'loops' | 'empty' | 'declarations'> {
  /** In the order of their paths. */
  readonly files: readonly FileToWrite[];
  readonly notFolded: readonly PlacedRefusal[];
}

interface OpenFold extends FoldRequest {
  readonly loaded: Loaded;
  readonly input: FoldInput;
  readonly fixed: FixedFiles;
  readonly propose: Propose;
}

/** Throws Failure invalid-workspace if the declarations of an environment have errors. */
function open({ workspace, environments }: FoldRequest): OpenFold {
  for (const { loaded } of environments) refuseErrors(loaded, 'nothing was folded');
  const [{ loaded }] = environments as readonly [InEnvironment];
  const fixed = fixedFiles(workspace, loaded);
  const files = new Map(
    loaded.files.filter((path) => !fixed.has(path)).map((path) => [path, loaded.fileNamed(path)?.text ?? '']),
  );
  const input = { loaded, files, parse: workspace.parse, state: knownAddresses(environments) };
  return { workspace, environments, loaded, fixed, input, propose: openProposals(workspace, environments, loaded) };
}

export async function findAlike(request: FoldRequest): Promise<FoldedWorkspace> {
  const opened = open(request);
  const { loaded, input, fixed, propose } = opened;
  const { proposed, notFolded } = proposeLoops(input);
  const { keptEdits, refused } = await propose(proposalOf(proposed, opened, foldFaults));
  return {
    files: [],
    empty: [],
    loops: keptEdits.map(({ loop }) => loop),
    notFolded: [...notFolded, ...refused.flatMap(refusalsOf), ...readOnly(fixed)],
    declarations: countDeclarations(loaded),
  };
}

/** Makes one loop of the named resources. Throws Failure usage if they cannot be one in any file. */
export async function foldNamed(
  request: FoldRequest,
  selectors: readonly string[],
  wanted: WantedLoop,
): Promise<FoldedWorkspace> {
  const opened = open(request);
  const { loaded, input } = opened;
  const { resources } = loaded.desired;
  const elsewhere = request.environments.flatMap((side) => Object.keys(side.state?.resources ?? {}));
  const declared = resources.map(({ address }) => address);
  const choice = choiceAmong(declared, { loaded, elsewhere });
  const { addresses: chosen, selectors: whole } = resolve(selectors, choice);
  const named = resources.filter(({ address }) => chosen.has(address));
  const kind = onlyKind(named.map((each) => each.kind));
  const { name = '' } = wanted;
  if (keysTaken(input).get(kinds[kind].section)?.has(name))
    throw new Failure(
      'usage',
      `The key \`${kinds[kind].section}.${name}\` is already used, or was used in this state.`,
      { hint: 'Give the loop another name with --name.' },
    );
  const loop = wholeLoop(named.filter(({ item }) => item !== undefined));
  const isAll = named.every(({ item }) => item !== undefined);
  if (loop !== undefined && isAll)
    return { ...(await foldLoop(loop, opened, wanted)), declarations: countDeclarations(loaded) };
  const members = readMembers(input).filter(({ address }) => chosen.has(address));
  const known = new Set(members.map(({ address }) => address));
  const notMembers = named
    .filter(({ address, item }) => !known.has(address) && (loop === undefined || item === undefined))
    .map((each) => refusedMember({ file: each.origin.file, address: each.address }, whyNoMember(each, input)));
  if (loop !== undefined) {
    const added = await addItems(loop, members, opened, wanted);
    return { ...added, notFolded: [...notMembers, ...added.notFolded], declarations: countDeclarations(loaded) };
  }
  const { group, notFolded } = chooseNamed(
    members,
    wanted.table === undefined ? 'declaration' : 'table',
    ({ address }) => whole.includes(address),
  );
  const proven = await proveOne(group, opened, wanted);
  return {
    ...proven,
    notFolded: [...notMembers, ...notFolded, ...proven.notFolded],
    declarations: countDeclarations(loaded),
  };
}

/** The loop whose items they are, if they are all of them. */
function wholeLoop(named: readonly Resource[]): Loop | undefined {
  const [loop, ...others] = new Set(named.map(({ item }) => item?.loop));
  return others.length === 0 && loop?.keys.length === named.length ? loop : undefined;
}

async function foldLoop(loop: Loop, opened: OpenFold, { name, table }: WantedLoop): Promise<ProvenFold> {
  const { address, origin } = loop;
  if (table === undefined || name !== undefined)
    throw new Failure('usage', `${address} is a loop already, and keeps its name.`, {
      hint: 'Leave out --name: with --csv FILE alone, the items of the loop become the rows of a new file.',
    });
  const proposed = proposeRows(loop, opened.input, table);
  const leave = (message: string): ProvenFold => ({
    ...nothing,
    notFolded: [refusedMember({ file: origin.file, address }, message)],
  });
  if (typeof proposed === 'string') return leave(proposed);
  const { keptEdits, refused, files } = await opened.propose(proposalOf([proposed], opened, foldFaults));
  return keptEdits.length > 0
    ? { ...nothing, files, loops: [proposed.loop] }
    : leave(refused.map(({ message }) => message)[0] ?? '');
}

async function addItems(
  loop: Loop,
  members: readonly Member[],
  opened: OpenFold,
  { name, table }: WantedLoop,
): Promise<ProvenFold> {
  const { address } = loop;
  if (table !== undefined || name !== undefined)
    throw new Failure('usage', `${address} is a loop already, and keeps its name and its items.`, {
      hint: 'Leave out --name and --csv: the other named declarations then become items of this loop.',
    });
  const { resources } = opened.loaded.desired;
  const items = resources.filter(({ item }) => item?.loop === loop);
  const itemsFile = items[0]?.item?.origin.file ?? loop.origin.file;
  const notFolded: PlacedRefusal[] = [];
  const proposed = members.flatMap((member) => {
    const one = proposeItem(loop, itemsFile, member, opened.input);
    if (typeof one !== 'string') return [one];
    notFolded.push(refusedMember(member, one));
    return [];
  });
  const { keptEdits, refused, files } = await opened.propose(proposalOf(proposed, opened, faultsOfAll));
  pushAll(notFolded, refused.flatMap(refusalsOf));
  const [first] = keptEdits;
  if (first === undefined) return { ...nothing, notFolded };
  const before = items.map((each) => ({ from: each.address, to: each.address }));
  const instances = [...before, ...keptEdits.flatMap((each) => each.loop.instances)];
  const values = [...new Set(keptEdits.flatMap((each) => each.loop.values))];
  return { files, notFolded, loops: [{ ...first.loop, instances, values }], empty: emptyAmong(files, opened) };
}

/** Files that declare nothing, tables excluded. */
function emptyAmong(files: readonly FileToWrite[], { workspace, input }: OpenFold): readonly string[] {
  const isEmpty = ({ path, after }: FileToWrite) =>
    input.files.has(path) && workspace.parse({ path, text: after }).value.every(({ value }) => value === null);
  return files.filter(isEmpty).map(({ path }) => path);
}

function onlyKind(all: readonly Kind[]): Kind {
  const [kind, ...others] = new Set(all);
  if (kind !== undefined && others.length === 0) return kind;
  const words = codeList([...new Set(all)].map((each) => kinds[each].section));
  throw new Failure('usage', `A loop is of one kind, and these are ${words}; nothing was folded.`, {
    hint: 'Name those of one kind, such as kind:schedule.',
  });
}

type ProvenFold = Pick<FoldedWorkspace, 'files' | 'loops' | 'notFolded' | 'empty'>;

const nothing: ProvenFold = { files: [], loops: [], notFolded: [], empty: [] };

/** Leaves out the members at fault, and tries again with the others. */
async function proveOne(members: readonly Member[], opened: OpenFold, wanted: WantedLoop): Promise<ProvenFold> {
  const { input, propose } = opened;
  const notFolded: PlacedRefusal[] = [];
  let group = members;
  while (group.length >= fewestNamed) {
    const proposed = proposeLoop(group, input, wanted);
    let faults: EditFaults<'unproven'> = [];
    const { keptEdits, refused, files } = await propose(
      proposalOf([proposed], opened, (obstacle) => {
        faults = faultsOfAll(obstacle);
        return faults;
      }),
    );
    if (keptEdits.length > 0)
      return {
        files,
        loops: [proposed.loop],
        notFolded,
        empty: emptyAmong(files, opened),
      };
    const former = new Map(proposed.loop.instances.map(({ from, to }) => [to, from]));
    // The first fault of a resource counts.
    const blame = new Map(
      faults.flatMap(({ about, message }) => about.map((each) => [former.get(each), message] as const)).toReversed(),
    );
    const wordsOf = ({ address }: Member) => blame.get(address);
    const innocent = group.filter((each) => wordsOf(each) === undefined);
    const isAll = innocent.length === group.length || innocent.length < fewestNamed;
    if (isAll) return { ...nothing, notFolded: [...notFolded, ...refused.flatMap(refusalsOf)] };
    for (const each of group) {
      const words = wordsOf(each);
      if (words !== undefined) notFolded.push(refusedMember(each, words));
    }
    group = innocent;
  }
  return { ...nothing, notFolded: [...notFolded, ...group.map((each) => refusedMember(each, alone))] };
}

const fewestNamed = 2;
const alone = 'A loop needs at least two declarations.';

function refusalsOf({ about, ...why }: Refusal<ProposedLoop>): readonly PlacedRefusal[] {
  return about.map(({ loop: { file, instances } }) => ({
    ...why,
    about: instances.map(({ from }) => from),
    place: { file },
  }));
}

function proposalOf(
  edits: readonly ProposedLoop[],
  { loaded, fixed }: OpenFold,
  faultsOf: (obstacle: Obstacle) => EditFaults<'unproven'>,
): ProposedEdits<ProposedLoop, 'unproven'> {
  const wasFormatted = memoize((path: string) => {
    const text = loaded.fileNamed(path)?.text;
    return text !== undefined && formatYaml(text, sourceOrder) === text;
  });
  return {
    edits,
    filesOf: (each) => each.edits,
    addressesOf: ({ loop }) => [loop.address, ...loop.instances.map(({ to }) => to)],
    allowed: (loops) => {
      const instances = loops.flatMap(({ loop }) => loop.instances);
      return { to: new Map(instances.map(({ from, to }) => [from, to])) };
    },
    faultsOf,
    // An entry in `adopt` may be in a file that is read-only.
    mayChange: (path) => !fixed.has(path),
    // A file that `almanac fmt` left unchanged stays formatted: a quoted value may no longer need quotes.
    finished: (path, text) => (wasFormatted(path) ? formatYaml(text, sourceOrder) : undefined) ?? text,
  };
}

const inParts = 'Make several loops of at most 500.';
const faultsOfAll = faultsIn({
  done: 'Folded',
  planned: 'a move',
  declared: 'as it was',
  hintFor: ({ code }) => (code === 'for-each-many' ? inParts : undefined),
});

/** Only the first mistake is reported, because others may follow from it. */
function foldFaults(obstacle: Obstacle): EditFaults<'unproven'> {
  return faultsOfAll(obstacle.kind === 'invalid' ? { ...obstacle, findings: obstacle.findings.slice(0, 1) } : obstacle);
}

/** Resources that a state knows need an entry to move. */
function knownAddresses(environments: readonly EnvironmentState[]): KnownAddresses {
  if (environments.some((side) => !('state' in side))) return 'unknown';
  return new Set(environments.flatMap(({ state }) => Object.keys(state?.resources ?? {})));
}

/** The reasons why files cannot be written, keyed by path. */
type FixedFiles = ReadonlyMap<string, string>;

function fixedFiles(workspace: ParsedOnce, loaded: Loaded): FixedFiles {
  return new Map(
    loaded.files.flatMap((path) => {
      const why = workspace.readOnlyReason(path);
      return why === undefined ? [] : [[path, why] as const];
    }),
  );
}

function readOnly(fixed: FixedFiles): readonly PlacedRefusal[] {
  return [...fixed].map(([file, why]) => ({
    about: [],
    message: `${file} cannot be written: ${why}.`,
    place: { file },
  }));
}

/** A loop is one. */
function countDeclarations({ desired }: Loaded): number {
  const { resources, loops = [] } = desired;
  return resources.filter(({ item }) => item === undefined).length + loops.length;
}

/** Or why not, as a whole sentence. */
function proposeRows({ kind, address, origin }: Loop, sources: Sources, table: string): ProposedLoop | string {
  const { file, document, pointer } = origin;
  const text = sources.files.get(file);
  if (text === undefined) return `${file} cannot be written.`;
  const declaration = sources.parse({ path: file, text }).value.find((each) => each.origin.document === document);
  const { forEach, forEachRow, ...fields } = mapAt(valueAt(declaration?.value, pointer));
  if (forEachRow !== undefined) return 'Its items are rows already.';
  if (!isJsonObject(forEach))
    return 'Its items are a variable of almanac.yaml, of which each environment may have its own.';
  const written = writtenDeclarations(text).find((each) => each.document === document && each.pointer === pointer);
  if (written === undefined) return 'Its section is written in braces, or has an anchor.';
  if (written.isShared) return 'It has anchors, aliases, merge keys or tags, which a table cannot have.';
  if (written.itemComments.length > 0) return 'Its items have comments, which a table cannot hold.';
  const items = Object.entries(forEach);
  const isSingle = ([, item]: readonly [string, Json]) => item !== null && !isJsonObject(item);
  if (items.some(isSingle)) return 'An item is a single value, and a column needs a name.';
  const lists = listsOfReceivers(kind, fields);
  for (const [key, item] of items)
    for (const [name, value] of Object.entries(mapAt(item))) {
      const why = cellProblem(value, lists.has(name));
      if (why !== undefined) return `A cell cannot hold the \`${name}\` of the item \`${key}\`: ${why}.`;
    }
  const keys = items.map(([key]) => key);
  const names = [...new Set(items.flatMap(([, item]) => Object.keys(mapAt(item))))];
  const columns = new Map(names.map((name) => [name, items.map(([, item]) => mapAt(item)[name])]));
  const rows = rowsOf(keys, columns, { table, file });
  const place = { file, document };
  return {
    loop: {
      address,
      file,
      table,
      instances: keys.map((key) => ({ from: `${address}.${key}`, to: `${address}.${key}` })),
      values: names,
    },
    edits: [
      newFile(table, rows.text),
      { ...place, pointer: `${pointer}/forEach`, value: undefined },
      { ...place, pointer: `${pointer}/forEachRow`, value: rows.forEachRow },
    ],
  };
}
