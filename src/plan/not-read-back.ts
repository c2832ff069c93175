// Dividing filters that nobody has seen stored as they were sent. The state keeps them until a
// read, or the declaration, says that this is over; until then other changes wait that would reach somebody.

import { acceptancesOf, hasEnded } from '../declare/acceptances.ts';
import type { Loaded } from '../declare/load/load.ts';
import type { NotReadBackRow } from '../model/plan/apply-outcome.ts';
import type { NotReadBack, StateResource } from '../model/plan/state.ts';
import type { Address } from '../model/values/address.ts';
import { command } from '../model/values/command.ts';
import { scheduleUrl } from '../model/values/urls.ts';
import { inBackticks } from '../model/values/words.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { placeOfResource } from '../model/workspace/field-place.ts';
import { isPaused } from '../model/workspace/resource.ts';
import { dividedBy } from './dashboard-filters.ts';
import type { PlanInputs } from './inputs.ts';
import { leaving, type PlanResult, type Step } from './plan.ts';
import { onlyTakes, sendsDeclaration } from './requests.ts';

type ReadBackCode = 'stored-otherwise' | 'not-read';

/** A tracked report that was not read back as it was sent. */
export interface UnreadReport {
  /** The address in the state. */
  readonly address: Address;
  /** The address of its declaration, which may be about to move there. */
  readonly declaredAt: Address;
  readonly resource: StateResource;
  readonly mark: NotReadBack;
  readonly code: ReadBackCode;
}

type Known = Pick<PlanInputs, 'state'> & { readonly loaded: Pick<Loaded, 'desired' | 'days'> };

/** All of them, whatever their declarations accept. */
function unreadReports({ loaded: { desired }, state }: Known): readonly UnreadReport[] {
  const moved = new Map(desired.moves.map(({ from, to }) => [from, to]));
  return Object.entries(state?.resources ?? {}).flatMap(([address, resource]) => {
    const { notReadBack: mark } = resource;
    if (mark === undefined) return [];
    return [{ address, declaredAt: moved.get(address) ?? address, resource, mark, code: codeOf(mark) }];
  });
}

/** The code of the finding about it. */
export function codeOf({ other }: Pick<NotReadBack, 'other'>): ReadBackCode {
  return other === undefined ? 'not-read' : 'stored-otherwise';
}

/** Those that no declaration accepts today. */
export function openReadBacks(known: Known): readonly UnreadReport[] {
  const unread = unreadReports(known);
  if (unread.length === 0) return unread;
  const accepts = acceptingUnread(known.loaded);
  return unread.filter(({ declaredAt }) => !accepts(declaredAt));
}

/** Tells whether the declaration at an address accepts that its filters are not seen stored as they were sent. */
export function acceptingUnread({ desired, days }: Known['loaded']): (address: Address) => boolean {
  const declared = new Map(desired.resources.map((each) => [each.address, each]));
  return (address) => {
    const resource = declared.get(address);
    // `not-read` is accepted for looks, and says nothing of filters that were sent.
    const acceptance = resource && acceptancesOf(resource).get('stored-otherwise');
    return acceptance !== undefined && !hasEnded(acceptance, days);
  };
}

/** What a result or a status says of them. */
export function readBackRows(known: Known): readonly NotReadBackRow[] {
  return openReadBacks(known).map(({ address, resource: { id = '', attributes }, mark: { since, other } }) => {
    const page = scheduleUrl(known.state?.baseUrl ?? null, String(attributes['identifier']), id);
    return { address, id, since, other, ...markWords({ other, since }, { id, page, stays: isPaused(attributes) }) };
  });
}

/** What a status says of requests with an unknown outcome that sent such filters: what they made is not read either. */
export function lostRows(state: PlanInputs['state']): readonly NotReadBackRow[] {
  return (state?.unresolved ?? []).flatMap(({ address, since, sentFilters = {} }) => {
    if (Object.keys(sentFilters).length === 0 || state?.resources[address]?.notReadBack !== undefined) return [];
    const message = `It is not known whether what was sent at ${since} was carried out, nor whether Omni stores its filters.`;
    return [
      { address, id: '', since, message, hint: `The next \`${command('apply')}\` looks for it, and reads them.` },
    ];
  });
}

