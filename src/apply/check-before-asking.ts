// Checks and says what an apply must before it asks for agreement. Covers the review of its changes, what it sends or leaves
// without one, a first apply, and acting for others. plan/guard-plan.ts refuses plans as a whole.

import { judgeFindings } from '../declare/acceptances.ts';
import { invalidWorkspace } from '../declare/load/refuse-errors.ts';
import { identities, ownerOf } from '../model/fields/identity.ts';
import { actions } from '../model/plan/action.ts';
import { openChanges } from '../model/plan/open-change.ts';
import type { Change } from '../model/plan/plan.ts';
import type { State } from '../model/plan/state.ts';
import { isRecorded } from '../model/service/recognise-rows.ts';
import { isOrganizationKey, type ListedRow, organizationKeyPrefix } from '../model/service/remote.ts';
import { type Kind, kindAt } from '../model/values/address.ts';
import { command } from '../model/values/command.ts';
import { variablesIn } from '../model/values/secret.ts';
import { countOf, nameSome } from '../model/values/words.ts';
import type { Code } from '../model/workspace/codes.ts';
import { type Finding, hasErrors, severityOf } from '../model/workspace/diagnostic.ts';
import { Failure } from '../model/workspace/failure.ts';
import { isRotation } from '../plan/digest.ts';
import type { Proposal, SavedPart } from '../plan/proposal.ts';
import { digestsIn, maxNamed, planAgainHint } from '../plan/saved-plan.ts';
import type { ApplyPorts, ApplyRequest } from './apply-request.ts';
import type { LeftSteps } from './leave.ts';

/** The digests of the changes that were reviewed; undefined where any change may be applied. */
export function reviewedIn({ saved, expectChanges }: ApplyRequest): ReadonlySet<string> | undefined {
  return expectChanges ?? (saved && digestsIn(saved));
}

/** True if nobody sees the plan before it is applied, and no review has shown it. */
export function isUnseen(request: ApplyRequest): boolean {
  return request.autoApprove === true && request.expect === undefined && reviewedIn(request) === undefined;
}

/**
 * Throws Failure not-reviewed where a change is not in the list of digests, neither as it is planned now nor in the `outline`, as it
 * was before Omni was looked at: what it would undo is left. The state says that only the value of a secret
 * differs, so that is sent without a review only to what Omni lists as the state has it, and only with what is declared or
 * what this run has seen in Omni.
 */
export function checkReviewed(
  { document, inputs: { state }, steps, observation, selection: { saved } }: Proposal,
  outline: Proposal,
  reviewed: ReadonlySet<string>,
  rows: ReadonlyMap<string, ListedRow>,
  unproven: LeftSteps,
): void {
  const isKnown = ({ address, id = '' }: Change) => {
    const row = rows.get(id);
    return row !== undefined && isRecorded(row, state?.resources[address]?.attributes ?? {});
  };
  const keptSteps = steps.filter(({ change, ignored }) => {
    const observed = observation?.observed.get(change.address);
    return Object.keys(ignored).some((name) => !(observed?.found && observed.fields.has(name)));
  });
  const isKept = ({ address }: Change) => keptSteps.some(({ change }) => change.address === address);
  const isReviewed = (change: Change) =>
    change.digest === undefined
      ? change.requests === 0 || (isKnown(change) && !isKept(change))
      : reviewed.has(change.digest);
  const before = new Set(outline.document.changes.filter(isReviewed).map(keyOf));
  // Nothing is sent of what is not proven to be the resource.
  const nothing = new Set([...unproven.keys()].map(({ change }) => keyOf(change)));
  const unreviewed = document.changes.filter(
    (change) => !isReviewed(change) && !before.has(keyOf(change)) && !nothing.has(keyOf(change)),
  );
  const [first, ...otherChanges] = unreviewed;
  if (first === undefined) return;
  const more =
    otherChanges.length === 0
      ? ''
      : `; neither ${otherChanges.length === 1 ? 'is 1 more change' : `are ${otherChanges.length} more changes`} of the plan`;
  throw new Failure(
    'not-reviewed',
    `${first.address} ${actions[first.action].words}, which is not among the reviewed changes${more}.`,
    {
      hint: `${saved === undefined ? hintOf(unreviewed, isKnown) : planAgainHint} Nothing was changed.`,
      addresses: [...new Set(unreviewed.map(({ address }) => address))],
    },
  );
}

