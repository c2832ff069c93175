// `almanac drift`: what differs in Omni from what was applied, for a job that runs every night. Changes nothing.

import { renderDriftText } from '../../render/plan/drift-text.ts';
import { renderJson } from '../../render/text/render-json.ts';
import { cronWords } from '../base/cron-words.ts';
import { pageOf } from '../base/page.ts';
import { openSession } from '../base/session.ts';
import type { World } from '../base/world.ts';
import { reportDiagnostics } from '../plan/print-plan.ts';
import { requestProposal } from '../plan/request-proposal.ts';
import type { DriftOptions } from './command.ts';

const withDrift = 2;

export async function drift(world: World, options: DriftOptions): Promise<number> {
  const session = await openSession(world, options);
  const refresh = { depth: options.deep ? 'deep' : 'list', only: true } as const;
  const { document } = await requestProposal(world, options, session, refresh);
  if (options.format === 'json') world.stdout.data(renderJson(document));
  else {
    reportDiagnostics(world, options, document, session.loaded);
    const page = pageOf(world.stdout, world, options);
    world.stdout.write(renderDriftText(document, { ...page, cron: await cronWords(world.clock.now()) }));
  }
  return document.drift.length > 0 ? withDrift : 0;
}
