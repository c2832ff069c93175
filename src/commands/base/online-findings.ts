// The findings that `--online` adds.

import { judgeFindings } from '../../declare/acceptances.ts';
import type { Loaded } from '../../declare/load/load.ts';
import { type State, trackedAt } from '../../model/plan/state.ts';
import { countOf } from '../../model/values/words.ts';
import type { TrackedAs } from '../../observe/online.ts';
import type { Service } from '../../observe/service.ts';
import type { GlobalOptions, OnlineFlags } from './command.ts';
import type { World } from './world.ts';

/** Adds what `--online` finds; without that option, returns the declarations as they are. */
export async function withOnlineFindings(
  { stderr, options: { verbose } }: World & { readonly options: GlobalOptions },
  { online }: OnlineFlags,
  loaded: Loaded,
  service: Service,
  stateOf: () => Promise<State | undefined>,
): Promise<Loaded & { readonly judgedGroups?: ReadonlySet<string> }> {
  if (!online) return loaded;
  const [{ checkOnline }, { withBetterHints }, { untoldWords }] = await Promise.all([
    import('../../observe/online.ts'),
    import('../../declare/online/filter-types.ts'),
    import('../../declare/rows/on-dashboards.ts'),
  ]);
  const { findings, hints, untoldTypes, untold, requests, judgedGroups } = await checkOnline({
    loaded,
    service,
    trackedAs: async () => trackedIn(await stateOf(), loaded),
  });
  if (verbose) stderr.write(`Online checks: ${countOf(requests, 'request')}.\n`);
  if (verbose && untoldTypes > 0)
    stderr.write(
      `Almanac cannot tell whether ${countOf(untoldTypes, 'filter')} of reports fit their dashboard: its filter has no type that says so.\n`,
    );
  if (verbose) for (const words of untoldWords(untold)) stderr.write(`${words}\n`);
  return {
    ...loaded,
    findings: [...withBetterHints(loaded.findings, hints), ...judgeFindings(findings, loaded)],
    judgedGroups,
  };
}

/** Looks up a resource by its declared address, also where the state has it under the address before a move. */
function trackedIn(state: State | undefined, { desired: { moves } }: Loaded): TrackedAs {
  const before = new Map(moves.map(({ from, to }) => [to, from]));
  return (address) => trackedAt(state, address) ?? trackedAt(state, before.get(address) ?? '');
}
