// The hint below a finding or a failure, in the same form for both, and the commands that it names.

import type { Page } from './field-lines.ts';
import { safeText, wrap } from './terminal-text.ts';

/** `  hint: …`, wrapped; nothing without a hint. */
export function hintLines({ theme, width }: Page, hint: string | undefined): readonly string[] {
  if (hint === undefined) return [];
  const lines = wrap(`hint: ${safeText(hint, { keepNewlines: true })}`, width, '  ');
  return lines.map((line, index) => (index === 0 ? line.replace('hint:', theme.note('hint:')) : line));
}

const command =
  /\balmanac (?:plan|apply|drift|validate|status|doctor|import|test|trigger|next|show|who|(?:state|ai) [a-z]+)\b(?![^`\n]* --env )/g;

/**
 * A command that is advised is about the environment of the run that says so: without --env it would be about another
 * state, and perhaps another organization. `environment`: undefined without --env.
 */
export function inEnvironment(text: string, environment: string | undefined): string {
  return environment === undefined ? text : text.replace(command, (found) => `${found} --env ${environment}`);
}
