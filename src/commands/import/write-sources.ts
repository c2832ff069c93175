// Writes the results of an import: files and, with --write-state, the state. The files are the sources, the adopt
// entries of the pairs, the codes that almanac.yaml must allow, and the schema for editors. Then plans the remaining
// changes.

import { journalHeader, namesToRecord } from '../../apply/journal-header.ts';
import { type Loaded, load } from '../../declare/load/load.ts';
import { deliveryFilters, isFilter } from '../../declare/rules/filter-shape.ts';
import { holdsLast } from '../../model/plan/checkout-position.ts';
import type { Journal, JournalIntent, JournalOutcome } from '../../model/plan/journal.ts';
import type { Observation } from '../../model/plan/observation.ts';
import type { PlanDocument } from '../../model/plan/plan.ts';
import type { State } from '../../model/plan/state.ts';
import { type Address, addressOf, kinds, kindsInOrder } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { isJsonObject } from '../../model/values/json.ts';
import { countOf, nameSome } from '../../model/values/words.ts';
import type { Config } from '../../model/workspace/config.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { declaredAttributes, type Resource } from '../../model/workspace/resource.ts';
import type { ResourceDraft, SourceDraft } from '../../model/workspace/source-draft.ts';
import { look } from '../../observe/look.ts';
import { groupsFound, observedGroups } from '../../observe/observed-groups.ts';
import { entityIn } from '../../observe/renamed-dashboards.ts';
import { makeInputs, type PlanInputs, withDeclarations, withState } from '../../plan/inputs.ts';
import { touchedBy } from '../../plan/looks.ts';
import { planOf, propose } from '../../plan/proposal.ts';
import { lookAtTouched } from '../../plan/selection.ts';
import { renderSource } from '../../report/source-text.ts';
import { editorSchemaText } from '../../report/text/editor-schema.ts';
import { readState } from '../../state/current-state.ts';
import { foldJournal } from '../../state/fold-journal.ts';
import type { LockedStore } from '../../state/state-store.ts';
import { withLock } from '../../state/with-lock.ts';
import { editYaml } from '../../yaml/edit/edit-yaml.ts';
import { configOrder } from '../../yaml/format/source-order.ts';
import { standingOf } from '../base/checkout-position.ts';
import type { Drafts } from './draft-sources.ts';
import type { ImportRun, PlannedImport } from './import-run.ts';

export type NextPlan = Pick<PlanDocument, 'summary'>;

/**
 * Writes the drafts as files. Their adopt entries make them take effect; with --write-state the state is written
 * instead. Returns the next plan's changes; undefined if the declarations have errors.
 */
export async function writeSources(
  { sources, imported, values, ...drafts }: Drafts,
  importing: PlannedImport,
): Promise<NextPlan | undefined> {
  const { workspace, note, options, environment, clock, schema } = importing;
  const { pairs, routines } = importing.pairing;
  const isPaired = pairs.length + routines.length > 0;
  if (sources.length === 0 && !isPaired) return await nextPlan(importing.loaded, importing.state, importing);
  for (const draft of sources) await workspace.write(draft.path, renderSource(draft));
  const entries = !isPaired || options.writeState ? undefined : adoptionsOf(importing);
  if (entries !== undefined) await workspace.write(entries.path, renderSource(entries));
  // These files stay unchanged if a file above could not be written.
  const settings = await allowFilters(sources, importing);
  if (schema !== undefined && sources.length > 0 && !workspace.exists(schema))
    await workspace.write(schema, editorSchemaText('resources', settings));
  // The state knows the secrets that Omni returned, whether or not their variables are set here.
  const loaded = await load({
    workspace,
    environment: (name) => values.get(name) ?? environment(name),
    clock,
    environmentName: options.env,
  });
  const ids = new Map(imported.map(({ address, id }) => [address, id]));
  const tracked = new Map<Address, string | undefined>(
    sources.flatMap(addressesOf).map((address) => [address, ids.get(address)]),
  );
  const { resources, absent = [] } = loaded.desired;
  const foundAddresses = new Set([...resources, ...absent].map(({ address }) => address));
  const unseen = [
    ...sources.filter((source) => addressesOf(source).some((address) => !foundAddresses.has(address))),
    ...(entries === undefined || loaded.fileNamed(entries.path) !== undefined ? [] : [entries]),
  ];
  const message = `${nameSome(unseen.map(({ path }) => path))} will not be read: no glob of \`sources\` matches.`;
  if (unseen.length > 0 && options.writeState) {
    throw new Failure('refused', `${message} The state was not written: its new entries would count as removed.`, {
      hint: 'Add the folder to `sources` in almanac.yaml, then continue with --write-state --resume.',
    });
  }
  if (unseen.length > 0) note(message);
  if (!options.writeState) return await nextPlan(loaded, importing.state, importing);
  const state = await trackImported({ ...importing, loaded, imported: tracked, ...drafts });
  return await nextPlan(loaded, state, importing);
}

