// Warns if a new environment would create reports again that another state tracks. The state of runs without `--env`
// tracks reports of its organization: whoever writes their first `environments` keeps that state by naming its place.

import { type State, trackedCount } from '../../model/plan/state.ts';
import { countOf } from '../../model/values/words.ts';
import { type Finding, placeOf } from '../../model/workspace/diagnostic.ts';
import { placeName, type StatePlace } from '../../model/workspace/state-place.ts';
import { inBrackets, printString } from '../../yaml/format/print-string.ts';
import { environmentsOf, statesOf } from './neighbours.ts';
import type { Run, Session } from './run.ts';

/**
 * `own` is the environment's state. If it is empty, at most one other place is read, and a failure to read that is not
 * mentioned. Deliveries of an environment to sinks are not copies of other reports.
 */
export async function stateElsewhere(
  run: Run,
  { workspace, loaded: { config, desired } }: Pick<Session, 'workspace' | 'loaded'>,
  own: State | undefined,
): Promise<readonly Finding[]> {
  const environment = config?.environment;
  if (environment === undefined || config === undefined || config.deliver !== undefined) return [];
  if (trackedCount(own) > 0 || desired.resources.length === 0) return [];
  const { root } = workspace;
  const others = await environmentsOf(run, root, config);
  const base = others.find((each) => each.environment === undefined);
  if (base === undefined) return [];
  const { place: shared } = base;
  const taken = [config.state, ...others.flatMap(({ place }) => (place === shared ? [] : place))];
  if (taken.some((place) => placeName(place) === placeName(shared))) return [];
  const [read] = await statesOf(run, root, config, [base]);
  const sharedState = read?.state;
  if (sharedState === undefined || trackedCount(sharedState) === 0) return [];
  if (config.api.baseUrl !== undefined && sharedState.baseUrl !== config.api.baseUrl) return [];
  const { file = 'almanac.yaml' } = config;
  return [
    {
      code: 'state-without-environment',
      message: `${placeName(config.state)} holds no state yet, and ${placeName(shared)}, the state of runs without \`--env\`, tracks ${countOf(trackedCount(sharedState), 'resource')} of ${sharedState.baseUrl}. Everything that is declared would be created a second time.`,
      hint: `If these are to be the same reports, keep that state: write \`state: ${flowText(ownSettings(shared))}\` in \`environments.${environment}\`.`,
      place: placeOf({ file, document: 0, pointer: '' }, 'key', 'environments', environment),
    },
  ];
}

/** Prints a map as YAML on one line. */
function flowText(settings: Readonly<Record<string, string>>): string {
  const entries = Object.entries(settings).map(([key, value]) => `${key}: ${printString(value, inBrackets)}`);
  return `{ ${entries.join(', ')} }`;
}

/** The settings by which an environment gets the place of runs without one; it inherits the rest from `state`. */
function ownSettings(place: StatePlace): Readonly<Record<string, string>> {
  switch (place.backend) {
    case 'git':
      return { branch: place.branch };
    case 's3':
      return { prefix: place.prefix };
    case 'postgres':
      return { name: place.name };
    case 'local':
      return { path: place.path };
  }
}
