// The counts of a plan: in one line, in words, and for GitLab. The line is `1 to update, 1 to delete`.

import { actionNames } from '../../model/plan/action.ts';
import type { RunCost } from '../../model/plan/apply-outcome.ts';
import type { Change, PlanDocument } from '../../model/plan/plan.ts';
import {
  type Address,
  behindDot,
  deliversDashboard,
  groupOf,
  itemOf,
  type Kind,
  keyPattern,
  kinds,
} from '../../model/values/address.ts';
import { countList, countOf } from '../../model/values/words.ts';
import { code, type Words } from '../doc.ts';
import { renderJson } from '../text/render-json.ts';
import { duration } from '../text/words.ts';
import { isAsDeclared } from './folds/fold-changes.ts';

/** `3 to create, 1 to update, 8 to update in the state, 2 left`, with the share of loops; empty if nothing changes. */
export function planCounts({ summary, changes }: Pick<PlanDocument, 'summary' | 'changes'>): string {
  const recorded = changes.filter(isAsDeclared).length;
  const counts = { ...summary, update: summary.update - recorded };
  const words = countList([
    ...actionNames.map((action) => [counts[action], `to ${action}`] as const),
    [recorded, 'to update in the state'] as const,
    [summary.left, 'left'] as const,
  ]);
  const loops = loopCounts(changes);
  return loops === '' ? words : `${words}, ${loops}`;
}

/** The service, even for empty plans: ``At `https://…`, operations full``. A state that many share is named as well. */
export function placeWords(plan: PlanDocument): Words {
  const { baseUrl, operations } = plan;
  return [
    baseUrl === null ? 'No base URL is set' : ['At ', code(baseUrl)],
    `, operations ${operations}`,
    stateWords(plan),
  ];
}

/** `, state in git branch almanac-state of origin`; with changes, which may undo others, its writer outside of CI. */
export function stateWords({ state, changes }: PlanDocument): Words {
  const { place, writtenBy } = state;
  if (place === undefined) return false;
  const isTold = writtenBy !== undefined && changes.length > 0;
  return [', state in ', code(place), isTold && [', last written by ', code(writtenBy), ' outside of CI']];
}

/** `14 recipients replaced by the sink of staging, which skips 18 resources.` */
export function sinkWords({ sink }: PlanDocument): Words {
  if (sink === undefined) return false;
  const { environment, recipients, skipped } = sink;
  const replaced = recipients === 0 ? 'No recipient is' : countOf(recipients, 'recipient');
  const skips = skipped !== undefined && `, which skips ${countOf(skipped, 'resource')}`;
  return [`${replaced} replaced by the sink of `, code(environment), skips, '.'];
}

/** The cost of an apply. A schedule to adopt may go to a group that nobody knows of, and then takes one more request. */
export function requestCount({ requests, changes, operations }: PlanDocument): string {
  if (requests === 0) return 'No requests';
  const adopts = changes.some(({ action, kind }) => action === 'adopt' && deliversDashboard(kind));
  return `${adopts && operations === 'full' ? 'At least ' : ''}${countOf(requests, 'request')}`;
}

/** The whole cost of a run, before it changes anything: `1 request for the changes, 1 to see what exists`. */
export function costWords({ requests, sent, seconds }: RunCost): string {
  const toCome = countOf(requests - sent, 'request');
  if (sent === 0) return toCome + waitWords(seconds);
  if (requests === sent) return `${countOf(sent, 'request')} to see what exists`;
  return `${toCome} for the changes, ${sent} to see what exists${waitWords(seconds)}`;
}

function waitWords(seconds: number): string {
  return seconds === 0 ? '' : `; the rate limit makes them take about ${duration(seconds)}`;
}

// A number of resources in words: "90 schedules", or "12 instances of regional-sales" for a loop.

const resourceKeyPattern = new RegExp(`^${keyPattern}$`);

/** Names the loop if all are its instances. */
export function countResources(kind: Kind, addresses: readonly Address[]): string {
  const count = addresses.length;
  const loop = loopOf(addresses);
  return count < 2 || loop === undefined ? countOf(count, kinds[kind].words) : `${count} instances of ${loop}`;
}

/** The name of each counted resource: `weekly-sales`, or in one loop the key of its item. */
export function keysOfCounted(addresses: readonly Address[]): readonly string[] {
  const loop = loopOf(addresses);
  return addresses.map((address) => behindDot(loop === undefined ? address : behindDot(address)));
}

function loopOf(addresses: readonly Address[]): string | undefined {
  const groups = new Set(addresses.map((address) => (itemOf(address) === undefined ? '' : groupOf(address))));
  const [group = ''] = groups.size === 1 ? groups : [];
  const key = behindDot(group);
  // A state that somebody wrote may have other keys, which reports would have to escape.
  return resourceKeyPattern.test(key) ? key : undefined;
}

/**
 * `from 1 loop` for instances alone, and `12 of them from 1 loop` among others; empty if each has its own. Removed
 * resources are left out, because their declarations may be gone.
 */
export function loopCounts(changes: readonly Pick<Change, 'address' | 'kind' | 'action'>[]): string {
  const declared = changes.filter(({ action }) => action !== 'delete' && action !== 'forget');
  const instances = declared.filter(({ address }) => itemOf(address) !== undefined);
  const groups = new Set(instances.map(({ address }) => groupOf(address)));
  if (groups.size === instances.length) return '';
  const loops = `from ${countOf(groups.size, 'loop')}`;
  return instances.length === changes.length ? loops : `${instances.length} of them ${loops}`;
}

// A plan for GitLab's widget of a merge request (artifacts:reports:terraform). It only has the numbers of created,
// updated and deleted resources, because everybody who can see the project can read the file.

/**
 * A replaced resource is created, and with operations full the old one deleted; one that runs once is created. Changes
 * in the state alone are not counted. Ends with a newline.
 */
export function renderGitlabWidget({ summary, operations }: PlanDocument): string {
  return renderJson({
    create: summary.create + summary.replace + summary.run,
    update: summary.update,
    delete: summary.delete + (operations === 'full' ? summary.replace : 0),
  });
}
