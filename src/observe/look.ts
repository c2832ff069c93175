// All that a plan needs of Omni: what became of what is tracked, and which user groups declared names mean. It is asked
// before the plan is made, and the answer is a value. An apply looks once more, in depth, at just what it is about to change.

import type { Observation } from '../model/plan/observation.ts';
import type { Address } from '../model/values/address.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import type { NamingResource } from './group-names.ts';
import type { ObserveOptions } from './look-context.ts';

type LookPorts = Pick<ObserveOptions, 'service' | 'clock'>;

interface LookRequest extends Omit<ObserveOptions, keyof LookPorts> {
  /** The dashboards whose tiles, filters and pages are asked for. */
  readonly layouts?: ReadonlySet<string> | undefined;
  /** The declarations whose groups are looked up by name; undefined where nobody needs that. */
  readonly names?: readonly NamingResource[] | undefined;
}

/** Returns undefined if nothing is asked. Throws what `observe` throws. */
export async function look(
  lookRequest: LookRequest | undefined,
  { service, clock }: LookPorts,
): Promise<Observation | undefined> {
  if (lookRequest === undefined) return undefined;
  const { names = [], layouts: wanted = new Set(), ...request } = lookRequest;
  const [{ observe }, { checkGroups }, { readLayouts }] = await Promise.all([
    import('./observe.ts'),
    import('./group-names.ts'),
    import('./layouts.ts'),
  ]);
  const observation = await observe({ ...request, service, clock });
  const layouts = await readLayouts(wanted, service, { rereadDashboards: request.rereadDashboards });
  const unknownGroups = await checkGroups(names, service, { onlyUnknown: true });
  return { ...observation, layouts, unknownGroups };
}

/** The earlier look, with what a later one has seen in place of its own. */
export function lookedAgain(earlier: Observation | undefined, later: Observation | undefined): Observation | undefined {
  if (earlier === undefined || later === undefined) return later ?? earlier;
  const isLater = (address: string | undefined) => address !== undefined && later.observed.has(address);
  const isSaidLater = ({ address, concerns = [] }: Finding) =>
    isLater(address) || (concerns.length > 0 && concerns.every(isLater));
  return {
    ...earlier,
    observed: new Map([...earlier.observed, ...later.observed]),
    formerly: new Map([...earlier.formerly, ...later.formerly]),
    findings: [...earlier.findings.filter((each) => !isSaidLater(each)), ...later.findings],
    gone: [...earlier.gone.filter(({ address }) => !isLater(address)), ...later.gone],
    members: new Map([...earlier.members, ...later.members]),
    ownFilters: new Map([...earlier.ownFilters, ...later.ownFilters]),
    layouts: new Map([...earlier.layouts, ...later.layouts]),
  };
}

/** The part of a look that is about these resources. */
export function lookedAtOnly(observation: Observation, only: ReadonlyMap<Address, unknown>): Observation {
  const isAmong = (address: Address | undefined) => address === undefined || only.has(address);
  const among = <T>(map: ReadonlyMap<Address, T>) => new Map([...map].filter(([address]) => isAmong(address)));
  // A finding about a dashboard's new name is about the dashboard.
  const findings = observation.findings.filter(({ address, code }) => isAmong(address) || code === 'dashboard-renamed');
  const gone = observation.gone.filter(({ address }) => isAmong(address));
  return { ...observation, observed: among(observation.observed), members: among(observation.members), findings, gone };
}
