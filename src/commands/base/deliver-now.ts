// Asks Omni to deliver schedules once, now, after a confirmation. The question names the recipients, and each
// delivery's outcome is printed. Serves `trigger` and `status --retry`.

import { type TriggerTarget, trigger } from '../../apply/trigger.ts';
import { isDelivered, type TriggeredSchedule, type TriggerStatus } from '../../apply/trigger-document.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';
import { countKinds, kindAt } from '../../model/values/address.ts';
import { countOf, nameSome } from '../../model/values/words.ts';
import { fewOf, indented, joined, strong } from '../../report/doc.ts';
import { printText } from '../../report/print-text.ts';
import type { Page } from '../../report/text/theme.ts';
import type { StateStore } from '../../state/state-store.ts';
import type { GlobalOptions } from './command.ts';
import { noTerminal, requireConfirmed } from './confirm.ts';
import { progressReporter } from './progress.ts';
import type { Run, Session } from './run.ts';
import { isCi } from './world.ts';

interface DeliverOptions extends GlobalOptions {
  readonly autoApprove?: true | undefined;
  readonly max: number;
  /** Milliseconds. */
  readonly ifStale?: number | undefined;
}

interface DeliveryInput {
  readonly session: Session;
  readonly store: StateStore;
  readonly selectors: readonly string[];
  /** All schedules that Omni has, if they were listed before. */
  readonly listed?: readonly ListedSchedule[];
}

/** Delivers after the confirmation and returns each delivery's outcome, which the caller prints. */
export async function deliverNow(
  run: Run,
  options: DeliverOptions,
  { session: { loaded, shown }, store, selectors, listed }: DeliveryInput,
): Promise<readonly TriggeredSchedule[]> {
  const { ifStale, max } = options;
  const confirm = (targets: readonly TriggerTarget[]) =>
    confirmed(run, options, loaded.config?.api.baseUrl ?? '', targets);
  return run.asking({ loaded, reporter: progressReporter(run, shown) }, (service, reporter) =>
    trigger(
      { loaded, selectors, onlyWhole: isCi(run.environment), ifStale, max, listed: listed && { schedule: listed } },
      { ...run, store, service, reporter, confirm, isAsked: options.autoApprove !== true },
    ),
  );
}

export function checkCanAsk(run: Run, { autoApprove }: Pick<DeliverOptions, 'autoApprove'>): void {
  if (autoApprove || run.asker() !== undefined) return;
  throw noTerminal('nothing was sent', 'Use --auto-approve if the recipients may receive it.');
}

async function confirmed(
  run: Run,
  options: DeliverOptions,
  baseUrl: string,
  targets: readonly TriggerTarget[],
): Promise<void> {
  // Errors in the request have been reported by now.
  checkCanAsk(run, options);
  if (!options.quiet || !options.autoApprove) run.stderr.write(renderTargets(run.page(run.stderr), targets));
  if (options.autoApprove) return;
  const question = `\nDeliver ${countTargets(targets)} now, from ${baseUrl}?`;
  await requireConfirmed(run, question, { what: 'The deliveries were', nothing: 'nothing was sent' });
}

function countTargets(targets: readonly TriggerTarget[]): string {
  return countKinds(targets.map(({ address }) => kindAt(address)));
}

/** The list of targets for the person who confirms; ends with a newline. With -v all recipients are named. */
function renderTargets(page: Page, targets: readonly TriggerTarget[]): string {
  const everybody = new Set(targets.flatMap(({ to }) => to)).size;
  const head = `${countTargets(targets)} will be delivered once, now, to ${countOf(everybody, 'recipient')}:`;
  const rows = targets.flatMap(({ address, destinationType, to, changed }) => [
    indented(2, strong(address)),
    indented(4, [destinationType, ' to ', to.length === 0 ? 'a secret' : fewOf(to, page)]),
    changed.length > 0 && indented(4, `somebody changed it in Omni: ${nameSome(changed)}`),
  ]);
  return printText([head, ...rows], page);
}

const words: Readonly<Record<TriggerStatus, string>> = {
  sent: 'Omni was asked to deliver it.',
  failed: 'Failed.',
  unknown: 'The answer was lost.',
  skipped: 'Not sent.',
  fresh: 'Not sent, because it is not stale.',
  blocked: 'Not sent.',
};

export function renderTriggered(page: Page, results: readonly TriggeredSchedule[]): string {
  const rows = results.flatMap((result) => {
    const { address, status, message, hint } = result;
    const name = isDelivered(result) ? strong(address) : ({ role: 'error', of: address } as const);
    return [
      { hang: 2, of: [name, ': ', joined([words[status], message], ' ')] },
      hint !== undefined && indented(2, ['hint: ', hint]),
    ];
  });
  return printText(rows, page);
}
