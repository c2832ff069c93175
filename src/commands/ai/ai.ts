// `almanac ai status|result|cancel ADDRESS`: an AI job that was run, by the id that the state holds.

import type { Loaded } from '../../declare/load/load.ts';
import type { AiJobDocument } from '../../model/plan/apply-outcome.ts';
import type { State } from '../../model/plan/state.ts';
import { type Address, kindAt } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { type Json, stringIn } from '../../model/values/json.ts';
import { Failure, statusOf } from '../../model/workspace/failure.ts';
import type { Api, CallOptions } from '../../omni/api.ts';
import { choiceAmong, resolveOne } from '../../plan/select.ts';
import { dim, indented, messageBlock, strong } from '../../report/doc.ts';
import { printText } from '../../report/print-text.ts';
import { safeText } from '../../report/text/terminal-text.ts';
import type { Page } from '../../report/text/theme.ts';
import { checkSameOrganization, readState, requireState } from '../../state/current-state.ts';
import { progressReporter } from '../base/progress.ts';
import type { Run } from '../base/run.ts';
import type { AiOptions } from './ai-command.ts';

const actions = { status: jobStatus, result: jobResult, cancel: cancelJob } as const;

export async function ai(run: Run, options: AiOptions, action: keyof typeof actions, word: string): Promise<number> {
  // The declarations may have errors or be gone. They are read for the secrets that an answer must not repeat.
  const session = await run.configured();
  const { config } = session;
  const store = await run.store(session);
  if (config.api.operations !== 'full') {
    throw new Failure('usage', 'With operations core, an AI job can be started but not inspected or cancelled.', {
      hint: 'Set `api: { operations: full }` in almanac.yaml.',
    });
  }
  const state = requireState((await readState(store)).state, store.name);
  const { address, id } = jobOf(session.loaded, state, word);
  checkSameOrganization(state, config.api.baseUrl, store.name);
  const reporter = progressReporter(run, session.shown);
  return run.asking({ ...session, reporter }, async (service) => {
    const document = session.shown(await actions[action](await service.api(), address, id, service.call));
    run.print(options.format, document, (page) => renderAction(page, action, document));
    return 0;
  });
}

function renderAction(page: Page, action: keyof typeof actions, document: AiJobDocument): string {
  if (action === 'cancel') return `${cancelWords(document)}\n`;
  return renderAiJob(document, page);
}

function cancelWords({ address, state }: AiJobDocument): string {
  if (state === 'CANCELLED') return `${safeText(address)} is cancelled.`;
  if (state === 'COMPLETE' || state === 'FAILED')
    return `${safeText(address)} had already ended as ${state}; nothing was cancelled.`;
  return `${safeText(address)} was asked to stop; it stops after its current step.`;
}

/** The last run of a job. Throws Failure usage. */
function jobOf(loaded: Loaded, state: State, word: string): { readonly address: Address; readonly id: string } {
  // `almanac ai` is only about the jobs of this kind.
  const isJob = (address: Address) => kindAt(address) === 'aiJob';
  const run = new Map(
    Object.entries(state.resources).flatMap(([each, { id }]) => (isJob(each) && id !== undefined ? [[each, id]] : [])),
  );
  const whyNot = (each: Address) =>
    isJob(each)
      ? { why: 'has not run', hint: `\`${command('apply')}\` runs it.` }
      : { why: 'is not an AI job', hint: 'The address of an AI job begins with aiJobs.' };
  const address = resolveOne(word, choiceAmong(run.keys(), { loaded, state, whyNot, nothing: 'has not run' }));
  return { address, id: run.get(address) as string };
}

async function jobStatus(api: Api, address: string, id: string, options: CallOptions): Promise<AiJobDocument> {
  return { formatVersion: 1, address, id, ...(await api.getAiJob(id, options)) };
}

/** Throws Failure refused if there is no result yet, or if it has expired. */
async function jobResult(api: Api, address: string, id: string, options: CallOptions): Promise<AiJobDocument> {
  const status = await jobStatus(api, address, id, options);
  if (status.state !== 'COMPLETE') {
    throw new Failure('refused', `${address} is ${status.state}. It has a result only when it is COMPLETE.`, {
      hint: `\`${command('ai status', address)}\` shows more.`,
    });
  }
  try {
    return { ...status, result: await api.getAiJobResult(id, options) };
  } catch (cause) {
    if (statusOf(cause) !== 404) throw cause;
    const hint = 'The service keeps results for 14 days. The chat of the job may still show it.';
    throw new Failure('refused', `The result of ${address} is no longer there.`, { hint, cause });
  }
}

async function cancelJob(api: Api, address: string, id: string, options: CallOptions): Promise<AiJobDocument> {
  await api.cancelAiJob(id, options);
  return jobStatus(api, address, id, options);
}

function renderAiJob(document: AiJobDocument, page: Page): string {
  const { address, id, state, progress, error, resultSummary, omniChatUrl, result } = document;
  return printText(
    [
      [strong(address), ` is ${state} `, dim(`(id ${id})`)],
      messageBlock(progress?.message),
      messageBlock([error?.message, error?.detail].filter((text) => text !== undefined).join(': ')),
      messageBlock(result === undefined ? resultSummary : answerIn(result, resultSummary)),
      omniChatUrl !== undefined && indented(2, omniChatUrl),
    ],
    page,
  );
}

function answerIn(result: Readonly<Record<string, Json>>, summary: string | undefined): string | undefined {
  return stringIn(result['resultSummary']) ?? stringIn(result['message']) ?? summary;
}
