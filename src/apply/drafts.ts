// The drafts that a PATCH with clearExistingDraft would discard: all editors of a dashboard share one. Whoever discards it has seen
// whose it is: a person who is asked, or an apply with an explicit --refresh. One that was edited after that stays.

import type { RemoteDraft } from '../model/service/remote.ts';
import type { Address } from '../model/values/address.ts';
import { command } from '../model/values/command.ts';
import { Failure } from '../model/workspace/failure.ts';
import { unlessOpen } from '../observe/sending.ts';
import type { Service } from '../observe/service.ts';
import type { CallOptions } from '../omni/api.ts';
import { discardsDraft } from '../plan/looks.ts';
import type { Step } from '../plan/plan.ts';
import type { Proposal } from '../plan/proposal.ts';
import type { Effects } from './effects.ts';
import { dashboardNow } from './resolve-groups.ts';
import { leftError, notStarted, type StepResult } from './results.ts';

/** The drafts that were seen, by address; undefined if Omni does not list them. */
export type SeenDrafts = ReadonlyMap<Address, readonly RemoteDraft[] | undefined>;

/** Sends one request for each dashboard. Throws what the service throws. */
export async function readDrafts(proposal: Proposal, service: Service): Promise<SeenDrafts> {
  const drafts = new Map<Address, readonly RemoteDraft[] | undefined>();
  for (const step of proposal.steps) {
    if (!discardsDraft(step, proposal)) continue;
    const api = await service.api();
    const asked = api.listDrafts(dashboardNow(step), service.call);
    drafts.set(step.change.address, await unlessOpen(asked));
  }
  return drafts;
}

/** Returns undefined if nothing is discarded. */
export function discardWords(address: Address, drafts: readonly RemoteDraft[] | undefined): string | undefined {
  if (drafts === undefined) return `Omni does not say whether ${address} discards a draft (clearExistingDraft).`;
  return drafts.length === 0 ? undefined : `${address} discards ${drafts.map(draftWords).join(' and ')}.`;
}

function draftWords({ by, editedAt }: RemoteDraft): string {
  const whose = by === undefined ? 'a draft of somebody whom Omni does not name' : `the draft of ${by}`;
  return editedAt === undefined
    ? whose
    : `${whose}, edited on ${new Date(editedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Returns the reason for leaving a PATCH that would discard drafts to which nobody has agreed, such as one edited since. */
export function keptDraft(address: Address, drafts: readonly RemoteDraft[] | undefined): Failure | undefined {
  const words = discardWords(address, drafts);
  if (words === undefined) return undefined;
  return new Failure('blocked', `${words} Nobody has confirmed that, so the change is not sent.`, {
    addresses: [address],
    hint: `Publish or discard the draft in Omni, or run \`${command('apply', '--target', address)}\` by hand, which names it and asks.`,
  });
}

/** Leaves a change whose draft was edited after somebody had seen whose it is. */
export async function whyDraftStays(
  step: Step,
  options: CallOptions,
  { proposal, ports, drafts, effects }: DraftsOfRun,
): Promise<Omit<StepResult, 'requests'> | undefined> {
  const { address } = step.change;
  // Drafts that Omni did not list then, it does not list now.
  if (!discardsDraft(step, proposal) || drafts.get(address) === undefined) return undefined;
  const draftsAnswer = await effects.ask(async () =>
    (await ports.service.api()).listDrafts(dashboardNow(step), options),
  );
  if (draftsAnswer.status === 'skipped') return { status: 'skipped', error: notStarted(draftsAnswer.halt) };
  if (draftsAnswer.status !== 'applied') return { status: 'failed', error: draftsAnswer.error };
  const kept = keptDraft(address, editedSince(drafts, address, draftsAnswer.created ?? []));
  return kept && { status: 'skipped', error: leftError(kept) };
}

/** The run that asks for the drafts once more, right before its request. */
interface DraftsOfRun {
  readonly proposal: Proposal;
  readonly ports: { readonly service: Service };
  readonly drafts: SeenDrafts;
  readonly effects: Effects;
}

/** Returns the drafts that are new or were edited since they were seen. */
function editedSince(seenDrafts: SeenDrafts, address: Address, now: readonly RemoteDraft[]): readonly RemoteDraft[] {
  const known = seenDrafts.get(address) ?? [];
  return now.filter(({ by, editedAt }) => !known.some((each) => each.by === by && each.editedAt === editedAt));
}
