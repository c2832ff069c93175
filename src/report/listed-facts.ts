// The facts in several commands' lists about a kind: name, subject and delivery. Facts for one command are in a table
// of that command.

import { type Attributes, destinationOf } from '../model/fields/delivery.ts';
import { type Kind, recurringKinds } from '../model/values/address.ts';

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
  const at = (field: string | undefined) => {
    const value = field === undefined ? undefined : attributes[field];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    title: at(title),
    subject: at(subject),
    delivery: recurringKinds.includes(kind) ? destinationOf({ kind, attributes }) : undefined,
  };
}
