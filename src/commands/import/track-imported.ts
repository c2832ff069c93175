// `import --write-state`: records imported resources in the state as if they had been adopted.

import { journalHeader, namesToRecord } from '../../apply/journal-header.ts';
import { holdsLast } from '../../model/plan/checkout-position.ts';
import type { Journal, JournalIntent, JournalOutcome } from '../../model/plan/journal.ts';
import type { Observation } from '../../model/plan/observation.ts';
import type { State } from '../../model/plan/state.ts';
import type { Address } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { declaredAttributes, type Resource } from '../../model/workspace/resource.ts';
import { look } from '../../observe/look.ts';
import { groupsFound, observedGroups } from '../../observe/observed-groups.ts';
import { entityIn } from '../../observe/renamed-dashboards.ts';
import { makeInputs, type PlanInputs, withDeclarations, withState } from '../../plan/inputs.ts';
import { touchedBy } from '../../plan/looks.ts';
import { propose } from '../../plan/proposal.ts';
import { lookAtTouched } from '../../plan/selection.ts';
import { readState } from '../../state/current-state.ts';
import { foldJournal } from '../../state/fold-journal.ts';
import type { LockedStore } from '../../state/state-store.ts';
import { withLock } from '../../state/with-lock.ts';
import { standingOf } from '../base/checkout-position.ts';
import type { Drafts } from './draft-sources.ts';
import type { PlannedImport } from './import-run.ts';

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
export async function trackImported(options: TrackedImport): Promise<State> {
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
