// `--online` of validate and plan: checks the declarations against the service, and adds what it finds.

import type { Loaded } from '../../engine/load/load.ts';
import type { Service } from '../../engine/service/service.ts';
import { countOf } from '../../render/text/count-words.ts';
import { judgeFindings } from '../../validate/checks/judge-findings.ts';
import type { OnlineFlags } from './command.ts';
import type { Run } from './run.ts';

/** Without --online, the declarations as they are. */
export async function withOnlineFindings(
  { stderr, options: { verbose } }: Run,
  { online }: OnlineFlags,
  loaded: Loaded,
  service: Service,
): Promise<Loaded> {
  if (!online) return loaded;
  const { checkOnline } = await import('../../engine/service/online.ts');
  const { findings, requests } = await checkOnline({ loaded, service });
  if (verbose) stderr.write(`Online checks: ${countOf(requests, 'request')}.\n`);
  return { ...loaded, findings: [...loaded.findings, ...judgeFindings(findings, loaded)] };
}
