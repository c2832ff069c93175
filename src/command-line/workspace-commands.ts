// The commands of a workspace: what is declared, and what becomes of it.

import { type Command, Option } from 'commander';
import { planFormats, planReportFormats, validateFormats } from '../commands/base/options.ts';
import {
  formatOption,
  instant,
  optionsOf,
  refreshOption,
  reportOption,
  textOrJson,
  wholeNumber,
} from './option-values.ts';
import type { Run } from './run.ts';

export function addWorkspaceCommands(program: Command, run: Run): void {
  const adders = [addValidate, addPlan, addApply, addDrift, addImport, addShow, addTest, addNext];
  for (const add of adders) add(program, run);
}

function addValidate(program: Command, { world, finish }: Run): void {
  checkingOnline(program.command('validate').description('check every source file, or those that are named'))
    .argument('[paths...]', 'files and folders')
    .addOption(formatOption(validateFormats))
    .addOption(reportOption(validateFormats))
    .option('--strict', 'warnings fail as well')
    .action(async (paths: string[], _, command: Command) => {
      const { validate } = await import('../commands/validate/validate.ts');
      finish(await validate(world, optionsOf(command), paths));
    });
}

/** Online checks send requests, so they are asked for. */
function checkingOnline(command: Command): Command {
  return command
    .option('--online', 'also against what there is in Omni')
    .option('--no-cache', 'with --online: ask again for what was asked minutes ago');
}

function addPlan(program: Command, { world, finish }: Run): void {
  checkingOnline(shapingPlan(program.command('plan').description('show what would change')))
    .addOption(formatOption(planFormats))
    .addOption(reportOption(planReportFormats))
    .option('--out <file>', 'save the plan, to be applied as it is')
    .option('--detailed-exitcode', 'exit with 2 where there are changes')
    .action(async (_, command: Command) => {
      const { plan } = await import('../commands/plan/plan.ts');
      finish(await plan(world, optionsOf(command)));
    });
}

function shapingPlan(command: Command): Command {
  return command
    .option('--target <address...>', 'only the changes of these resources')
    .option('--replace <address...>', 'replace these schedules though they did not change')
    .option('--allow-empty', 'nothing declared is meant')
    .addOption(refreshOption())
    .option('--refresh-only', 'bring only the state in line with what there is');
}

function addApply(program: Command, { world, finish }: Run): void {
  shapingPlan(program.command('apply').description('carry out the plan, after a confirmation'))
    .argument('[planfile]', 'what plan --out saved')
    .addOption(textOrJson())
    .option('--auto-approve', 'do not ask')
    .option('--expect <digest>', 'apply only a plan with this digest')
    .option('--allow-orphans', 'leave schedules running that can not be removed')
    .option('--allow-duplicates', 'create schedules beside untracked ones of the same name')
    .option('--allow-http', 'send the token over plain HTTP')
    .option('--force', 'go on though many resources are given up')
    .option('--fail-fast', 'begin nothing more after a failure')
    .option('--max-duration <seconds>', 'refuse a plan that takes longer', wholeNumber(1))
    .option('--max-attempts <n>', 'attempts a request', wholeNumber(1, 100), 5)
    .option('--max-wait <seconds>', 'the longest wait before a repeat', wholeNumber(1), 120)
    .option('--wait', 'follow the AI jobs that were run to their end')
    .option('--wait-timeout <seconds>', 'with --wait: the longest time to follow them', wholeNumber(1), 900)
    .option('--lock-timeout <seconds>', 'wait so long for a lock that is held', wholeNumber(0), 0)
    .action(async (planFile: string | undefined, _, command: Command) => {
      const { apply } = await import('../commands/apply/apply.ts');
      finish(await apply(world, optionsOf(command), planFile));
    });
}

function addDrift(program: Command, { world, finish }: Run): void {
  program
    .command('drift')
    .description('what differs in Omni from what was applied; exits with 2 when something does')
    .addOption(textOrJson())
    .option('--target <address...>', 'only these resources')
    .option('--deep', 'look at the details of all schedules')
    .action(async (_, command: Command) => {
      const { drift } = await import('../commands/drift/drift.ts');
      finish(await drift(world, optionsOf(command)));
    });
}

function addShow(program: Command, { world, finish }: Run): void {
  program
    .command('show')
    .description('show a saved plan, or the state')
    .argument('[planfile]', 'what plan --out saved')
    .addOption(formatOption(planFormats))
    .action(async (planFile: string | undefined, _, command: Command) => {
      const { show } = await import('../commands/show/show.ts');
      finish(await show(world, optionsOf(command), planFile));
    });
}

function addTest(program: Command, { world, finish }: Run): void {
  program
    .command('test')
    .description('send one delivery of a schedule now, as it is declared')
    .argument('<address>', 'such as schedules.weekly-sales')
    .option('--auto-approve', 'do not ask')
    .action(async (address: string, _, command: Command) => {
      const { test } = await import('../commands/test/test.ts');
      finish(await test(world, optionsOf(command), address));
    });
}

function addNext(program: Command, { world, finish }: Run): void {
  program
    .command('next')
    .description('the coming runs of every schedule, or of those that are named')
    .argument('[addresses...]', 'such as schedules.weekly-sales')
    .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json', 'ics']).default('text'))
    .option('--count <n>', 'how many runs of each (5)', wholeNumber(1))
    .option('--days <n>', 'the runs of so many days, with a heat map up to a month', wholeNumber(1, 3660))
    .option('--from <instant>', 'runs after this instant, ISO 8601 (now)', instant)
    .option('--max-per-minute <n>', 'say where more deliveries fall into one minute', wholeNumber(0), 10)
    .action(async (addresses: string[], _, command: Command) => {
      const { next } = await import('../commands/next/next.ts');
      finish(await next(world, optionsOf(command), addresses));
    });
}

function addImport(program: Command, { world, finish }: Run): void {
  program
    .command('import')
    .description('write declarations for what exists in Omni; changes nothing there')
    .addOption(textOrJson())
    .option('--identifier <id...>', 'only these dashboards')
    .option('--dashboards', 'the filter values of the dashboards as well')
    .option('--out <dir>', 'write into this folder (that of the first glob of sources)')
    .option('--write-state', 'record it in the state, in place of adopt entries')
    .option('--resume', 'go on with an import that did not finish')
    .option('--force', 'overwrite files, and drop what an unfinished import has read')
    .action(async (_, command: Command) => {
      const { importCommand } = await import('../commands/import/import.ts');
      finish(await importCommand(world, optionsOf(command)));
    });
}
