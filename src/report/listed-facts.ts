// What lists of several commands say of a kind of resource: what it is called, what it is about, and how it is delivered.
// What one command asks stands in a table of that command.

import { type Attributes, destinationOf } from '../model/fields/delivery.ts';
import { type Kind, recurringKinds } from '../model/values/address.ts';

/** All by name, so that a new kind answers each question. */
interface ListTraits {
  /** The field with the name that people gave it; undefined where it has none. */
  readonly title: string | undefined;
  /** The field that says what it is about, such as a dashboard; undefined where lists leave that out. */
  readonly subject: string | undefined;
}

export const listTraits: Readonly<Record<Kind, ListTraits>> = {
  dashboard: { title: undefined, subject: 'identifier' },
  schedule: { title: 'name', subject: 'identifier' },
  routine: { title: 'name', subject: 'modelId' },
  aiJob: { title: undefined, subject: undefined },
};

/** Texts, as far as it has them. How a job that ran was delivered is left out. */
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
