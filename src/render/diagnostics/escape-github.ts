// Text inside a workflow command of GitHub Actions (`::error file=…::message`): what would end the command, or begin
// another one, is spelt in percent, as the runner reads it back.

import { safeText } from '../text/terminal-text.ts';

/** The message; line ends are kept. */
export function escapeGithub(text: string): string {
  return safeText(text, { keepNewlines: true }).replaceAll('%', '%25').replaceAll('\n', '%0A');
}

/** The value of a property. */
export function escapeGithubProperty(text: string): string {
  return escapeGithub(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