async function nextPlan(loaded: Loaded, state: State | undefined, importing: ImportRun): Promise<NextPlan | undefined> {
  return hasErrors(loaded.findings) ? undefined : planOf(await makeInputs(loaded, state, importing)).value.plan;
}

/** A file with only the entries for resources that are declared elsewhere. */
function adoptionsOf({
  pairing: { pairs, routines },
  targets: { adopt },
  schema,
  schemaFor,
  only,
}: PlannedImport): SourceDraft {
  return {
    path: adopt,
    schema: schema === undefined ? schemaFor(adopt) : undefined,
    comments: ['Declarations that nothing tracked, and what almanac import found for them in Omni.'],
    resources: {},
    adoptions: [...pairs, ...routines].map(({ declared: { address }, row: { id } }) => ({
      to: address,
      id,
      in: only.entries,
    })),
  };
}

function addressesOf({ resources }: SourceDraft): readonly Address[] {
  return kindsInOrder.flatMap((kind) => (resources[kinds[kind].section] ?? []).map(({ key }) => addressOf(kind, key)));
}

/**
 * Omni may have filter values that are not in the form of a filter: an example of its API is one. They are declared
 * unchanged, so the error about them is lowered in almanac.yaml. Returns the configuration with the new settings of
 * almanac.yaml.
 */
async function allowFilters(
  sources: readonly SourceDraft[],
  { config, loaded, workspace, note }: ImportRun,
): Promise<Config> {
  const withOddFilter = sources.flatMap(({ resources: { schedules = [] } }) => schedules).filter(hasOddFilter);
  if (withOddFilter.length === 0 || config.checks['filter-shape'] !== undefined) return config;
  // An import needs operations full, which only a file can set.
  const { path, text: before } = loaded.fileNamed(config.file ?? '') ?? { path: 'almanac.yaml', text: '' };
  const edits = [{ document: 0, pointer: '/checks/filter-shape', value: 'warning' }];
  const after = editYaml(before, edits, configOrder);
  const found = `${countOf(withOddFilter.length, 'schedule')}, such as ${withOddFilter[0]?.key}, ${withOddFilter.length === 1 ? 'has' : 'have'} a filter value that is not in the form of a filter. It is declared as Omni has it.`;
  const line = '`checks: { filter-shape: warning }`';
  if (after === undefined) {
    note(`${found} To allow that, write ${line} in ${path}.`);
    return config;
  }
  await workspace.replace(path, before, after);
  note(`${found} To allow that, ${path} now says ${line}.`);
  return { ...config, checks: { ...config.checks, 'filter-shape': 'warning' } };
}

function hasOddFilter({ fields }: ResourceDraft): boolean {
  const filters = fields.find(({ name }) => name === 'filterConfig')?.value;
  return isJsonObject(filters) && !Object.values(filters).every((filter) => isFilter(filter, deliveryFilters));
}

// `import --write-state`: records imported resources in the state as if they had been adopted.

