// Refuses to deliver at once what was not applied through a sink. In an environment with sinks, a schedule that was
// made before, or by hand, may still have the recipients of production.

import { openByAddress } from '../model/plan/open-change.ts';
import type { State } from '../model/plan/state.ts';
import { command } from '../model/values/command.ts';
import type { JsonObject } from '../model/values/json.ts';
import type { Config } from '../model/workspace/config.ts';
import { Failure } from '../model/workspace/failure.ts';
import type { Resource } from '../model/workspace/resource.ts';
import { isThroughSink } from '../plan/sinks.ts';

/** Throws Failure refused; nothing is refused without a sink. The attributes are those that are sent. */
export function refuseUnlessThroughSink(
  { kind, address, attributes }: Pick<Resource, 'kind' | 'address' | 'attributes'>,
  state: State | undefined,
  deliver: Config['deliver'],
): void {
  if (deliver === undefined) return;
  // A sink is written in almanac.yaml, so it holds no secret.
  const sent = { kind, attributes: attributes as JsonObject };
  const isOpen = openByAddress(state).has(address);
  if (!isOpen && isThroughSink(sent, state?.resources[address])) return;
  const { environment } = deliver;
  throw new Failure(
    'refused',
    `${address} was not applied through the sink of ${environment}, so nothing is delivered.`,
    {
      hint: `Run \`${command('apply', '--env', environment)}\` first: it replaces the recipients. Nothing was sent.`,
      addresses: [address],
    },
  );
}
