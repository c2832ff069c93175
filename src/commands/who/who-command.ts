// The options of `almanac who`.

import { selectorForms } from '../../model/values/wildcard.ts';
import { type EmptyCommand, formatOption, type OptionsOf } from '../base/command.ts';
import { defining } from '../base/define-command.ts';
import { wholeNumber } from '../base/option-values.ts';

export type WhoOptions = OptionsOf<typeof whoCommand>;

function whoCommand(command: EmptyCommand) {
  return command
    .argument(
      '[whom...]',
      `an e-mail address, a domain ('*@partner.com'), a Slack id, a host or a bucket; and what delivers: ${selectorForms}`,
    )
    .option('--external', 'leave out the domains of safety.internalDomains')
    .option('--rows', 'which rows each receiver gets: with --format csv the first table of safety.rows')
    .option('--for-audit', 'with --rows --format csv: with the reports of each line, and for a spreadsheet')
    .option('--online', 'also ask Omni for the untracked schedules, and for whom it knows')
    .option('--limit <n>', 'with --online: ask for at most this many schedules, and leave the rest', wholeNumber(1))
    .option('--resume', 'with --online: continue what did not finish')
    .addOption(formatOption(['table', 'csv', 'json']))
    .withExample(`
Without --online it sends nothing to Omni and needs no token.

Example: almanac who '*@partner.com'
Next: almanac offboard ana@example.com shows what leaves with a person.`);
}

export const defineWho = defining(whoCommand, async () => (await import('./who.ts')).who);
