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

export interface CommandRow {
  readonly words: string;
  /** Adds its options, and what runs when it is called. */
  readonly define: DefineCommand;
  readonly hidden?: true;
  /** It mails people, so no message suggests it to somebody who wrote another word. */
  readonly delivers?: true;
  /** Options of every command that it refuses, because it is about every environment and its state. */
  readonly refuses?: readonly ('env' | 'state')[];
}

export const commandTable: Readonly<Record<string, CommandRow>> = {
  validate: { words: 'check every source file, or only the files that you name', define: defineValidate },
  plan: { words: 'show what would change', define: definePlan },
  apply: { words: 'carry out the plan, after a confirmation', define: defineApply },
  drift: {
    words: 'show what differs in Omni from what was applied; exits with 2 when something does',
    define: defineDrift,
  },
  import: { words: 'write declarations for what exists in Omni; changes nothing in Omni', define: defineImport },
  show: { words: 'show a saved plan or the state', define: defineShow },
  test: { words: 'deliver a schedule once, now, as it is declared', define: defineTest, delivers: true },
  preview: {
    words: 'save what a schedule would deliver, rendered by Omni; nobody receives it (operations full)',
    define: definePreview,
  },
  prove: {
    words:
      'show whether somebody may see the rows of others, by what Omni renders; exits with 2 if so (operations full)',
    define: defineProve,
  },
  next: { words: 'show the next runs of every schedule, or of the schedules that you name', define: defineNext },
  who: { words: 'show who receives what, and because of what', define: defineWho },
  page: { words: 'write a page for people who never open git: who gets which report, and when', define: definePage },
  offboard: {
    words: 'show what leaves with a person; --write takes their address out of the source files',
    define: defineOffboard,
  },
  status: {
    words: 'show which deliveries failed, were missed or stopped; exits with 2 when one did',
    define: defineStatus,
  },
  trigger: {
    words: 'ask Omni to deliver schedules once, now, as they were applied',
    define: defineTrigger,
    delivers: true,
  },
  list: { words: 'list documents, models, people or user groups, with ids to paste', define: defineList },
  doctor: {
    words: 'check that everything is in place for an apply; changes nothing unless you ask for a probe',
    define: defineDoctor,
  },
  state: { words: 'inspect and repair the state', define: defineState },
  ai: { words: 'inspect or cancel an AI job that was started (operations full)', define: defineAi },
  webhook: { words: 'receive and verify the events of AI jobs', define: defineWebhook },
  init: { words: 'create a workspace: configuration, first schedules, CI, editor settings', define: defineInit },
  fold: {
    words: 'make one declaration of many that are alike, and prove that nothing else changes',
    define: defineFold,
    refuses: ['env', 'state'],
  },
  fmt: {
    words: 'format source files and almanac.yaml; comments are kept',
    define: defineFormat,
    refuses: ['env', 'state'],
  },
  schema: { words: 'print or write the JSON Schemas for editors and programs', define: defineSchema },
  emulator: { words: 'run a local double of the service, for trials and tests', define: defineEmulator },
  completion: {
    words: 'print a script that completes commands, options and addresses in your shell',
    define: defineCompletion,
  },
  ci: { words: 'what the jobs of a CI do around the program', define: defineCi, hidden: true },
  'complete-line': { words: '', define: defineCompleteLine, hidden: true },
  help: { words: 'print the help of the program or of a command', define: defineHelp },
};
