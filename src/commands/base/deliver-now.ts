// Asks Omni to deliver schedules once, now, after a confirmation that says to whom: for `trigger`, and for
// `status --retry`.

import type { Target } from '../../apply/trigger/choose-triggers.ts';
import { trigger } from '../../apply/trigger/trigger.ts';
import type { TriggeredSchedule } from '../../model/deliveries.ts';
import { countOf } from '../../model/values/words.ts';
import { renderTargets } from '../../report/trigger-text.ts';
import type { StateStore } from '../../state/state-store.ts';
import { noTerminal, requireConfirmed } from './asking.ts';
import type { GlobalOptions } from './command.ts';
import { progressReporter } from './progress.ts';
import type { Run, Session } from './run.ts';

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

/** With the confirmation. What became of each; the caller shows it. */
export async function deliverNow(
  run: Run,
  options: DeliverOptions,
  { session: { loaded, shown }, store, addresses, select }: Asked,
): Promise<readonly TriggeredSchedule[]> {
  checkCanAsk(run, options);
  const { ifStale, max } = options;
  const confirm = (targets: readonly Target[]) => confirmed(run, options, loaded.config?.api.baseUrl ?? '', targets);
  return run.asking({ loaded, reporter: progressReporter(run, shown) }, (service, reporter) =>
    trigger({ loaded, addresses, select, ifStale, max }, { ...run, store, service, reporter, confirm }),
  );
}

/** Throws Failure usage. Call it before any work. */
export function checkCanAsk(run: Run, { autoApprove }: Pick<DeliverOptions, 'autoApprove'>): void {
  if (autoApprove || run.asker() !== undefined) return;
  throw noTerminal('nothing was sent', 'Use --auto-approve if the recipients may receive it.');
}

async function confirmed(
  run: Run,
  options: DeliverOptions,
  baseUrl: string,
  targets: readonly Target[],
): Promise<void> {
  if (!options.quiet || !options.autoApprove) run.stderr.write(renderTargets(run.page(run.stderr), targets));
  if (options.autoApprove) return;
  const question = `\nDeliver ${countOf(targets.length, 'schedule')} now, from ${baseUrl}?`;
  await requireConfirmed(run, question, { what: 'The deliveries were', nothing: 'nothing was sent' });
}
