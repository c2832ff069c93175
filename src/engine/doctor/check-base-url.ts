// Which organization an apply would reach, who says so, and whether a change of the files could name another one.

import type { State } from '../../model/plan/state.ts';
import type { Config } from '../../model/workspace/config.ts';
import { type BaseUrlSource, baseUrlVariable, type LoadedConfig } from '../load/load-config.ts';
import { noBaseUrl } from '../service/service.ts';
import { checkSameOrganization } from '../state/current-state.ts';
import { attempt } from './attempt.ts';
import { baseUrlError } from './check-configuration.ts';
import { failed, failedBy, passed, type Verdict, warned } from './verdict.ts';

export interface BaseUrlFacts {
  readonly settings: LoadedConfig;
  readonly config: Config;
  readonly state: State | undefined;
  readonly stateName: string;
  /** Whether OMNI_BASE_URL is set. */
  readonly isPinned: boolean;
  /** The environment chosen with --env. */
  readonly environmentName: string | undefined;
}

export async function checkBaseUrl(facts: BaseUrlFacts): Promise<Verdict> {
  const { settings, config, state, stateName, isPinned } = facts;
  const wrong = baseUrlError(settings.findings);
  if (wrong !== undefined) return failed(wrong.message, wrong.hint);
  const { baseUrl } = config.api;
  if (baseUrl === undefined) return failedBy(noBaseUrl());
  const same = await attempt(() => checkSameOrganization(state, baseUrl, stateName));
  if ('failure' in same) return failedBy(same.failure);
  const from = sourceWords(settings.baseUrlFrom ?? 'file', facts);
  const ofState = state === undefined ? '' : ', the organization of the state';
  const where = `${baseUrl}${ofState}, from ${from}`;
  if (settings.baseUrlFrom === 'variable') return passed(`${where}.`);
  if (isPinned) return passed(`${where}, pinned by ${baseUrlVariable}.`);
  return warned(
    `${where}. Nothing pins it, so whoever changes that file decides where the token is sent.`,
    `Set ${baseUrlVariable} to the same URL beside the token.`,
  );
}

function sourceWords(from: BaseUrlSource, { config, environmentName }: BaseUrlFacts): string {
  if (from === 'variable') return baseUrlVariable;
  const file = config.file ?? 'almanac.yaml';
  return from === 'environment' ? `${file} (environment ${environmentName})` : file;
}
