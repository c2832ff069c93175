// The commands that hints and reports advise.

import { shellWord } from '../../model/values/words.ts';

const command =
  /\balmanac (?:plan|apply|drift|validate|status|doctor|import|test|trigger|next|show|who|documents|(?:state|ai) [a-z]+)\b(?![^`\n]* --env )/g;

/**
 * A command that is advised is about the environment of the run that says so: without --env it would be about another
 * state, and perhaps another organization. `environment`: undefined without --env.
 */
export function inEnvironment(text: string, environment: string | undefined): string {
  return environment === undefined ? text : text.replace(command, (found) => `${found} --env ${environment}`);
}

/** What decides which state a command is about. */
interface SameState {
  readonly chdir?: string | undefined;
  readonly config?: string | undefined;
  readonly env?: string | undefined;
  readonly state?: string | undefined;
}

/** A whole command, about the same state as the run with these options. */
export function inSameRun(command: string, { chdir, config, env, state }: SameState): string {
  const options = Object.entries({ chdir, config, env, state });
  return [command, ...options.map(([name, value]) => value !== undefined && `--${name} ${shellWord(value)}`)]
    .filter(Boolean)
    .join(' ');
}