/** `loaded` is the workspace, including the files that were written. */
interface TrackedImport extends PlannedImport, Pick<Drafts, 'unread' | 'madeBy'> {
  /** Ids keyed by address. One without an id, such as a dashboard's filters, is recorded as if it had been created. */
  readonly imported: ReadonlyMap<Address, string | undefined>;
}

interface TrackedRecord
  extends Pick<
    JournalIntent,
    'kind' | 'address' | 'action' | 'attributes' | 'unread' | 'groups' | 'madeBy' | 'entityId'
  > {
  readonly id: string | undefined;
}

/**
 * Records the imported resources in the state as if they had been adopted, under the lock, so that the next plan is
 * empty: that is checked before it is written. Returns the state as written. Throws Failure state-locked, or
 * state-conflict if the state changed since the import started.
 */
async function trackImported(options: TrackedImport): Promise<State> {
  const { store, clock, note } = options;
  const wait = { command: 'import', timeout: 0, clock, onNote: note, onWait: note };
  return await withLock(store, wait, (locked) => trackLocked(options, locked));
}

async function trackLocked(options: TrackedImport, locked: LockedStore): Promise<State> {
  const { store, state: before, loaded } = options;
  const { state } = await readState(store, locked);
  if (state?.lineage !== before?.lineage || state?.serial !== before?.serial) throw changedMeanwhile(store.name);
  const inputs = await makeInputs(loaded, state, options, { secrets: 'recording' });
  const lines = journalLinesOf(
    [...recordedImports(inputs, options), ...(await recordedPairs(inputs, options))],
    options,
  );
  const recorded = lines.map((line) => (line.type === 'intent' ? line.attributes : undefined));
  const header = {
    ...journalHeader(inputs, inputs.config.api.baseUrl ?? '', options),
    ...namesToRecord(state, recorded, options.service),
  };
  const folded = foldJournal(state, { header, lines }, store.name);
  if (folded === undefined) throw new Error('an import left no state');
  const next = { ...folded, checkout: await checkoutAfter(state, options), resources: undeclaredIn(folded, lines) };
  checkNothingToDo(withState(inputs, next), options);
  await locked.commit(next, { release: true }).catch((error: unknown) => {
    throw error instanceof Failure ? withFiles(error) : error;
  });
  return next;
}

/** The commit that lies here if it is, or holds, the recorded one. Only an apply by hand answers for a state without one. */
async function checkoutAfter(
  state: State | undefined,
  { run, workspace, loaded }: TrackedImport,
): Promise<string | undefined> {
  const standing = await standingOf(run, { workspace, loaded }, state);
  const isNamed = holdsLast(standing, state, false) && !standing.isUnrecorded;
  return (isNamed ? await (await run.openCheckout(workspace.root)).head() : undefined) ?? state?.checkout;
}

/** The declarations may be in no commit yet, so another checkout lacks them. */
function undeclaredIn({ resources }: State, lines: Journal['lines']): State['resources'] {
  const undeclared = true as const;
  const tracked = lines.flatMap((line) => {
    const resource = line.type === 'intent' ? resources[line.address] : undefined;
    return line.type === 'intent' && resource !== undefined
      ? [[line.address, { ...resource, undeclared }] as const]
      : [];
  });
  return { ...resources, ...Object.fromEntries(tracked) };
}

function journalLinesOf(
  all: readonly TrackedRecord[],
  { clock }: TrackedImport,
): readonly (JournalIntent | JournalOutcome)[] {
  const at = new Date(clock.now()).toISOString();
  return all.flatMap(
    ({ id, ...rest }, seq) =>
      [
        { type: 'intent', seq, ...rest, at },
        { type: 'outcome', seq, status: 'applied', id, at },
      ] satisfies (JournalIntent | JournalOutcome)[],
  );
}

