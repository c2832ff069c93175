// Operations on an AI job that was run: find its id in the state by address, read its status and its result, cancel it.

import { didYouMean } from '../../declare/findings/suggest.ts';
import type { AiJobDocument } from '../../model/plan/apply-outcome.ts';
import type { State } from '../../model/plan/state.ts';
import { groupOf, kindOf } from '../../model/values/address.ts';
import type { Json } from '../../model/values/json.ts';
import { Failure, statusOf } from '../../model/workspace/failure.ts';
import type { Api, CallOptions } from '../../omni/api.ts';
import { dim, indented, messageBlock, strong } from '../../report/doc.ts';
import { printText } from '../../report/print-text.ts';
import type { Page } from '../../report/text/theme.ts';

/** The id of the last run. Throws Failure usage or refused. */
export function jobIdOf({ resources }: State, stateName: string, address: string): string {
  // `almanac ai` is about the jobs of this kind alone, which no other kind has.
  if (kindOf(address) !== 'aiJob') {
    throw new Failure('usage', `${address} is not an AI job.`, {
      hint: 'The address of an AI job begins with aiJobs.',
    });
  }
  const id = resources[address]?.id;
  if (id !== undefined) return id;
  const run = Object.keys(resources).filter((each) => kindOf(each) === 'aiJob');
  const instance = run.find((each) => groupOf(each) === address);
  throw new Failure('refused', `${stateName} has no job for ${address}.`, {
    hint:
      instance !== undefined
        ? `It is a loop: name one of its instances, such as ${instance}.`
        : (didYouMean(address, run) ??
          '`almanac apply` runs the declared jobs; `almanac state list` lists the jobs that were run.'),
  });
}

export async function jobStatus(api: Api, address: string, id: string, options: CallOptions): Promise<AiJobDocument> {
  return { formatVersion: 1, address, id, ...(await api.getAiJob(id, options)) };
}

/** Throws Failure refused if there is no result yet, or if it has expired. */
export async function jobResult(api: Api, address: string, id: string, options: CallOptions): Promise<AiJobDocument> {
  const status = await jobStatus(api, address, id, options);
  if (status.state !== 'COMPLETE') {
    throw new Failure('refused', `${address} is ${status.state}. It has a result only when it is COMPLETE.`, {
      hint: `\`almanac ai status ${address}\` shows more.`,
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

/** The status of the job after the cancel request. */
export async function cancelJob(api: Api, address: string, id: string, options: CallOptions): Promise<AiJobDocument> {
  await api.cancelAiJob(id, options);
  return jobStatus(api, address, id, options);
}

/** Ends with a newline. */
export function renderAiJob(document: AiJobDocument, page: Page): string {
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
  const found = [result['resultSummary'], result['message'], summary].find((text) => typeof text === 'string');
  return typeof found === 'string' ? found : undefined;
}
