// Which resources of the state a question is about. An address, a dashboard or a recipient that nothing has is refused,
// because a typing mistake must not look like "none".

import type { State, StateResource } from '../../model/plan/state.ts';
import { type Address, type Kind, kindOf } from '../../model/values/address.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { recipientsOf } from '../../plan/dangers/destinations.ts';
import { didYouMean } from '../../validate/findings/suggest.ts';

/** Any of the values of a list; all lists that are not empty. In an address and a recipient, `*` is any characters. */
export interface TrackedFilter {
  readonly addresses: readonly string[];
  readonly kinds: readonly Kind[];
  /** Identifiers. */
  readonly dashboards: readonly string[];
  readonly recipients: readonly string[];
  readonly destinations: readonly string[];
}

export type Tracked = readonly [Address, StateResource];

type List = keyof TrackedFilter;

/** Of the lists whose values anybody may make up: what to say where nothing has one, and where to find the right one. */
const missing: Readonly<Partial<Record<List, (value: string) => readonly [message: string, hint: string]>>> = {
  addresses: (value) => [
    value.includes('*') ? `No address in the state matches ${value}.` : `The state holds no ${value}.`,
    'almanac state list shows what it holds.',
  ],
  dashboards: (value) => [
    `Nothing in the state is about the dashboard ${value}.`,
    'Use its identifier, the last part of its URL, such as `12db1a0a`.',
  ],
  recipients: (value) => [
    `No schedule in the state delivers to ${value}.`,
    "Use an e-mail address, a domain such as '*@partner.com', or the id of a Slack channel or user.",
  ],
};

/** Sorted by address. Throws Failure refused for a value that nothing in the state has. */
export function chooseTracked({ resources }: State, filter: TrackedFilter): readonly Tracked[] {
  const all = Object.entries(resources).sort(([a], [b]) => byCodeUnit(a, b));
  const asked = (Object.keys(filter) as List[]).filter((list) => filter[list].length > 0);
  const tests = asked.map((list) => {
    const patterns = filter[list].map((value) => ({ value, pattern: patternOf(list, value) }));
    for (const { value, pattern } of patterns) {
      const isThere = all.some((each) => valuesOf(list, each).some((text) => pattern.test(text)));
      if (!isThere && missing[list] !== undefined) throw refused(list, missing[list](value), value, all);
    }
    return (each: Tracked) => valuesOf(list, each).some((text) => patterns.some(({ pattern }) => pattern.test(text)));
  });
  return all.filter((each) => tests.every((test) => test(each)));
}

function valuesOf(list: List, [address, { attributes }]: Tracked): readonly string[] {
  const text = (value: unknown) => (typeof value === 'string' ? [value] : []);
  switch (list) {
    case 'addresses':
      return [address];
    case 'kinds':
      return text(kindOf(address));
    case 'dashboards':
      return text(attributes['identifier']);
    case 'recipients':
      return recipientsOf(attributes);
    case 'destinations':
      return text(attributes['destinationType']);
  }
}

/** The whole value. Letters of either case are the same in a recipient only: keys and identifiers tell them apart. */
function patternOf(list: List, value: string): RegExp {
  const parts = value.split('*').map((part) => part.replaceAll(/[\\^$.+?()|[\]{}]/g, '\\$&'));
  const hasPatterns = list === 'addresses' || list === 'recipients';
  return new RegExp(`^${parts.join(hasPatterns ? '[^]*' : '\\*')}$`, list === 'recipients' ? 'i' : '');
}

function refused(
  list: List,
  [message, hint]: readonly [string, string],
  value: string,
  all: readonly Tracked[],
): Failure {
  const known = [...new Set(all.flatMap((each) => valuesOf(list, each)))];
  return new Failure('refused', message, { hint: didYouMean(value, known) ?? hint });
}
