// Every command of the program, in the order of the help. Each row has its line of the help; the code of a command is
// loaded only when the command is called.

import { defineAi } from './ai/ai-command.ts';
import { defineApply } from './apply/apply-command.ts';
import type { DefineCommand } from './base/define-command.ts';
import { defineCi } from './ci/ci-command.ts';
import { defineCompleteLine, defineCompletion } from './completion/completion-command.ts';
import { defineDoctor } from './doctor/doctor-command.ts';
import { defineDrift } from './drift/drift-command.ts';
import { defineEmulator } from './emulator/emulator-command.ts';
import { defineFormat } from './fmt/fmt-command.ts';
import { defineFold } from './fold/fold-command.ts';
import { defineHelp } from './help/help-command.ts';
import { defineImport } from './import/import-command.ts';
import { defineInit } from './init/init-command.ts';
import { defineList } from './list/list-command.ts';
import { defineNext } from './next/next-command.ts';
import { defineOffboard } from './offboard/offboard-command.ts';
import { definePage } from './page/page-command.ts';
import { definePlan } from './plan/plan-command.ts';
import { definePreview } from './preview/preview-command.ts';
import { defineProve } from './prove/prove-command.ts';
import { defineSchema } from './schema/schema-command.ts';
import { defineShow } from './show/show-command.ts';
import { defineState } from './state/state-command.ts';
import { defineStatus } from './status/status-command.ts';
import { defineTest } from './test/test-command.ts';
import { defineTrigger } from './trigger/trigger-command.ts';
import { defineValidate } from './validate/validate-command.ts';
import { defineWebhook } from './webhook/webhook-command.ts';
import { defineWho } from './who/who-command.ts';

/** The tasks of a reader, in the order of the help and of docs/README.md. */
export const commandGroups = {
  begin: 'Begin',
  declare: 'Declare reports',
  change: 'Change Omni',
  watch: 'Keep watch',
  people: 'Know who gets what',
  reference: 'Look up',
} as const;

export interface CommandRow {
  readonly words: string;
  readonly group: keyof typeof commandGroups;
  /** Adds its options, and the work that a call runs. */
  readonly define: DefineCommand;
  readonly hidden?: true;
  /** It mails people, so no message suggests it to somebody who wrote another word. */
  readonly delivers?: true;
  /** Global options that it refuses, because it is about every environment and its state. */
  readonly refuses?: readonly ('env' | 'state')[];
}

export const commandTable: Readonly<Record<string, CommandRow>> = {
  init: {
    group: 'begin',
    words: 'create a workspace: configuration, first schedules, CI, editor settings',
    define: defineInit,
  },
  import: {
    group: 'begin',
    words: 'write declarations for what exists in Omni; changes nothing in Omni',
    define: defineImport,
  },
  emulator: {
    group: 'begin',
    words: 'run a local double of the service, for trials and tests',
    define: defineEmulator,
  },
  doctor: {
    group: 'begin',
    words: 'check that everything is in place for an apply; changes nothing unless you ask for a probe',
    define: defineDoctor,
  },
  validate: {
    group: 'declare',
    words: 'check every source file, or only the files that you name',
    define: defineValidate,
  },
  fmt: {
    group: 'declare',
    words: 'format source files and almanac.yaml; comments are kept',
    define: defineFormat,
    refuses: ['env', 'state'],
  },
  fold: {
    group: 'declare',
    words: 'make one declaration of many that are alike, and prove that nothing else changes',
    define: defineFold,
    refuses: ['env', 'state'],
  },
  schema: { group: 'declare', words: 'print or write the JSON Schemas for editors and programs', define: defineSchema },
  list: {
    group: 'declare',
    words: 'list documents, models, people or user groups, with ids to paste',
    define: defineList,
  },
  completion: {
    group: 'declare',
    words: 'print a script that completes commands, options and addresses in your shell',
    define: defineCompletion,
  },
  plan: { group: 'change', words: 'show what would change', define: definePlan },
  apply: { group: 'change', words: 'carry out the plan, after a confirmation', define: defineApply },
  show: { group: 'change', words: 'show a saved plan or the state', define: defineShow },
  state: { group: 'change', words: 'inspect and repair the state', define: defineState },
  test: {
    group: 'change',
    words: 'deliver a schedule once, now, as it is declared',
    define: defineTest,
    delivers: true,
  },
  trigger: {
    group: 'change',
    words: 'ask Omni to deliver schedules once, now, as they were applied',
    define: defineTrigger,
    delivers: true,
  },
  ai: { group: 'change', words: 'inspect or cancel an AI job that was started (operations full)', define: defineAi },
  webhook: { group: 'change', words: 'receive and verify the events of AI jobs', define: defineWebhook },
  drift: {
    group: 'watch',
    words: 'show what differs in Omni from what was applied; exits with 2 when something does',
    define: defineDrift,
  },
  status: {
    group: 'watch',
    words: 'show which deliveries failed, were missed or stopped; exits with 2 when one did',
    define: defineStatus,
  },
  next: {
    group: 'watch',
    words: 'show the next runs of every schedule, or of the schedules that you name',
    define: defineNext,
  },
  preview: {
    group: 'watch',
    words: 'save what a schedule would deliver, rendered by Omni; nobody receives it (operations full)',
    define: definePreview,
  },
  who: { group: 'people', words: 'show who receives what, and because of what', define: defineWho },
  prove: {
    group: 'people',
    words:
      'show whether somebody may see the rows of others, by what Omni renders; exits with 2 if so (operations full)',
    define: defineProve,
  },
  page: {
    group: 'people',
    words: 'write a page for people who never open git: who gets which report, and when',
    define: definePage,
  },
  offboard: {
    group: 'people',
    words: 'show what leaves with a person; --write takes their address out of the source files',
    define: defineOffboard,
  },
  help: { group: 'reference', words: 'print the help of the program or of a command', define: defineHelp },
  ci: { group: 'reference', words: 'what the jobs of a CI do around the program', define: defineCi, hidden: true },
  'complete-line': { group: 'reference', words: '', define: defineCompleteLine, hidden: true },
};
