// What stands below the help of every command: an example, and what comes after it.

import type { Command } from 'commander';

/** By path; the program itself is the empty one. */
const nextSteps: Readonly<Record<string, string>> = {
  '': `Begin with
  almanac init        a workspace with a first schedule
  almanac validate    check what you wrote
  almanac plan        see what it would change; sends no request
  almanac apply       carry it out
almanac help COMMAND says more of each, with examples.`,
  validate: `Example: almanac validate schedules/sales.yaml
Next: almanac plan shows what the files would change.`,
  plan: `Example: almanac plan --target schedules.weekly-sales
Next: almanac apply carries it out;
almanac apply --expect DIGEST only if it is still this plan.`,
  apply: `Example: almanac apply --target schedules.weekly-sales
Next: commit the state. almanac plan is empty now,
and almanac next says when things run.`,
  drift: `Example: almanac drift --deep
Next: almanac apply --refresh undoes what others changed;
almanac apply --refresh-only keeps it.`,
  documents: `Example: almanac documents --label finance --format yaml
Next: put what it prints into a source file, and run almanac validate --online.`,
  import: `Example: almanac import --identifier 12db1a0a
Next: almanac plan shows what is adopted;
almanac apply records it, without a request.`,
  show: `Example: almanac show plan.json
Next: almanac apply plan.json applies exactly it.`,
  test: `Example: almanac test schedules.weekly-sales
Next: look at what arrived. almanac apply makes it come on its schedule.`,
  ai: `Example: almanac ai status aiJobs.quarter-summary
Next: almanac ai result ADDRESS prints what a complete one answered.`,
  'ai status': `Example: almanac ai status aiJobs.quarter-summary
Next: almanac ai result ADDRESS once it is COMPLETE,
or almanac ai cancel ADDRESS.`,
  'ai result': `Example: almanac ai result aiJobs.quarter-summary --format json
Next: change the declaration, and almanac apply runs it once more.`,
  'ai cancel': `Example: almanac ai cancel aiJobs.quarter-summary
Next: almanac ai status ADDRESS says whether it ended before.`,
  webhook: `Example: almanac webhook listen --port 4020
Next: almanac apply, with an AI job whose webhookUrl leads there.`,
  'webhook listen': `Example: almanac webhook listen --port 4020 --forward http://127.0.0.1:3000/omni
Next: almanac apply, with an AI job whose webhookUrl leads there.`,
  'webhook verify': `Example: almanac webhook verify body.json --signature HEX --timestamp 1760000000
Next: verifyWebhook of the package does the same in a handler of yours.`,
  next: `Example: almanac next --days 7
Next: almanac next --days 30 --format ics > deliveries.ics, for a calendar.`,
  init: `Example: almanac init --destination email slack --ci github --editor vscode
Next: change schedules/first.yaml, and run almanac validate.`,
  fmt: `Example: almanac fmt --check
Next: almanac validate checks what the files say.`,
  schema: `Example: almanac schema --workspace --out .almanac/resources.schema.json
Next: name it in the first line of a file:
# yaml-language-server: $schema=../.almanac/resources.schema.json`,
  state: `Example: almanac state list
Next: almanac state show ADDRESS says what was applied last.`,
  'state list': `Example: almanac state list
Next: almanac state show ADDRESS.`,
  'state show': `Example: almanac state show schedules.weekly-sales
Next: almanac plan shows where the declarations differ from it.`,
  'state orphans': `Example: almanac state orphans
Next: remove them in Omni, then almanac state orphans --clear ID.`,
  'state mv': `Example: almanac state mv schedules.weekly schedules.weekly-sales
Next: give the declaration the same key; almanac plan is empty then.`,
  'state rm': `Example: almanac state rm schedules.weekly-sales
Next: take the declaration out as well, or almanac plan creates it again.`,
  'state pull': `Example: almanac state pull > copy.json
Next: almanac state push FILE puts one back.`,
  'state resolve': `Example: almanac state resolve schedules.weekly-sales --retry
Next: almanac plan.`,
  'state unlock': `Example: almanac state unlock
Next: almanac plan shows what is left to do.`,
  'state push': `Example: almanac state push errored.state.json
Next: almanac plan, which should show nothing that was applied.`,
  emulator: `Example: almanac emulator --operations full
Next: in another terminal set OMNI_BASE_URL and OMNI_API_TOKEN
to what it prints, and run almanac apply.`,
  help: `Example: almanac help state list
Next: almanac init begins a workspace.`,
  completion: `Example: source <(almanac completion bash)
Next: put that line into ~/.bashrc;
for zsh and fish the script says where it goes.`,
};

export function addNextSteps(program: Command): void {
  const add = (command: Command, path: string): void => {
    const words = nextSteps[path];
    if (words !== undefined) command.addHelpText('after', `\n${words}`);
    for (const child of command.commands) add(child, path === '' ? child.name() : `${path} ${child.name()}`);
  };
  add(program, '');
}
