// The options of `almanac who`.

import { type Bare, formatOption, type OptionsOf, type Run, selecting } from '../base/command.ts';

export type WhoOptions = OptionsOf<typeof whoCommand>;

function whoCommand(command: Bare) {
  return command
    .argument('[patterns...]', "an e-mail address, a domain ('*@partner.com'), a Slack id, a host or a bucket")
    .addOption(selecting('report'))
    .option('--external', 'leave out the domains of safety.internalDomains')
    .addOption(formatOption(['table', 'csv', 'json']))
    .addHelpText(
      'after',
      `
It sends nothing to Omni and needs no token.

Example: almanac who '*@partner.com'
Next: almanac offboard ana@example.com shows what leaves with a person.`,
    );
}

export function equipWho(command: Bare, { world, finish }: Run): void {
  whoCommand(command).action(async (patterns, _, self) => {
    const { who } = await import('./who.ts');
    finish(await who(world, self.optsWithGlobals(), patterns));
  });
}
