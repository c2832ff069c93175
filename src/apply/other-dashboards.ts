// Dashboards that only have the name of the one that was meant. Where Omni lists all that the state has on a dashboard somewhere
// else, and nothing proves that it was renamed, another dashboard is called so now: nothing new is sent there.

import { openByAddress } from '../model/plan/open-change.ts';
import type { State } from '../model/plan/state.ts';
import { isElsewhere } from '../model/service/recognise-rows.ts';
import { type Address, kindAt } from '../model/values/address.ts';
import { command } from '../model/values/command.ts';
import { memoize } from '../model/values/memoize.ts';
import { nameSome } from '../model/values/words.ts';
import { Failure } from '../model/workspace/failure.ts';
import { namedText } from '../observe/observed-kinds.ts';
import type { Step } from '../plan/plan.ts';
import type { RowsById } from './judge-claims.ts';
import type { Left } from './leave.ts';

/** `rows`: as far as they were read; those of a dashboard that was renamed are on the one that the state has. */
export function leftOnOthers(steps: readonly Step[], rows: RowsById, state: State | undefined): Left {
  const left = new Map<Step, Failure>();
  if (state === undefined) return left;
  const declared = new Map(
    steps.map(({ change: { address, previousAddress = address }, after }) => [previousAddress, after?.['identifier']]),
  );
  const elsewhereOf = memoize((identifier: string) => elsewhereFrom(identifier, rows, state));
  for (const step of steps) {
    const { address, previousAddress = address } = step.change;
    const identifier = namedText(step.after?.['identifier']);
    // An update undoes that somebody moved the schedule itself, which its plan shows.
    if (identifier === undefined || !step.calls.some(({ send }) => send === 'post' || send === 'patch')) continue;
    const elsewhere = elsewhereOf(identifier).filter(
      (each) => each.address !== previousAddress && (declared.get(each.address) ?? identifier) === identifier,
    );
    const [first] = elsewhere;
    if (first === undefined) continue;
    const addresses = elsewhere.map((each) => each.address);
    const message = `Omni lists nothing of what Almanac has on the dashboard ${identifier} there, but on ${nameSome([...new Set(elsewhere.map(({ on }) => on))])}: ${nameSome(addresses)}. Another dashboard may be called ${identifier} now.`;
    const hint = `If the dashboard was renamed, declare its new identifier. If somebody moved its schedules, \`${command('drift', '--deep', '--write', '--target', first.address)}\` keeps that, and \`${command('apply', '--refresh', '--target', first.address)}\` undoes it.`;
    left.set(step, new Failure('blocked', message, { addresses: [address], hint }));
  }
  return left;
}

interface Elsewhere {
  readonly address: Address;
  readonly on: string;
}

/** What the state has on a dashboard and Omni lists on others; nothing where anything is still there. */
function elsewhereFrom(identifier: string, rows: RowsById, state: State): readonly Elsewhere[] {
  const elsewhere: Elsewhere[] = [];
  const open = openByAddress(state);
  for (const [address, { id = '', attributes }] of Object.entries(state.resources)) {
    const row = rows.get(id);
    if (kindAt(address) !== 'schedule' || row === undefined) continue;
    if (namedText(attributes['identifier']) !== identifier || row.identifier === '') continue;
    if (!isElsewhere(row, { identifier })) return [];
    // A request of which nobody knows whether it arrived has moved it there.
    const { attributes: sent = {}, sentAs = [] } = open.get(address) ?? {};
    if ([sent, ...sentAs].some((each) => namedText(each['identifier']) === row.identifier)) continue;
    elsewhere.push({ address, on: row.identifier });
  }
  return elsewhere;
}
