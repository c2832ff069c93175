// `almanac ai status|result|cancel ADDRESS`: an AI job that was run, by the id that the state holds.

import type { AiJobDocument } from '../../model/plan/apply-outcome.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { safeText } from '../../report/text/terminal-text.ts';
import type { Page } from '../../report/text/theme.ts';
import { checkSameOrganization, currentState, requireState } from '../../state/current-state.ts';
import { progressReporter } from '../base/progress.ts';
import type { Run } from '../base/run.ts';
import type { AiOptions } from './ai-command.ts';
import { cancelJob, jobIdOf, jobResult, jobStatus, renderAiJob } from './ai-job.ts';

const actions = { status: jobStatus, result: jobResult, cancel: cancelJob } as const;

export async function ai(run: Run, options: AiOptions, action: keyof typeof actions, address: string): Promise<number> {
  // The declarations may have errors or be gone. They are read for the secrets that an answer must not repeat.
  const session = await run.configured();
  const { config } = session;
  const store = await run.store(session);
  if (config.api.operations !== 'full') {
    throw new Failure('usage', 'With operations core, an AI job can be started but not inspected or cancelled.', {
      hint: 'Set `api: { operations: full }` in almanac.yaml.',
    });
  }
  const state = requireState(currentState(await store.read(), store.name), store.name);
  const id = jobIdOf(state, store.name, address);
  checkSameOrganization(state, config.api.baseUrl, store.name);
  const reporter = progressReporter(run, session.shown);
  return run.asking({ ...session, reporter }, async (service) => {
    const document = session.shown(await actions[action](await service.api(), address, id, service.call));
    run.print(options.format, document, (page) => textOf(page, action, document));
    return 0;
  });
}

function textOf(page: Page, action: keyof typeof actions, document: AiJobDocument): string {
  if (action === 'cancel') return `${cancelWords(document)}\n`;
  return renderAiJob(document, page);
}

function cancelWords({ address, state }: AiJobDocument): string {
  if (state === 'CANCELLED') return `${safeText(address)} is cancelled.`;
  if (state === 'COMPLETE' || state === 'FAILED')
    return `${safeText(address)} had already ended as ${state}; nothing was cancelled.`;
  return `${safeText(address)} was asked to stop; it stops after its current step.`;
}
