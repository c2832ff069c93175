// When a trigger is refused before anything is sent, and what to do about one whose answer was lost.

import type { State } from '../../model/plan/state.ts';
import type { Address } from '../../model/values/address.ts';
import type { Config } from '../../model/workspace/config.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { invalidWorkspace } from '../load/invalid-workspace.ts';
import type { Loaded } from '../load/load.ts';
import { refuseUnlessThroughSink } from '../state/through-sink.ts';

/** Throws Failure usage with operations core, which has no such request. */
export function usableConfig(loaded: Loaded): Config {
  const { config, findings } = loaded;
  if (config === undefined) throw invalidWorkspace('The configuration has errors; nothing was sent.', findings, loaded);
  if (config.api.operations === 'full') return config;
  throw new Failure('usage', 'With operations core, a schedule that exists cannot be triggered.', {
    hint: 'Set `api: { operations: full }` in almanac.yaml; `almanac test ADDRESS` delivers what is declared with operations core as well. Nothing was sent.',
  });
}

/**
 * In an environment with sinks only what was applied through them may be delivered. Throws Failure refused, and
 * invalid-workspace where the declarations cannot say what that is.
 */
export function refuseOutsideSink(loaded: Loaded, state: State, addresses: readonly string[]): void {
  const deliver = loaded.config?.deliver;
  if (deliver === undefined) return;
  if (hasErrors(loaded.findings))
    throw invalidWorkspace('The declarations have errors; nothing was sent.', loaded.findings, loaded);
  const declared = new Map(loaded.desired.resources.map((resource) => [resource.address, resource]));
  for (const address of addresses) {
    const resource = declared.get(address);
    if (resource === undefined) {
      throw new Failure(
        'refused',
        `${address} is not declared in ${deliver.environment} any more, so nobody knows whether it delivers to the sink.`,
        { hint: `Run \`almanac apply --env ${deliver.environment}\` first. Nothing was sent.`, addresses: [address] },
      );
    }
    refuseUnlessThroughSink(resource, state, deliver);
  }
}

/** Throws Failure refused. */
export function refuseMany(count: number, max: number): void {
  if (count <= max) return;
  throw new Failure('refused', `${count} schedules would be delivered, and --max is ${max}.`, {
    hint: `Name fewer, or allow them: --max ${count}. Nothing was sent.`,
  });
}

/** Without the full stop. */
export function resolveHint(address: Address): string {
  return `Ask a recipient, or look at the deliveries in Omni. Then \`almanac state resolve ${address} --done\`, or \`--retry\` if it was not delivered`;
}