function recordedImports(
  { desired, config }: PlanInputs,
  { imported, unread, madeBy, answers }: TrackedImport,
): readonly TrackedRecord[] {
  return desired.resources
    .filter(({ address }) => imported.has(address))
    .map((resource) => {
      const { address } = resource;
      const id = imported.get(address);
      const attributes = declaredAttributes(resource);
      const recipients = id === undefined ? undefined : answers.get('recipients', id);
      const foundGroups = recipients && groupsFound(recipients, config.safety.internalDomains);
      const seen = { address, resource: { attributes }, access: undefined, isAdopted: true };
      return {
        address,
        kind: id === undefined ? 'request' : 'adopt',
        action: id === undefined ? 'create' : 'adopt',
        // Existing schedules have the declared recipients; the next apply replaces them if the environment has a sink.
        attributes,
        unread: unread.get(address),
        groups: recipients && foundGroups && observedGroups({ ...seen, foundGroups, recipients })?.groups,
        madeBy: madeBy.get(address),
        entityId: id === undefined ? undefined : entityIn(answers.get('schedule', id)),
        id,
      };
    });
}

/** Declared resources are adopted as by an apply: with the values in Omni, and those that cannot be read back. */
async function recordedPairs(inputs: PlanInputs, options: TrackedImport): Promise<readonly TrackedRecord[]> {
  const { note, pairing } = options;
  const { pairs, routines } = pairing;
  const ids = new Map([...pairs, ...routines].map(({ declared, row }) => [declared.address, row.id]));
  if (ids.size === 0) return [];
  const makers = new Map(
    routines.flatMap(({ declared, owner }) => (owner === undefined ? [] : [[declared.address, owner.id]])),
  );
  const { loaded } = inputs;
  const { resources, adoptions } = loaded.desired;
  const entries = resources.flatMap(({ address: to, origin }) => {
    const id = ids.get(to);
    return id === undefined ? [] : [{ to, id, origin }];
  });
  // Existing schedules were not sent through the sink: the state does not mark them so, and the next apply sends them
  // once more.
  const unsunk = (each: Resource) => (ids.has(each.address) ? { ...each, sink: undefined } : each);
  const desired = { ...loaded.desired, resources: resources.map(unsunk), adoptions: [...adoptions, ...entries] };
  const adopting = await withDeclarations(inputs, { ...loaded, desired }, 'recording');
  const planAs = (seen?: Observation) =>
    propose({ allow: { empty: true } }, adopting, { targets: [...ids.keys()] }, seen);
  const outline = planAs();
  const listed = { schedule: pairs.map(({ row }) => row) };
  const { steps, findings } = planAs(await look(lookAtTouched(touchedBy(outline, makers), listed, adopting), options));
  const known = new Set(outline.findings.map(({ message }) => message));
  for (const { message } of findings) if (!known.has(message)) note(message);
  return steps.map(({ change: { address, id, action }, after, unread, seenGroups: groups, entityId }) => {
    if (action !== 'adopt') throw new Error(`${address} is not adopted but ${action}`);
    const madeBy = makers.get(address);
    const recorded = { attributes: after, unread: unread && [...unread], groups, madeBy, entityId };
    return { kind: action, address, action, ...recorded, id };
  });
}

function checkNothingToDo(inputs: PlanInputs, { imported }: TrackedImport): void {
  const { document } = propose({ allow: { empty: true } }, inputs, {});
  const changed = document.changes
    .filter(({ address, reason }) => imported.has(address) && reason !== 'sink')
    .map(({ address }) => address);
  if (changed.length > 0) throw new Error(`what was imported would be changed: ${changed.join(', ')}`);
}

/** The next import finds what these files declare. */
function withFiles(failure: Failure): Failure {
  const hint = `The files are written. \`${command('import', '--resume', '--write-state')}\` then records what they declare.`;
  return failure.with({ hint: failure.hint === undefined ? hint : `${failure.hint} ${hint}` });
}

function changedMeanwhile(name: string): Failure {
  return new Failure('state-conflict', `${name} was changed while the import was reading.`, {
    hint: 'The files are written, the state is not. Continue with --write-state --resume.',
  });
}
