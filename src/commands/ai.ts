// `almanac ai status|result|cancel ADDRESS`: an AI job that was run, by the id that the state holds.

import { cancelJob, jobIdOf, jobResult, jobStatus } from '../engine/ai-job.ts';
import { answerWithheld, knowsSecrets, withoutWords, wordsWithheld } from '../engine/answer-secrets.ts';
import { checkSameOrganization, currentState, requireState } from '../engine/current-state.ts';
import { invalidWorkspace } from '../engine/invalid-workspace.ts';
import { secretsOf } from '../engine/seal.ts';
import type { AiJobDocument } from '../model/ai-job-document.ts';
import { Failure } from '../model/failure.ts';
import { renderAiJob } from '../render/ai-job-text.ts';
import { renderJson } from '../render/plan-json.ts';
import { safeText } from '../render/terminal-text.ts';
import { lookConnection } from './look-connection.ts';
import type { GlobalOptions, TextOrJson } from './options.ts';
import { pageOf } from './page.ts';
import { progressReporter } from './progress.ts';
import { openSession, openState } from './session.ts';
import type { World } from './world.ts';

export interface AiOptions extends GlobalOptions {
  readonly format: TextOrJson;
}

const actions = { status: jobStatus, result: jobResult, cancel: cancelJob } as const;

export async function ai(
  world: World,
  options: AiOptions,
  action: keyof typeof actions,
  address: string,
): Promise<number> {
  // The declarations may have errors, or be gone; they are read for the secrets that an answer may not repeat.
  const session = await openSession(world, options);
  const { config, desired, findings } = session.loaded;
  if (config === undefined) throw invalidWorkspace('The configuration has errors.', findings, session.loaded);
  const store = await openState(world, options, session);
  if (config.api.operations !== 'full') {
    throw new Failure('usage', 'With operations core an AI job can be started, but not looked at or cancelled.', {
      hint: 'Set `api: { operations: full }` in almanac.yaml.',
    });
  }
  const state = requireState(currentState(await store.read(), store.name), store.name);
  const id = jobIdOf(state, store.name, address);
  checkSameOrganization(state, config.api.baseUrl, store.name);
  const isShowable = await knowsSecrets(state, desired, address);
  if (!isShowable && action === 'result') throw answerWithheld(state, address);
  const reporter = progressReporter(world, options);
  const connection = lookConnection(world, config, reporter);
  try {
    const { signal } = world;
    const told = await actions[action](await connection.open(), address, id, { signal, secrets: secretsOf(desired) });
    const document = isShowable ? told : withoutWords(told);
    if (!isShowable && action === 'status') reporter.emit({ type: 'note', message: wordsWithheld });
    world.stdout.write(options.format === 'json' ? renderJson(document) : textOf(world, options, action, document));
    return 0;
  } finally {
    reporter.end();
    await connection.close();
  }
}

function textOf(world: World, options: AiOptions, action: keyof typeof actions, document: AiJobDocument): string {
  if (action === 'cancel') return `${cancelWords(document)}\n`;
  return renderAiJob(document, pageOf(world.stdout, world, options));
}

function cancelWords({ address, state }: AiJobDocument): string {
  if (state === 'CANCELLED') return `${safeText(address)} is cancelled.`;
  if (state === 'COMPLETE' || state === 'FAILED')
    return `${safeText(address)} had ended already, as ${state}; nothing was cancelled.`;
  return `${safeText(address)} was asked to end; it does so after the step that it is at.`;
}