/** `stays` is true if the schedule is paused. `page` is its page in Omni; undefined if it has none. */
export function markWords(
  { other, since }: Pick<NotReadBack, 'other' | 'since'>,
  { id, page, stays }: { readonly id: string; readonly page: string | undefined; readonly stays: boolean },
): Pick<NotReadBackRow, 'message' | 'hint'> {
  if (other === undefined)
    return {
      message: `It is not known whether Omni stores its filters as they were sent at ${since}.`,
      hint: `The next \`${command('apply')}\` reads them. Until then look at the schedule ${id} in Omni${page === undefined ? '.' : `: ${page}`}`,
    };
  const what = `${stays ? 'Leave' : 'Pause'} the schedule ${id} ${stays ? 'paused in Omni' : 'in Omni before it delivers'}`;
  return { message: `${other}.`, hint: page === undefined ? `${what}.` : `${what}: ${page}` };
}

/** Findings of a plan about them, which their declarations may accept. `isRead` is true of what a look compares itself. */
export function findingsOfUnread(
  { loaded, state }: Pick<PlanInputs, 'loaded' | 'state'>,
  isRead: (address: Address) => boolean,
): readonly Finding[] {
  const resources = new Map(loaded.desired.resources.map((each) => [each.address, each]));
  const accepts = acceptingUnread(loaded);
  const said = unreadReports({ loaded, state }).filter(
    ({ address, declaredAt, code }) => code !== 'not-read' || !(isRead(address) || accepts(declaredAt)),
  );
  return said.map(({ declaredAt: address, mark: { other, since }, code }): Finding => {
    const resource = resources.get(address);
    const what = inBackticks(address);
    return {
      code,
      message:
        other === undefined
          ? `Nobody has read yet whether Omni stores the filters of ${what} as they were sent at ${since}.`
          : `Omni does not store the filters of ${what} as they were sent at ${since}: ${other}.`,
      hint:
        other === undefined
          ? `Each \`${command('apply')}\` reads them again. Until it can, other changes of this report wait.`
          : `Pause the report in Omni. An update of its filters is read back again; until it is right, other changes of this report wait, and so do new ones that set filters on its dashboard.`,
      address,
      place: resource && placeOfResource(resource),
    };
  });
}

/**
 * Leaves what has to wait: other changes of such a report, but not those that set its filters or only take something away; and where
 * Omni showed other filters, what is made on the same dashboard with filters that divide rows.
 */
export function leavingUnread(planned: PlanResult, inputs: PlanInputs): PlanResult {
  const { plan, steps } = planned;
  const open = plan.operations === 'core' ? [] : openReadBacks(inputs);
  if (open.length === 0) return planned;
  const unread = new Map(open.map((each) => [each.address, each]));
  const ended = new Set(
    steps.flatMap(({ change: { address, previousAddress = address, action, left, blocked } }) =>
      ['delete', 'forget'].includes(action) && (left ?? blocked) === undefined ? previousAddress : [],
    ),
  );
  const others = new Map(
    open
      .filter(({ address, code }) => code === 'stored-otherwise' && !ended.has(address))
      .map(({ address, resource }) => [String(resource.attributes['identifier']), address]),
  );
  const dividing = new Set([...dividedBy({ steps, document: plan, inputs }).values()].flat());
  const whyLeft = (step: Step): string | undefined => {
    const { change, calls, delivered, renamedTo } = step;
    const { address, previousAddress = address, reason, action } = change;
    if (calls.every(onlyTakes) || reason === 'replaced') return undefined;
    const own = unread.get(previousAddress);
    if (own !== undefined) return sendsDeclaration(calls) ? undefined : ownWords[own.code](address);
    if (!dividing.has(step) || action === 'update') return undefined;
    const other = others.get(String(delivered().after?.dashboard)) ?? others.get(renamedTo ?? '');
    return other && createWords(other);
  };
  return leaving(planned, whyLeft);
}

const ownWords: Readonly<Record<ReadBackCode, (address: Address) => string>> = {
  'not-read': (address) =>
    `It is not known whether Omni stores the filters of ${address} as they were sent. Until they are read, only a change of its filters is sent, and what takes something away.`,
  'stored-otherwise': (address) =>
    `Omni does not show the filters of ${address} as they were sent. Until it does, only a change of its filters is sent, and what takes something away.`,
};

function createWords(other: Address): string {
  return `Omni does not show the filters of ${other}, on the same dashboard, as they were sent. Until it does, or the declaration of ${other} accepts it, nothing new with such filters is made there.`;
}