function hintOf(unreviewed: readonly Change[], isKnown: (change: Change) => boolean): string {
  const rotated = unreviewed.filter(({ digest }) => digest === undefined);
  if (rotated.length > 0) {
    const why = rotated.every(isKnown)
      ? 'the request holds fields under ignoreChanges with the values of the state, which differ from the declaration and which no look found in Omni. `--refresh=deep` takes from Omni what can be read back'
      : 'Omni does not list that id with the dashboard, the name and the kind of destination that the state has. Check it in Omni';
    return `According to the state, only the value of a secret differs in ${nameSome(rotated.map(({ address }) => address))}, but ${why}. If the plan is right, apply all of it, made with the secrets, by its digest: \`${command('apply', '--expect', 'DIGEST')}\`.`;
  }
  const open = unreviewed.filter(({ reason }) => reason === 'unresolved').map(({ address }) => address);
  const them = open.length === 1 ? 'it' : 'them';
  const shows =
    open.length === 0
      ? `${command('plan')} shows what would be done.`
      : `According to the state, an earlier apply began to change ${nameSome(open)} and did not finish, and what would be sent now is not what was reviewed then. The plan of any pull request shows ${them}, and so does ${command('plan')}.`;
  return `${shows} Have the plan reviewed, and list the digests of its changes, which ${command('plan', '--format', 'json')} prints.`;
}

/** Says which secrets have other values, and what is sent for that alone; one whose update would set more is left. */
export function noteRotated({ document: { changes } }: Proposal, { reporter }: ApplyPorts): void {
  const { rotated, words } = rotatedIn(changes.filter(({ left }) => left === undefined));
  if (rotated.length > 0)
    reporter.emit({ type: 'note', message: `${words}, so no review is needed for ${namesOf(rotated)}.` });
}

/** Says what an apply of a saved plan does not do; nothing if all of it is done. */
export function noteSaved(
  { noLongerPlanned, remaining }: SavedPart,
  { document }: Proposal,
  { reporter }: ApplyPorts,
): void {
  const say = (message: string) => reporter.emit({ type: 'note', message });
  if (noLongerPlanned.length > 0 && document.changes.length > 0) {
    const [are, they, them] = noLongerPlanned.length === 1 ? ['is', 'it is', 'it'] : ['are', 'they are', 'them'];
    const count = countOf(noLongerPlanned.length, 'change');
    say(
      `${count} of the saved plan ${are} no longer planned: ${they} done, or somebody took ${them} back: ${namesOf(noLongerPlanned)}.`,
    );
  }
  const { rotated, words } = rotatedIn(remaining);
  const otherChanges = remaining.filter((change) => !rotated.includes(change));
  if (rotated.length > 0)
    say(
      `${words}, and the saved plan does not hold ${namesOf(rotated)}: the next apply of the files sends the new value.`,
    );
  if (otherChanges.length > 0) {
    const are = otherChanges.length === 1 ? 'is' : 'are';
    say(
      `${countOf(otherChanges.length, 'planned change')} ${are} not in the saved plan, and not applied now: ${namesOf(otherChanges)}.`,
    );
  }
}

function namesOf(changes: readonly Change[]): string {
  const addresses = changes.map(({ address }) => address);
  return nameSome(addresses, addresses.length, maxNamed);
}

/** The changes planned only because the values of secrets differ, and the beginning of a sentence about them. */
function rotatedIn(changes: readonly Change[]) {
  const rotated = changes.filter(({ digest, diff }) => digest === undefined && diff.some(isRotation));
  const entries = rotated.flatMap(({ diff }) => diff.filter(isRotation));
  const names = [...new Set(entries.flatMap(({ after }) => variablesIn(String(after))))].sort();
  const values = names.length === 1 ? 'The value of' : 'The values of';
  return { rotated, words: `${values} ${names.join(', ')} ${names.length === 1 ? 'has' : 'have'} changed` };
}

/**
 * True if it creates what may be there already, unseen: the state tracks none of these, so it may be lost or another, and a
 * member's own token shows no schedules that others own. Routines are looked for at their owner.
 */
