// The commands that hints and reports advise.

const command =
  /\balmanac (?:plan|apply|drift|validate|status|doctor|import|test|trigger|next|show|who|documents|(?:state|ai) [a-z]+)\b(?![^`\n]* --env )/g;

/**
 * A command that is advised is about the environment of the run that says so: without --env it would be about another
 * state, and perhaps another organization. `environment`: undefined without --env.
 */
export function inEnvironment(text: string, environment: string | undefined): string {
  return environment === undefined ? text : text.replace(command, (found) => `${found} --env ${environment}`);
}
