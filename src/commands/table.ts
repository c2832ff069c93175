// Every command of the program, in the order of the help and with its line there. The code of a command is loaded only
// when it is called, so that a run does not pay for the others.

import type { Equip } from './base/command.ts';

export interface Row {
  /** What follows the name in the help of the program. */
  readonly takes: string;
  readonly words: string;
  readonly hidden?: boolean;
  /** It mails people, so no message suggests it to somebody who wrote another word. */
  readonly delivers?: boolean;
  readonly load: () => Promise<Equip>;
}

export const commandTable: Readonly<Record<string, Row>> = {
  validate: {
    takes: '[options] [paths...]',
    words: 'check every source file, or only the files that you name',
    load: async () => (await import('./validate/command.ts')).equipValidate,
  },
  plan: {
    takes: '[options]',
    words: 'show what would change',
    load: async () => (await import('./plan/command.ts')).equipPlan,
  },
  apply: {
    takes: '[options] [planfile]',
    words: 'carry out the plan, after a confirmation',
    load: async () => (await import('./apply/command.ts')).equipApply,
  },
  drift: {
    takes: '[options]',
    words: 'show what differs in Omni from what was applied; exits with 2 when something does',
    load: async () => (await import('./drift/command.ts')).equipDrift,
  },
  import: {
    takes: '[options]',
    words: 'write declarations for what exists in Omni; changes nothing in Omni',
    load: async () => (await import('./import/command.ts')).equipImport,
  },
  show: {
    takes: '[options] [planfile]',
    words: 'show a saved plan or the state',
    load: async () => (await import('./show/command.ts')).equipShow,
  },
  test: {
    takes: '[options] <address>',
    words: 'deliver a schedule once, now, as it is declared',
    delivers: true,
    load: async () => (await import('./test/command.ts')).equipTest,
  },
  next: {
    takes: '[options] [addresses...]',
    words: 'show the next runs of every schedule, or of the schedules that you name',
    load: async () => (await import('./next/command.ts')).equipNext,
  },
  who: {
    takes: '[options] [patterns...]',
    words: 'show who receives what, and because of what',
    load: async () => (await import('./who/command.ts')).equipWho,
  },
  offboard: {
    takes: '[options] <email>',
    words: 'show what leaves with a person; --write takes their address out of the source files',
    load: async () => (await import('./offboard/command.ts')).equipOffboard,
  },
  status: {
    takes: '[options]',
    words: 'show which deliveries failed, were missed or stopped; exits with 2 when one did',
    load: async () => (await import('./status/command.ts')).equipStatus,
  },
  trigger: {
    takes: '[options] [addresses...]',
    words: 'ask Omni to deliver schedules once, now, as they were applied',
    delivers: true,
    load: async () => (await import('./trigger/command.ts')).equipTrigger,
  },
  documents: {
    takes: '[options]',
    words: 'list the documents of the organization',
    load: async () => (await import('./documents/command.ts')).equipDocuments,
  },
  doctor: {
    takes: '[options]',
    words: 'check that everything is in place for an apply; changes nothing',
    load: async () => (await import('./doctor/command.ts')).equipDoctor,
  },
  state: {
    takes: '',
    words: 'inspect and repair the state',
    load: async () => (await import('./state/command.ts')).equipState,
  },
  ai: {
    takes: '',
    words: 'inspect or cancel an AI job that was started (operations full)',
    load: async () => (await import('./ai/command.ts')).equipAi,
  },
  webhook: {
    takes: '',
    words: 'receive and verify the events of AI jobs',
    load: async () => (await import('./webhook/command.ts')).equipWebhook,
  },
  init: {
    takes: '[options]',
    words: 'create a workspace: configuration, first schedules, CI, editor settings',
    load: async () => (await import('./init/command.ts')).equipInit,
  },
  fold: {
    takes: '[options] [paths...]',
    words: 'make one declaration of many that are alike, and prove that nothing else changes',
    load: async () => (await import('./fold/command.ts')).equipFold,
  },
  fmt: {
    takes: '[options] [paths...]',
    words: 'format source files and almanac.yaml; comments are kept',
    load: async () => (await import('./fmt/command.ts')).equipFormat,
  },
  schema: {
    takes: '[options] [name]',
    words: 'print or write the JSON Schemas for editors and programs',
    load: async () => (await import('./schema/command.ts')).equipSchema,
  },
  emulator: {
    takes: '[options]',
    words: 'run a local double of the service, for trials and tests',
    load: async () => (await import('./emulator/command.ts')).equipEmulator,
  },
  completion: {
    takes: '<shell>',
    words: 'print a script that completes commands, options and addresses in your shell',
    load: async () => (await import('./completion/command.ts')).equipCompletion,
  },
  'complete-words': {
    takes: '[options] <what>',
    words: '',
    hidden: true,
    load: async () => (await import('./completion/command.ts')).equipCompleteWords,
  },
  help: {
    takes: '[command...]',
    words: 'print the help of the program or of a command',
    load: async () => (await import('./help/command.ts')).equipHelp,
  },
};
