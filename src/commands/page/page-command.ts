// The options of `almanac page`.

import { type EmptyCommand, type OptionsOf, selectors } from '../base/command.ts';
import { defining } from '../base/define-command.ts';

export type PageOptions = OptionsOf<typeof pageCommand>;

function pageCommand(command: EmptyCommand) {
  return command
    .argument(...selectors)
    .option('--out <file>', 'write the page to this file, or with - to stdout', 'almanac.html')
    .option('--status', 'also ask Omni once which deliveries failed (operations full)')
    .option('--mask-recipients', 'name no person: "3 people of acme.com"')
    .option('--force', 'replace a file that is not a page of Almanac')
    .withExample(`
Without --status it sends nothing to Omni and needs no token.

Example: almanac page --mask-recipients --out public/reports.html
Next: the documentation (page) says where the page may be published.`);
}

export const definePage = defining(pageCommand, async () => (await import('./page.ts')).page);
