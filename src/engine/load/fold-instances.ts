// A mistake of a loop's declaration is one mistake, however many instances it has: it is said once, with how many of them it
// concerns.

import { groupOf, itemOf } from '../../model/values/address.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import type { Loop } from '../../model/workspace/loop.ts';

/** The same findings where there is no loop. */
export function foldInstances(findings: readonly Finding[], loops: readonly Loop[] | undefined): readonly Finding[] {
  if (loops === undefined) return findings;
  const byAddress = new Map(loops.map((loop) => [loop.address, loop]));
  const groups = new Map<string, [Finding, ...Finding[]]>();
  for (const [index, finding] of findings.entries()) {
    const isOfLoop = byAddress.has(groupOf(finding.address ?? ''));
    const fault = isOfLoop && itemOf(finding.address ?? '') !== undefined ? faultOf(finding) : String(index);
    const group = groups.get(fault);
    if (group === undefined) groups.set(fault, [finding]);
    else group.push(finding);
  }
  return [...groups.values()].flatMap((group) => folded(group, byAddress.get(groupOf(group[0].address ?? ''))));
}

/** All but the instance. An audience that lacks something lacks it once, however many items name the audience. */
function faultOf({ address = '', concerns: _, ...rest }: Finding): string {
  if (rest.isPart) return JSON.stringify([groupOf(address), rest.code, rest.related]);
  if (isOfAudience(rest)) return JSON.stringify([groupOf(address), rest.code, rest.message, rest.hint]);
  return JSON.stringify([groupOf(address), rest]);
}

function folded(group: readonly [Finding, ...Finding[]], loop: Loop | undefined): readonly Finding[] {
  const [first] = group;
  const keys = [...new Set(group.map(({ address = '' }) => itemOf(address)))];
  const count = loop?.keys.length;
  if (first.isPart) return loop !== undefined && count !== 1 && keys.length === count ? [inText(first, loop)] : group;
  if (loop === undefined || keys.length < 2 || (isInItem(first, loop) && !isOfAudience(first))) return [first];
  const words =
    keys.length === count ? `all ${count} instances.` : `${keys.length} of ${count} instances: ${listed(keys)}.`;
  return [{ ...first, address: loop.address, message: `${first.message} It concerns ${words}` }];
}

/** A text that is wrong whatever the item: the mistake is in what the declaration writes around the value. */
function inText({ related, isPart: _, ...finding }: Finding, { address, keys }: Loop): Finding {
  const [{ place } = {}] = related ?? [];
  const item = `The value is that of the item \`${itemOf(finding.address ?? '')}\`.`;
  const message = `${finding.message} ${item} It concerns all ${keys.length} instances.`;
  return { ...finding, ...(place && { place }), address, message };
}

/** A value that several items share, such as a variable: the place says enough. */
function isInItem({ related = [] }: Finding, { origin }: Loop): boolean {
  return related.some(({ place }) => 'pointer' in place && place.pointer.startsWith(origin.pointer));
}

function isOfAudience({ code }: Pick<Finding, 'code'>): boolean {
  return code === 'audience-incomplete';
}

const shown = 3;

function listed(keys: readonly (string | undefined)[]): string {
  const [names, more] = [keys.slice(0, shown).join(', '), keys.length - shown];
  return more > 0 ? `${names} and ${more} more` : names;
}
