// Requests a list: with the workspace's token, or without a workspace.

import { refuseWithoutEnvironment } from '../../declare/load/missing-environment.ts';
import { invalidWorkspace } from '../../declare/load/refuse-errors.ts';
import { countOf } from '../../model/values/words.ts';
import type { Config } from '../../model/workspace/config.ts';
import type { Service } from '../../observe/service.ts';
import { progressReporter } from '../base/progress.ts';
import type { Run, Session } from '../base/run.ts';

interface ListQuestion {
  readonly config: Config;
  readonly shown: Session['shown'];
}

/** The declarations may have errors: they are read for the secrets that an answer must not repeat. */
export async function askingOmni(
  run: Run,
  { verbose }: { readonly verbose?: boolean | undefined },
  ask: (service: Service, question: ListQuestion) => Promise<void>,
): Promise<number> {
  const { loaded, shown } = await run.loadAnywhere();
  const { config, findings, missingEnvironment } = loaded;
  refuseWithoutEnvironment(missingEnvironment);
  if (config === undefined) throw invalidWorkspace('The configuration has errors.', findings, loaded);
  return run.asking({ loaded, reporter: progressReporter(run, shown) }, async (service) => {
    await ask(service, { config, shown });
    if (verbose) run.stderr.write(`${countOf(service.sent(), 'request')}.\n`);
    return 0;
  });
}
