// Every command of the program, in the order of the help. Each row has its line of the help; the code of a command is
// loaded only when the command is called.

import { equipAi } from './ai/ai-command.ts';
import { equipApply } from './apply/apply-command.ts';
import type { DefineCommand } from './base/equip.ts';
import { defineCi } from './ci/ci-command.ts';
import { defineCompleteLine, defineCompletion } from './completion/completion-command.ts';
import { equipDoctor } from './doctor/doctor-command.ts';
import { equipDrift } from './drift/drift-command.ts';
import { equipEmulator } from './emulator/emulator-command.ts';
import { equipFormat } from './fmt/fmt-command.ts';
import { equipFold } from './fold/fold-command.ts';
import { defineHelp } from './help/help-command.ts';
import { equipImport } from './import/import-command.ts';
import { equipInit } from './init/init-command.ts';
import { equipList } from './list/list-command.ts';
import { equipNext } from './next/next-command.ts';
import { equipOffboard } from './offboard/offboard-command.ts';
import { equipPage } from './page/page-command.ts';
import { equipPlan } from './plan/plan-command.ts';
import { equipPreview } from './preview/preview-command.ts';
import { equipProve } from './prove/prove-command.ts';
import { equipSchema } from './schema/schema-command.ts';
import { equipShow } from './show/show-command.ts';
import { equipState } from './state/state-command.ts';
import { equipStatus } from './status/status-command.ts';
import { equipTest } from './test/test-command.ts';
import { equipTrigger } from './trigger/trigger-command.ts';
import { equipValidate } from './validate/validate-command.ts';
import { equipWebhook } from './webhook/webhook-command.ts';
import { equipWho } from './who/who-command.ts';

export interface CommandRow {
  readonly words: string;
  /** Adds its options, and what runs when it is called. */
  readonly equip: DefineCommand;
  readonly hidden?: true;
  /** It mails people, so no message suggests it to somebody who wrote another word. */
  readonly delivers?: true;
  /** Options of every command that it refuses, because it is about every environment and its state. */
  readonly refuses?: readonly ('env' | 'state')[];
}

export const commandTable: Readonly<Record<string, CommandRow>> = {
  validate: { words: 'check every source file, or only the files that you name', equip: equipValidate },
  plan: { words: 'show what would change', equip: equipPlan },
  apply: { words: 'carry out the plan, after a confirmation', equip: equipApply },
  drift: {
    words: 'show what differs in Omni from what was applied; exits with 2 when something does',
    equip: equipDrift,
  },
  import: { words: 'write declarations for what exists in Omni; changes nothing in Omni', equip: equipImport },
  show: { words: 'show a saved plan or the state', equip: equipShow },
  test: { words: 'deliver a schedule once, now, as it is declared', equip: equipTest, delivers: true },
  preview: {
    words: 'save what a schedule would deliver, rendered by Omni; nobody receives it (operations full)',
    equip: equipPreview,
  },
  prove: {
    words:
      'show whether somebody may see the rows of others, by what Omni renders; exits with 2 if so (operations full)',
    equip: equipProve,
  },
  next: { words: 'show the next runs of every schedule, or of the schedules that you name', equip: equipNext },
  who: { words: 'show who receives what, and because of what', equip: equipWho },
  page: { words: 'write a page for people who never open git: who gets which report, and when', equip: equipPage },
  offboard: {
    words: 'show what leaves with a person; --write takes their address out of the source files',
    equip: equipOffboard,
  },
  status: {
    words: 'show which deliveries failed, were missed or stopped; exits with 2 when one did',
    equip: equipStatus,
  },
  trigger: {
    words: 'ask Omni to deliver schedules once, now, as they were applied',
    equip: equipTrigger,
    delivers: true,
  },
  list: { words: 'list documents, models, people or user groups, with ids to paste', equip: equipList },
  doctor: {
    words: 'check that everything is in place for an apply; changes nothing unless you ask for a probe',
    equip: equipDoctor,
  },
  state: { words: 'inspect and repair the state', equip: equipState },
  ai: { words: 'inspect or cancel an AI job that was started (operations full)', equip: equipAi },
  webhook: { words: 'receive and verify the events of AI jobs', equip: equipWebhook },
  init: { words: 'create a workspace: configuration, first schedules, CI, editor settings', equip: equipInit },
  fold: {
    words: 'make one declaration of many that are alike, and prove that nothing else changes',
    equip: equipFold,
    refuses: ['env', 'state'],
  },
  fmt: {
    words: 'format source files and almanac.yaml; comments are kept',
    equip: equipFormat,
    refuses: ['env', 'state'],
  },
  schema: { words: 'print or write the JSON Schemas for editors and programs', equip: equipSchema },
  emulator: { words: 'run a local double of the service, for trials and tests', equip: equipEmulator },
  completion: {
    words: 'print a script that completes commands, options and addresses in your shell',
    equip: defineCompletion,
  },
  ci: { words: 'what the jobs of a CI do around the program', equip: defineCi, hidden: true },
  'complete-line': { words: '', equip: defineCompleteLine, hidden: true },
  help: { words: 'print the help of the program or of a command', equip: defineHelp },
};
