// What --select matches among the schedules that were applied. Their tags and owners are those that are declared now.

import type { State } from '../../model/plan/state.ts';
import { type Address, kindOf } from '../../model/values/address.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { invalidWorkspace, type Loaded } from '../load/load.ts';
import { selectAddresses } from './select-addresses.ts';

/** Throws Failure usage for a selector that matches none, and invalid-workspace: a file that cannot be read hides tags. */
export function selectApplied(
  selectors: readonly string[],
  loaded: Loaded,
  state: State | undefined,
): ReadonlySet<Address> {
  const { desired, findings } = loaded;
  if (hasErrors(findings))
    throw invalidWorkspace(
      'The declarations have errors, so --select cannot know everything it matches.',
      findings,
      loaded,
    );
  const declared = new Map(desired.resources.map(({ address, attributes }) => [address, attributes]));
  const later = new Map(desired.moves.map(({ from, to }) => [from, to]));
  const among = Object.entries(state?.resources ?? {})
    .filter(([address, { id }]) => kindOf(address) === 'schedule' && id !== undefined)
    .map(([address]) => ({ address, attributes: declared.get(address) ?? declared.get(later.get(address) ?? '') }));
  return selectAddresses(selectors, among, loaded);
}
