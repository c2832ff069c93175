// `almanac drift`: what differs in Omni from what was applied, for a job that runs every night. Changes nothing.

import { renderDriftText } from '../render/drift-text.ts';
import { renderJson } from '../render/plan-json.ts';
import { cronWords } from './cron-words.ts';
import { makeProposal } from './make-proposal.ts';
import type { GlobalOptions, TextOrJson } from './options.ts';
import { pageOf } from './page.ts';
import { tellDiagnostics } from './print-plan.ts';
import { openSession } from './session.ts';
import type { World } from './world.ts';

export interface DriftOptions extends GlobalOptions {
  readonly format: TextOrJson;
  readonly target?: readonly string[];
  readonly deep?: boolean;
}

const withDrift = 2;

export async function drift(world: World, options: DriftOptions): Promise<number> {
  const session = await openSession(world, options);
  const refresh = { depth: options.deep ? 'deep' : 'list', only: true } as const;
  const { document } = await makeProposal(world, options, session, refresh);
  if (options.format === 'json') world.stdout.write(renderJson(document));
  else {
    tellDiagnostics(world, options, document, session.loaded);
    const page = pageOf(world.stdout, world, options);
    world.stdout.write(renderDriftText(document, { ...page, cron: await cronWords(world.clock.now()) }));
  }
  return document.drift.length > 0 ? withDrift : 0;
}
