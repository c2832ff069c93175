// Whether a run must name its environment. Where it must and does not, whatever reads the state or sends a request is
// refused: without --env it would work on none of the environments.

import { sections } from '../../model/values/address.ts';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import type { Config } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Desired } from '../../model/workspace/resource.ts';
import { entriesOf, readSource } from '../../yaml/raw-document.ts';
import type { Workspace } from '../workspace.ts';

/** Why it must be named. */
type Need = 'required' | 'limited-resources';

/** The run must name its environment, and does not. */
export interface MissingEnvironment {
  readonly need: Need;
  /** The environments that there are. */
  readonly names: readonly string[];
}

/** Undefined where an environment is chosen, or none has to be. */
export function missingEnvironment(
  config: Config,
  { resources }: Pick<Desired, 'resources'>,
): MissingEnvironment | undefined {
  return missing(config, () => resources.some((resource) => resource.in !== undefined));
}

/** The same for a command that does not load the declarations. */
export async function missingEnvironmentAlone(
  workspace: Workspace,
  config: Config,
): Promise<MissingEnvironment | undefined> {
  if (config.environment !== undefined) return undefined;
  // Without environments every `in` is an error, which validate and plan report.
  const isDecided = config.environmentRequired || config.environments.length === 0;
  const paths = isDecided ? [] : await workspace.list(config.sources);
  const byDefaults = config.defaults.some(({ sections: bySection }) => Object.values(bySection).some(limits));
  const isLimited = byDefaults || (await someHoldsLimits(workspace, paths));
  return missing(config, () => isLimited);
}

function missing(config: Config, isLimited: () => boolean): MissingEnvironment | undefined {
  const { environment, environments: names, environmentRequired } = config;
  if (environment !== undefined) return undefined;
  if (environmentRequired) return { need: 'required', names };
  return isLimited() ? { need: 'limited-resources', names } : undefined;
}

/** Throws Failure usage where an environment is missing. */
export function refuseWithoutEnvironment(found: MissingEnvironment | undefined): void {
  if (found !== undefined) throw environmentFailure(found);
}

export function environmentFailure({ need, names }: MissingEnvironment): Failure {
  return new Failure('usage', `${why[need]} Name the environment with --env.`, {
    hint:
      names.length === 0
        ? 'Declare the environments under `environments` in almanac.yaml first.'
        : `Add --env with one of: ${names.join(', ')}.`,
  });
}

const why: Readonly<Record<Need, string>> = {
  required: 'almanac.yaml says `environmentRequired: true`.',
  'limited-resources': 'A resource exists in some environments only (`in`).',
};

async function someHoldsLimits(workspace: Workspace, paths: readonly string[]): Promise<boolean> {
  for (const path of paths) if (await holdsLimits(workspace, path)) return true;
  return false;
}

async function holdsLimits(workspace: Workspace, path: string): Promise<boolean> {
  const read = workspace.read(path);
  // Most files do not mention it, and need not be parsed.
  if ('finding' in read || !/\bin\b["']?\s*:/.test(read.text)) return false;
  const { value: documents } = await readSource({ path, text: read.text });
  return documents.some(({ value }) =>
    sections.some((section) => {
      const defaults = isJsonObject(value) ? value['defaults'] : undefined;
      const declared = entriesOf(isJsonObject(value) ? value[section] : undefined).map(([, resource]) => resource);
      return [...declared, isJsonObject(defaults) ? defaults[section] : undefined].some(limits);
    }),
  );
}

function limits(fields: Json | undefined): boolean {
  return isJsonObject(fields) && Object.hasOwn(fields, 'in');
}
