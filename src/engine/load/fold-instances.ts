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
  return [...groups.values()].map((group) => folded(group, byAddress.get(groupOf(group[0].address ?? ''))));
}

/** All but the instance. An audience that lacks something lacks it once, however many items name the audience. */
function faultOf({ address = '', concerns: _, ...rest }: Finding): string {
  if (isOfAudience(rest)) return JSON.stringify([groupOf(address), rest.code, rest.message, rest.hint]);
  return JSON.stringify([groupOf(address), rest]);
}

function folded([first, ...others]: readonly [Finding, ...Finding[]], loop: Loop | undefined): Finding {
  const keys = [...new Set([first, ...others].map(({ address = '' }) => itemOf(address)))];
  if (loop === undefined || keys.length < 2 || (isInItem(first, loop) && !isOfAudience(first))) return first;
  const count = loop.keys.length;
  const words =
    keys.length === count ? `all ${count} instances.` : `${keys.length} of ${count} instances: ${listed(keys)}.`;
  return { ...first, address: loop.address, message: `${first.message} It concerns ${words}` };
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
