// The facts in several commands' lists about a kind: name, subject and delivery. Facts for one command are in a table
// of that command.

import { type Attributes, destinationOf } from '../model/fields/delivery.ts';
import type { Change, FieldDiff } from '../model/plan/plan.ts';
import { type Address, type Kind, kindOf, recurringKinds } from '../model/values/address.ts';
import { stringIn } from '../model/values/json.ts';
import { pointerSegments } from '../model/values/pointer.ts';

/** All keys are required, so that a new kind has each answer. */
interface ListTraits {
  /** The field with the name that people gave it; undefined if it has none. */
  readonly title: string | undefined;
  /** The field that names its subject, such as a dashboard; undefined if lists leave that out. */
  readonly subject: string | undefined;
}

export const listTraits: Readonly<Record<Kind, ListTraits>> = {
  dashboard: { title: undefined, subject: 'identifier' },
  schedule: { title: 'name', subject: 'identifier' },
  routine: { title: 'name', subject: 'modelId' },
  aiJob: { title: undefined, subject: undefined },
};

/** Texts, as far as it has them. The delivery of a job that ran is left out. */
export function listedFacts(kind: Kind, attributes: Attributes) {
  const { title, subject } = listTraits[kind];
  const at = (field: string | undefined) => (field === undefined ? undefined : stringIn(attributes[field]));
  return {
    title: at(title),
    subject: at(subject),
    delivery: recurringKinds.includes(kind) ? destinationOf({ kind, attributes }) : undefined,
  };
}

// The facts about kinds in reports: identifying fields, and remainders of changes in Omni.

interface KindInReports {
  readonly knownBy: readonly string[];
  /** A note about the remainder in Omni if it is forgotten, or updated without all that is no longer declared. */
  readonly remainderWords: (change: Change) => string | undefined;
}

export const kindsInReports: Readonly<Record<Kind, KindInReports>> = {
  dashboard: {
    knownBy: ['identifier'],
    remainderWords: ({ action, diff }) => {
      if (action === 'forget') return 'the dashboard stays as it is';
      return action === 'update' && diff.some(isLeftAsIs)
        ? 'what is no longer declared stays as it is on the dashboard'
        : undefined;
    },
  },
  schedule: { knownBy: ['identifier', 'name'], remainderWords: runsOn },
  routine: { knownBy: ['modelId', 'name'], remainderWords: runsOn },
  aiJob: { knownBy: [], remainderWords: () => undefined },
};

function runsOn({ action, id = '' }: Change): string | undefined {
  return action === 'forget' && id !== '' ? 'it keeps running in Omni, untracked' : undefined;
}

/** True for an entry of a dashboard, or a key of one: a partial update cannot remove it. */
function isLeftAsIs({ op, path }: FieldDiff): boolean {
  const [field, ...below] = pointerSegments(path);
  return op === 'remove' && (field === 'filters' || field === 'controls') && below.length <= 2;
}

/** Reports show any content of a state or a document, even invalid addresses: these get the words of most resources. */
export function shownKind(address: Address): Kind {
  return kindOf(address) ?? 'schedule';
}