export function makesUnseen({ steps, inputs: { state } }: Proposal, { service }: ApplyPorts): boolean {
  if (knownIn(state) > 0) return false;
  const makes = ({ kind, action, requests }: Change) =>
    requests > 0 && actions[action].findable === true && isHiddenFromMembers(kind);
  return steps.some(({ change }) => makes(change)) && !isOrganizationKey(service.token());
}

/** True if a member's own token shows only what is theirs. */
function isHiddenFromMembers(kind: Kind): boolean {
  const { listedBy, isOwners } = identities[kind];
  return listedBy !== undefined && isOwners !== true;
}

/** Throws Failure usage for a state that is in use: the option would answer for one that is lost later, so no job may have it. */
export function checkFirst(state: State | undefined, place: string): void {
  const count = knownIn(state);
  if (count === 0) return;
  const message = `--first-apply is for a state that tracks no schedule, and ${place} knows of ${countOf(count, 'schedule')}.`;
  throw new Failure('usage', message, { hint: 'Leave --first-apply out.' });
}

/** The number of schedules that it tracks, or that an apply began to change. */
function knownIn(state: State | undefined): number {
  const open = openChanges(state).map(({ address }) => address);
  const known = new Set([...Object.keys(state?.resources ?? {}), ...open]);
  return [...known].filter((address) => isHiddenFromMembers(kindAt(address))).length;
}

/** A note about changes that follows from the kind of the token. */
interface TokenNote {
  readonly code: Extract<Code, 'user-id-needs-organization-key' | 'routine-owner'>;
  readonly concerns: (change: Change) => boolean;
  readonly withOrganizationKey: boolean;
  readonly wordsFor: (addresses: string) => string;
  readonly hint: string;
  /** The message of the failure where `checks` makes it an error. */
  readonly refused: string;
}

const tokenNotes: readonly TokenNote[] = [
  {
    code: 'user-id-needs-organization-key',
    concerns: ({ after }) => after?.['userId'] !== undefined,
    withOrganizationKey: false,
    wordsFor: (addresses) =>
      `userId needs an organization key, which begins with ${organizationKeyPrefix}; with another token the service answers 403 to ${addresses}.`,
    hint: 'Use an organization key, or remove userId.',
    refused: 'The token cannot act for others; nothing was sent.',
  },
  {
    code: 'routine-owner',
    concerns: ({ kind, action, after }) =>
      identities[kind].isOwners === true && actions[action].posts === true && ownerOf(after ?? {}) === undefined,
    withOrganizationKey: true,
    wordsFor: (addresses) =>
      `The token is an organization key, and ${addresses} ${addresses.includes(', ') ? 'name' : 'names'} no owner: Omni does not document who becomes the owner, and a routine runs with the rights of its owner.`,
    hint: 'Add `owner`.',
    refused: 'No owner is named; nothing was sent.',
  },
];

/** Throws Failure invalid-workspace where `checks` makes a note an error. */
export function noteToken(
  { document: { changes }, inputs: { loaded } }: Proposal,
  { service, reporter }: ApplyPorts,
): void {
  for (const { code, concerns, withOrganizationKey, wordsFor, hint, refused } of tokenNotes) {
    const named = changes.filter((change) => change.requests > 0 && concerns(change));
    if (named.length === 0 || isOrganizationKey(service.token()) !== withOrganizationKey) continue;
    const found = named.map(({ address }): Finding => ({ code, message: wordsFor(address), hint, address }));
    const judged = judgeFindings(found, loaded);
    if (hasErrors(judged)) throw invalidWorkspace(refused, judged, loaded);
    const open = judged.filter((finding) => severityOf(finding) === 'warning' && finding.accepted === undefined);
    if (open.length === 0) continue;
    reporter.emit({ type: 'note', code, message: wordsFor(nameSome(open.flatMap(({ address }) => address ?? []))) });
  }
}

/** A key for the change of an address, or for the deletion of what was replaced there. */
export function keyOf({ address, reason, id }: Pick<Change, 'address' | 'reason' | 'id'>): string {
  return reason === 'replaced' ? `${address} ${id}` : address;
}
