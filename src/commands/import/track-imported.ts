// --write-state: records the imported resources in the state as if they had been adopted, under the lock, so that the
// next plan is empty. Checks that it will be empty before it writes the state.

import { type Basis, makeBasis, withState } from '../../apply/propose/basis.ts';
import { type PlanPorts, propose } from '../../apply/propose/propose.ts';
import type { Loaded } from '../../declare/load/load.ts';
import type { Environment } from '../../declare/load/load-config.ts';
import type { Randomness } from '../../model/outside.ts';
import type { JournalIntent, JournalOutcome } from '../../model/plan/journal.ts';
import type { State } from '../../model/plan/state.ts';
import type { Address } from '../../model/values/address.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { declaredAttributes, type SealedResource } from '../../model/workspace/resource.ts';
import { currentState, withLock } from '../../state/current-state.ts';
import { foldJournal } from '../../state/fold-journal.ts';
import { journalHeader } from '../../state/journal-header.ts';
import type { LockedStore, StateStore } from '../../state/state-store.ts';

export interface TrackOptions extends PlanPorts {
  readonly environment: Environment;
  /** The workspace, including the files that were written. */
  readonly loaded: Loaded;
  readonly store: StateStore;
  /** The state at the start of the import. */
  readonly before: State | undefined;
  /** Ids by address; a dashboard has none. */
  readonly imported: ReadonlyMap<Address, string | undefined>;
  /** By address: the fields whose values the import guessed, because the service does not return them. */
  readonly unread: ReadonlyMap<Address, readonly string[]>;
  readonly randomness: Randomness;
  readonly onNote: (message: string) => void;
}

/** Throws Failure state-locked, or state-conflict if the state changed since the import started. */
export async function trackImported(options: TrackOptions): Promise<void> {
  const { store, clock, onNote } = options;
  const wait = { command: 'import', timeout: 0, clock, onNote, onWait: onNote };
  await withLock(store, wait, (locked) => trackLocked(options, locked));
}

async function trackLocked(options: TrackOptions, locked: LockedStore): Promise<void> {
  const { store, before, loaded, randomness } = options;
  const state = currentState(await locked.read(), store.name);
  if (state?.lineage !== before?.lineage || state?.serial !== before?.serial) throw changedMeanwhile(store.name);
  const basis = await makeBasis(loaded, state, randomness);
  const header = journalHeader(basis, basis.config.api.baseUrl ?? '', options);
  const { resources } = basis.desired;
  const next = foldJournal(state, { header, lines: linesOf(resources, options) }, store.name);
  if (next === undefined) throw new Error('an import left no state');
  await checkNothingToDo(withState(basis, next), options);
  await locked.commit(next, { release: true });
}

/** The journal lines that an apply would have written. */
function linesOf(
  resources: readonly SealedResource[],
  { imported, unread, clock }: TrackOptions,
): readonly (JournalIntent | JournalOutcome)[] {
  const at = new Date(clock.now()).toISOString();
  return resources
    .filter(({ address }) => imported.has(address))
    .flatMap((resource, seq) => {
      const { address, kind } = resource;
      // What exists has the recipients that are declared; the next apply replaces them where the environment has a sink.
      const attributes = declaredAttributes(resource);
      const action = kind === 'schedule' ? 'adopt' : 'create';
      return [
        { type: 'intent', seq, address, action, attributes, unread: unread.get(address), at },
        { type: 'outcome', seq, status: 'applied', id: imported.get(address), at },
      ] satisfies (JournalIntent | JournalOutcome)[];
    });
}

async function checkNothingToDo(basis: Basis, options: TrackOptions): Promise<void> {
  const { imported } = options;
  const { document } = await propose({ allowEmpty: true }, basis, options);
  const changed = document.changes
    .filter(({ address, reason }) => imported.has(address) && reason !== 'sink')
    .map(({ address }) => address);
  if (changed.length > 0) throw new Error(`what was imported would be changed: ${changed.join(', ')}`);
}

function changedMeanwhile(name: string): Failure {
  return new Failure('state-conflict', `${name} was changed while the import was reading.`, {
    hint: 'The files are written, the state is not. Continue with --resume --force.',
  });
}
