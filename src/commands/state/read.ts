// The commands of `almanac state` that only read: `list`, `pull`, `history` and `check`.

import type { State, StateVersion } from '../../model/plan/state.ts';
import { largest } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import { countOf } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { heldWords, runWords, secondsWords } from '../../model/workspace/lock.ts';
import { type Block, indented, part, strong } from '../../report/doc.ts';
import { printText } from '../../report/print-text.ts';
import type { Page } from '../../report/text/theme.ts';
import { readState, requireState } from '../../state/current-state.ts';
import { renderState } from '../../state/format/parse-state.ts';
import type { SharedStore, StateStore } from '../../state/state-store.ts';
import type { Run } from '../base/run.ts';
import { chosenOf, renderStateTable, stateListDocument } from '../base/show-state.ts';
import type { StateCheckOptions, StateHistoryOptions, StateListOptions, StatePullOptions } from './state-command.ts';
import type { StateCheckDocument, StateHistoryDocument } from './state-document.ts';

/** `almanac state list [SELECTOR...]`: the tracked resources, a line for each. */
export async function stateList(run: Run, options: StateListOptions, selectors: readonly string[]): Promise<number> {
  const state = await run.readState(await run.storeAlone());
  const tracked = state === undefined ? [] : chosenOf(state, selectors).tracked;
  const all = Object.keys(state?.resources ?? {}).length;
  run.print(options.format, stateListDocument(tracked), (page) => renderStateTable(page, tracked, all));
  return 0;
}

/**
 * `almanac state pull`: prints the state file, including what an interrupted apply left in its journal, or an earlier
 * state of a shared place.
 */
export async function statePull(run: Run, options: StatePullOptions): Promise<number> {
  run.stdout.data(renderState(await pulled(run, options)));
  return 0;
}

async function pulled(run: Run, options: StatePullOptions): Promise<State> {
  const { serial } = options;
  const store = await run.storeAlone();
  if (serial !== undefined) return sharedOf(store).version(serial);
  return requireState(await run.readState(store), store.name);
}

/** `almanac state history`: the states that a shared place keeps, and who wrote them. */
export async function stateHistoryCommand(run: Run, options: StateHistoryOptions): Promise<number> {
  const store = await run.storeAlone();
  const document = await historyOf(store, options.limit);
  run.print(options.format, document, (page) => renderHistory(document, page));
  return 0;
}

async function historyOf(store: StateStore, limit: number): Promise<StateHistoryDocument> {
  const versions: StateVersion[] = [];
  for await (const version of sharedOf(store).history()) {
    if (versions.length === limit) return { formatVersion: 1, state: store.name, versions, more: true };
    versions.push(version);
  }
  return { formatVersion: 1, state: store.name, versions, more: false };
}

/** Throws Failure refused for a file. */
function sharedOf({ name, shared }: StateStore): SharedStore {
  if (shared !== undefined) return shared;
  throw new Failure('refused', `The state is a file, ${name}, and a file keeps no earlier states.`, {
    hint: `If the file is committed, git has them: \`git log -p -- ${name}\`. A place that many share keeps a history; \`${command('state migrate')}\` moves the state there.`,
  });
}

/** `almanac state check`: checks that the state's place works, and shows its content. Leaves the state as it is. */
export async function stateCheck(run: Run, options: StateCheckOptions): Promise<number> {
  const store = await run.storeAlone();
  await store.shared?.check(run.signal);
  const { state, stored, running } = await readState(store);
  const document: StateCheckDocument = {
    formatVersion: 1,
    state: store.name,
    shared: store.shared !== undefined,
    unasked: store.shared?.unasked,
    held:
      state === undefined
        ? null
        : { lineage: state.lineage, serial: state.serial, resources: Object.keys(state.resources).length },
    lock: {
      held: running !== undefined,
      by: stored.lockHolder?.holder,
      expiresIn: stored.lockHolder?.expiresIn && Math.ceil(stored.lockHolder.expiresIn),
    },
  };
  run.print(options.format, document, (page) => renderCheck(document, page));
  return 0;
}

/** For each state that was written. Ends with a newline. */
function renderHistory({ state, versions, more }: StateHistoryDocument, page: Page): string {
  if (versions.length === 0) return printText([`${state} has no state yet.`], page);
  const column = largest(versions.map(({ serial }) => `serial ${serial}  `.length));
  const rest = part(more && 'Older states were left out: --limit N shows more.');
  return printText([part(...versions.map((version) => versionItem(version, column))), rest], page);
}

function versionItem({ serial, at, by, changes, over }: StateVersion, column: number): Block {
  return {
    mark: strong(`serial ${serial}`.padEnd(column)),
    of: `${at}, ${changeWords(changes)}`,
    below: [
      `by ${runWords(by)}`,
      by.runUrl,
      over !== undefined && `took over the lock of ${runWords(over)}`,
      over?.runUrl,
    ],
  };
}

/** A repair by hand, a push and a move change the state alone. */
function changeWords(changes: number): string {
  return changes === 0 ? 'no resource changed' : `${countOf(changes, 'resource')} changed`;
}

/** Ends with a newline. */
function renderCheck(check: StateCheckDocument, page: Page): string {
  const { state, shared, unasked } = check;
  const first = shared
    ? `${state} is fit${unasked === undefined ? '' : ', as far as a trial tells'}: it can be read and written, and of several writers one wins.`
    : `${state} is a file, for one machine at a time. Nothing else has to be in place.`;
  const rest = unasked && `Not asked: ${unasked}. An apply meets them before it sends anything to Omni.`;
  return printText([first, indented(2, `state: ${stateWords(check)}`, `lock:  ${lockWords(check)}`), part(rest)], page);
}

function stateWords({ held }: StateCheckDocument): string {
  if (held === null) return 'none yet';
  return `serial ${held.serial}, ${countOf(held.resources, 'resource')}, lineage ${held.lineage}`;
}

function lockWords({ lock: { held, by, expiresIn } }: StateCheckDocument): string {
  if (!held) return by === undefined ? 'free' : `free: the run of ${runWords(by)} has ended`;
  const who = by === undefined ? 'held' : heldWords(by).replace(/^, /, '');
  return `${who}${expiresIn === undefined ? '' : `; without a sign of it, free in ${secondsWords(expiresIn)}`}`;
}
