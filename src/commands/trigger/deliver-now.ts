// What `trigger` and `status --retry` share: the confirmation and the deliveries.

import { withService } from '../../engine/service/service.ts';
import type { Target } from '../../engine/trigger/choose-triggers.ts';
import { trigger } from '../../engine/trigger/trigger.ts';
import type { TriggeredSchedule } from '../../model/deliveries/trigger-document.ts';
import type { StateStore } from '../../ports/state-store.ts';
import { countOf } from '../../render/text/count-words.ts';
import { safeText } from '../../render/text/terminal-text.ts';
import { renderTargets } from '../../render/trigger/trigger-text.ts';
import type { GlobalOptions } from '../base/command.ts';
import { noTerminal, requireConfirmed } from '../base/confirm.ts';
import { pageOf } from '../base/page.ts';
import { progressReporter } from '../base/progress.ts';
import { serviceOptions } from '../base/service-options.ts';
import type { Session } from '../base/session.ts';
import type { World } from '../base/world.ts';

interface DeliverOptions extends GlobalOptions {
  readonly autoApprove?: true | undefined;
  readonly max: number;
  /** Milliseconds. */
  readonly ifStale?: number | undefined;
}

interface Asked {
  readonly session: Session;
  readonly store: StateStore;
  readonly addresses: readonly string[];
  readonly select?: readonly string[] | undefined;
}

/** What became of each; the caller shows it. */
export async function deliverNow(
  world: World,
  options: DeliverOptions,
  { session: { loaded, shown }, store, addresses, select }: Asked,
): Promise<readonly TriggeredSchedule[]> {
  checkCanAsk(world, options);
  const { clock, randomness, signal, version: toolVersion } = world;
  const { ifStale, max } = options;
  const reporter = progressReporter(world, options, shown);
  const confirm = (targets: readonly Target[]) => confirmed(world, options, loaded.config?.api.baseUrl ?? '', targets);
  try {
    return await withService(serviceOptions(world, loaded, reporter), (service) =>
      trigger(
        { loaded, addresses, select, ifStale, max },
        { store, service, clock, randomness, toolVersion, signal, reporter, confirm },
      ),
    );
  } finally {
    reporter.end();
  }
}

/** Throws Failure usage. Call it before any work. */
export function checkCanAsk(world: World, { autoApprove }: Pick<DeliverOptions, 'autoApprove'>): void {
  if (autoApprove || world.asker() !== undefined) return;
  throw noTerminal('nothing was sent', 'Use --auto-approve if the recipients may receive it.');
}

async function confirmed(
  world: World,
  options: DeliverOptions,
  baseUrl: string,
  targets: readonly Target[],
): Promise<void> {
  if (!options.quiet || !options.autoApprove)
    world.stderr.write(renderTargets(pageOf(world.stderr, world, options), targets));
  if (options.autoApprove) return;
  const question = `\nDeliver ${countOf(targets.length, 'schedule')} now, from ${safeText(baseUrl)}?`;
  await requireConfirmed(world, question, { what: 'The deliveries were', nothing: 'nothing was sent' });
}
