// Checks that a journal belongs to the state beside it. It continues the state, or the state holds what it says. A journal that does neither may
// have the only copy of an id, so it is refused and kept.

import type { Journal, JournalIntent, JournalOutcome } from '../model/plan/journal.ts';
import { mayBeRepeated } from '../model/plan/open-change.ts';
import { type State, trackedAt } from '../model/plan/state.ts';
import { type Address, kindAt, kinds } from '../model/values/address.ts';
import { command } from '../model/values/command.ts';
import { Failure } from '../model/workspace/failure.ts';
import { inBrackets, printString } from '../yaml/format/print-string.ts';
import { sha256 } from './format/fold-log.ts';
import { renderState } from './format/parse-state.ts';

/** Names a version of a state in the header of the journal that continues it. */
export function stateDigest(state: State): string {
  return sha256(renderState(state));
}

/**
 * A journal whose base serial is below the state's was folded already, if the state holds what it says. Throws Failure
 * state-conflict where the two do not belong together. `isPushed`: a person puts the state in place, and what it tracks
 * answers for the open requests of its address.
 */
export function isFolded(journal: Journal, state: State | undefined, name: string, isPushed: boolean): boolean {
  const { lineage, baseUrl, serial, base } = journal.header;
  const present = state?.serial ?? 0;
  const refused = (why: string) =>
    keptJournal(
      { journal, path: `${name}.journal`, state },
      `The journal of ${name} ${why}`,
      `Put back the state that it belongs to (git log -- ${name}). Or keep this state: `,
    );
  if (state !== undefined && state.lineage !== lineage)
    throw refused(`belongs to another state: its lineage is ${lineage}, that of ${name} is ${state.lineage}.`);
  if (state !== undefined && state.baseUrl !== baseUrl)
    throw refused(`belongs to another state: it is about ${baseUrl}, and ${name} is the state of ${state.baseUrl}.`);
  if (serial > present)
    throw refused(
      `continues the state with serial ${serial}, and ${name} has ${present}: an older state was put in its place.`,
    );
  if (state === undefined) return false;
  if (serial < present) {
    const isAnswered = ({ address, id }: JournalOnlyEntry) =>
      isPushed && id === undefined && trackedAt(state, address) !== undefined;
    const lacking = lackingIn(state, journal).filter((each) => !isAnswered(each));
    if (lacking.length === 0) return true;
    if (isPushed) throw lacksJournal(lacking, name);
    throw refused(`holds what an unfinished apply did, and this state does not: ${lacking.map(nameOf).join(', ')}.`);
  }
  if (base === undefined || base === stateDigest(state)) return false;
  throw refused(
    `continues a different state with that serial, ${serial}: another version of ${name} was put in its place.`,
  );
}

function lacksJournal(lacking: readonly JournalOnlyEntry[], name: string): Failure {
  return new Failure(
    'state-conflict',
    `The journal of ${name} holds what an unfinished apply did, and the state to push does not hold it: ${lacking.map(nameOf).join(', ')}.`,
    { hint: `Add it to the state to push: \`${command('state pull')}\` prints all of it.` },
  );
}

interface KeptJournal {
  readonly journal: Journal;
  readonly path: string;
  /** The state beside which it is kept. */
  readonly state: State | undefined;
}

/** Keeps a journal that is not to be folded: its knowledge must be recorded elsewhere before it goes. `first` begins the hint. */
function keptJournal({ journal, path, state }: KeptJournal, message: string, first: string): Failure {
  const lacking = lackingIn(state, journal);
  // Nothing adopts a job.
  const isJob = ({ address }: JournalOnlyEntry) => kinds[kindAt(address)].life === 'once';
  const adopted = lacking.filter((each) => each.id !== undefined && !isJob(each));
  const others = lacking.filter((each) => !adopted.includes(each)).map(({ address }) => address);
  const steps = [
    ...(others.length === 0 ? [] : [`look in Omni for what was made for ${others.join(', ')}`]),
    ...(adopted.length === 0 ? [] : ['add this to a source file']),
  ];
  const jobs = lacking.some(isJob)
    ? ` An AI job runs again then, unless \`${command('state push')}\` puts a copy of the state in place that has it.`
    : '';
  const last = `${steps.length === 0 ? '' : `${steps.join(', ')}, then `}move ${path} elsewhere.`;
  const hint = `${first}${last}${jobs} Nothing else holds what this journal records, so keep it until then.`;
  const entries = adopted.map(({ address, id = '' }) => `  - { to: ${address}, id: ${printString(id, inBrackets)} }`);
  return new Failure('state-conflict', message, {
    hint: entries.length === 0 ? hint : [hint, '', 'adopt:', ...entries].join('\n'),
  });
}

/** A resource that only the journal knows. */
interface JournalOnlyEntry {
  readonly address: Address;
  /** Undefined for a resource that has none, or if the answer is missing. */
  readonly id: string | undefined;
}

/** Names it in words. */
function nameOf({ address, id }: JournalOnlyEntry): string {
  return id === undefined ? address : `${address} (${id})`;
}

/** The ids that it made, adopted or left behind, and resources that it may have made, unless the state holds them. */
function lackingIn(state: State | undefined, { lines }: Journal): readonly JournalOnlyEntry[] {
  const { resources = {}, orphans = [], unresolved = [] } = state ?? {};
  const ids = new Set([...Object.values(resources), ...orphans].map(({ id }) => id));
  const outcomes = new Map(lines.flatMap((line) => (line.type === 'outcome' ? [[line.seq, line] as const] : [])));
  return lines.flatMap((line) => {
    if (line.type === 'outcome') return [];
    const { address, at } = line;
    const outcome = outcomes.get(line.seq);
    const isHeld =
      unresolved.some((open) => open.address === address && open.since === at) ||
      (outcome?.status === 'applied' &&
        (outcome.id === undefined ? trackedAt(state, address) !== undefined : ids.has(outcome.id)));
    return isHeld || !mustBeHeld(line, outcome) ? [] : [{ address, id: outcome?.id }];
  });
}

/** Anything else can safely be planned again. */
function mustBeHeld(intent: JournalIntent, outcome: JournalOutcome | undefined): boolean {
  const { kind, address, action } = intent;
  const { status = 'unknown', id } = outcome ?? {};
  if (
    status === 'failed' ||
    action === 'delete' ||
    ['move', 'release', 'record', 'refresh', 'read-back'].includes(kind)
  )
    return false;
  if (action === 'trigger') return status === 'unknown';
  return id !== undefined || !mayBeRepeated({ address, action, since: intent.at });
}
