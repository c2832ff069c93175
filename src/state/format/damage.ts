// Says what is wrong with a text of the state. Its parsers do not know its name for users: `namingDamage` adds that, in one place.

import type { Json } from '../../model/values/json.ts';
import { shortText } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';

/** `why` is a clause. Without a hint, that of the text as a whole counts. */
export class Damage extends Error {
  readonly hint: string | undefined;
  constructor(why: string, hint?: string) {
    super(why);
    this.hint = hint;
  }
}

/** Returns the result of `parse` for the text of that name. Throws Failure state-unreadable for Damage. */
export function namingDamage<T>(name: string, hint: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof Damage ? unreadable(name, error.message, error.hint ?? hint) : error;
  }
}

export function unreadable(name: string, why: string, hint: string): Failure {
  return new Failure('state-unreadable', `${name} cannot be read: ${shortText(why, 600)}.`, { hint });
}

export function newerThanThis(what: string, toolVersion: Json | undefined): Damage {
  const writer = typeof toolVersion === 'string' ? `almanac ${toolVersion}` : 'a newer almanac';
  const upgrade = typeof toolVersion === 'string' ? `to ${toolVersion} or later` : 'to the version that wrote it';
  return new Damage(`it was written by ${writer}, ${what}`, `Upgrade almanac ${upgrade}.`);
}
