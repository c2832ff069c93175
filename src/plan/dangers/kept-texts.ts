// Names and texts that `ignoreChanges` keeps although receivers or rows of their report change. Such a text may have
// been written for somebody else.

import type { Delivery } from '../../model/fields/delivery.ts';
import { fieldsOf } from '../../model/fields/fields.ts';
import type { DangerItem } from '../../model/plan/danger.ts';
import type { KeptValue } from '../../model/plan/plan.ts';
import type { Kind } from '../../model/values/address.ts';
import { canonicalJson } from '../../model/values/json.ts';
import { countOf } from '../../model/values/words.ts';
import { keptWords } from '../kept.ts';
import type { Step } from '../plan.ts';
import type { DangerRule } from './world.ts';

export const keptTexts: DangerRule = (steps) => {
  const keeping = steps.filter((step) => step.change.kept !== undefined && reachesOthers(step));
  const items = keeping.flatMap(({ change: { address, kind, kept = [] } }) =>
    kept.flatMap((value): readonly DangerItem[] => {
      const words = fieldsOf[kind][value.field]?.decides === 'text' ? keptWords(value) : undefined;
      return words === undefined ? [] : [{ subject: address, detail: shortened(words, value) }];
    }),
  );
  const reports = countOf(new Set(items.map(({ subject }) => subject)).size, 'report keeps', 'reports keep');
  const title = `${reports} a name or a text that is not declared, with other receivers or rows than before`;
  return [{ code: 'kept-text', title, items }];
};

/** A longer one is only in the change. */
const maxLength = 240;

function shortened(words: string, { field }: KeptValue): string {
  return words.length <= maxLength ? words : `${field} is kept`;
}

/** True if the resource exists before and after, and delivers to different receivers or shows different rows. */
function reachesOthers({ change: { kind }, delivered }: Step): boolean {
  const { before, after } = delivered();
  return before !== undefined && after !== undefined && reached(before, kind) !== reached(after, kind);
}

function reached({ to, inExtra, shows, rows }: Delivery, kind: Kind): string {
  const receivers = [...to, ...inExtra].map(({ kind, compared, account = '' }) => `${kind} ${compared} ${account}`);
  const limits = [...rows].map(([id, { written }]) => [id, written] as const);
  const shown = [...shows].flatMap(([name, value = null]) =>
    fieldsOf[kind][name]?.decides === 'rows' ? [[name, value]] : [],
  );
  return canonicalJson([receivers.sort(), Object.fromEntries(shown), Object.fromEntries(limits)]);
}
