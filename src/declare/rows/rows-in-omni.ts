// Judges deliveries in Omni by the table of permissions, and words the repair there. The files and the table are not at
// fault.

import { type Attributes, deliveryOf } from '../../model/fields/delivery.ts';
import { receiverKey } from '../../model/fields/receiver.ts';
import type { Kind } from '../../model/values/address.ts';
import { importCommand } from '../../model/values/command.ts';
import { codeList, nameSome, quote } from '../../model/values/words.ts';
import type { Finding, FindingWords } from '../../model/workspace/diagnostic.ts';
import { declaredAttributes, type Resource } from '../../model/workspace/resource.ts';
import { type JudgedDelivery, judgeRows, type RowFault, type RowRules, shownRows } from './judge-rows.ts';
import {
  allowedWords,
  faultWords,
  type JudgedRows,
  lineHint,
  othersWords,
  receiverWords,
  shortened,
  unlimitedWords,
} from './rows-of-others.ts';

const code = 'rows-of-others';

/** The repair of a delivery in Omni: the table and the files are not at fault. */
interface RepairInOmni {
  /** Receivers that it does not name were added in Omni. */
  readonly declared: Resource | undefined;
  /** Undoes the change in Omni; undefined if it has to be corrected there. */
  readonly undo?: string;
  /** The ids of the filters that its dashboard has, as a look has read them. */
  readonly filters?: readonly string[] | undefined;
}

/** The faults of a delivery in Omni. They have no place in a file. */
export function rowsInOmni(
  kind: Kind,
  attributes: Attributes,
  what: string,
  repair: RepairInOmni,
  { rules }: JudgedRows,
): readonly (FindingWords & Pick<Finding, 'ofLoop'>)[] {
  const delivery = deliveryOf(kind, attributes);
  const rows = shownRows(kind, delivery, rules);
  return shortened(judgeRows(kind, delivery, rules)).map((fault) => {
    if (fault.kind === 'ended') {
      const words = faultWords(fault, `in Omni ${what}`, rows, rules);
      return { code, ...words, hint: addedHint(fault, repair) ?? words.hint };
    }
    const { message } = faultWords(fault, what, rows, rules);
    const hint = repairHint(fault, repair);
    const said = { code, message: inOmniWords(fault, what, message, rules), hint } as const;
    if (repair.declared?.item === undefined || fault.kind !== 'unlimited') return said;
    const words = `In Omni, no filter limits what its receivers outside get: ${unlimitedWords(fault.unlimited, 'this')}.`;
    return { ...said, ofLoop: { message: words, hint } };
  });
}

/** For an undeclared schedule, as it is in Omni: nothing can be corrected in a file here. `tracker` is the neighbour that tracks it. */
export function untrackedWords(
  delivery: JudgedDelivery,
  { id, name, identifier }: { readonly id: string; readonly name: string; readonly identifier: string },
  { rules }: JudgedRows,
  tracker?: string,
): readonly FindingWords[] {
  const rows = shownRows('schedule', delivery, rules);
  const declaring = importCommand(identifier);
  const [is, way] =
    tracker === undefined
      ? ['untracked', 'Correct the schedule in Omni or pause it there']
      : [`tracked by ${tracker}`, `Correct its declaration in ${tracker}, or pause it in Omni`];
  const declares = declaring === undefined || tracker !== undefined ? '' : `, or declare it: \`${declaring}\``;
  return shortened(judgeRows('schedule', delivery, rules)).map((fault) => {
    const { receiver } = fault;
    const { message, hint } = faultWords(fault, 'this schedule', rows, rules);
    const said = `In Omni, ${quote(name)} (id ${id}) is ${is}. ${message}`;
    if (fault.kind === 'ended') return { code, message: said, hint };
    const values = fault.kind === 'others' ? fault.valuesOfOthers() : 'shown' in rows ? rows.shown : [];
    const texts = [...new Set(values.map(({ value }) => value))];
    const isOfTable = (fault.kind === 'others' || fault.kind === 'unnamed') && texts.length > 0 && !receiver.isHidden;
    const line = isOfTable ? ` ${lineHint(receiver, texts, rules.permissions)}` : '';
    return { code, message: said, hint: `${way}${declares}.${line}` };
  });
}

function inOmniWords(fault: RowFault, what: string, message: string, { permissions }: RowRules): string {
  const whom = receiverWords(fault.receiver);
  switch (fault.kind) {
    case 'unnamed':
      return fault.receiver.isHidden
        ? `In Omni, ${startingSmall(message)}`
        : `In Omni, ${whom} receives ${what}. ${message}`;
    case 'others':
      return `In Omni, ${what} shows ${othersWords(fault.valuesOfOthers())}, and ${whom} may receive ${allowedWords(fault.allowed, permissions)}.`;
    case 'unlimited':
      return `In Omni, ${startingSmall(message)}`;
    default:
      return `In Omni, ${message}`;
  }
}

function startingSmall(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function repairHint(fault: RowFault, { declared, undo, filters }: RepairInOmni): string {
  if (undo === undefined || declared === undefined) return 'Correct the receivers or the filter in Omni first.';
  const [id] = fault.kind === 'unlimited' && fault.unlimited.why === 'missing' ? fault.unlimited.filters : [];
  if (id !== undefined && filters !== undefined && !filters.includes(id)) return goneFilterWay([id], filters);
  const added = fault.kind === 'unnamed' || fault.kind === 'others' ? addedHint(fault, { declared, undo }) : undefined;
  return added ?? `${undo} puts back what is declared.`;
}

/** For a receiver that is not declared. */
function addedHint({ receiver }: RowFault, { declared, undo }: RepairInOmni): string | undefined {
  if (undo === undefined || declared === undefined) return undefined;
  const { to, inExtra } = deliveryOf(declared.kind, declaredAttributes(declared));
  const isDeclared = [...to, ...inExtra].some((each) => receiverKey(each) === receiverKey(receiver));
  return isDeclared ? undefined : `Somebody added ${receiverWords(receiver)} in Omni. ${undo} removes it.`;
}

/** The advice if filters that a report sets are gone. `now` are the dashboard's ids that it does not set. */
export function goneFilterWay(gone: readonly string[], now: readonly string[]): string {
  const [it, has] = gone.length === 1 ? ['it', 'has'] : ['them', 'have'];
  const back = `ut ${it} back on the dashboard in Omni.`;
  const others = now.filter((id) => !gone.includes(id));
  if (others.length === 0) return `P${back}`;
  const names = nameSome(others.map((id) => quote(id)));
  return `The dashboard has ${names}. If ${codeList(gone)} now ${has} a new id, write that in \`filterConfig\` and, where it divides the rows, in \`safety.rows.filters\` of almanac.yaml. Otherwise p${back}`;
}
