// Lists as SCIM (RFC 7644) answers them: page by page, and narrowed by the value of one attribute.

import { type Answer, Rejection } from './answers.ts';
import { aString, aText, type Check, readQuery } from './checks.ts';
import type { OperationInput } from './requests.ts';

const maxResources = 100;
const anInteger = aText((text) => !/^-?\d{1,9}$/.test(text) && 'Expected integer');
const parameters = { filter: aString, startIndex: anInteger, count: anInteger };
const ofList = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

interface ScimList<T> {
  readonly found: readonly T[];
  /** The attribute that a filter may name, and what it is of a resource. */
  readonly attribute: string;
  readonly valueOf: (each: T) => string;
  readonly toResource: (each: T, query: Readonly<Record<string, string>>) => object;
  /** Parameters of this list alone. */
  readonly more?: Readonly<Record<string, Check<string>>>;
}

export function answerScimList<T>({ caller, query }: OperationInput, list: ScimList<T>): Answer {
  if (caller.kind !== 'organization') throw new Rejection(403, 'SCIM needs an organization API key');
  const given = readQuery(query, { ...list.more, ...parameters });
  const { filter, startIndex = 1, count = maxResources } = given;
  const wanted = filter === undefined ? undefined : readFilter(filter, list.attribute);
  const found = list.found.filter((each) => wanted === undefined || list.valueOf(each).toLowerCase() === wanted);
  // A first place below 1 counts as 1, and a negative count as 0.
  const first = Math.max(1, Number(startIndex));
  const most = Math.min(maxResources, Math.max(0, Number(count)));
  const page = found.slice(first - 1, first - 1 + most);
  return {
    status: 200,
    body: {
      schemas: [ofList],
      totalResults: found.length,
      startIndex: first,
      itemsPerPage: page.length,
      Resources: page.map((each) => list.toResource(each, given as Readonly<Record<string, string>>)),
    },
  };
}

/** Only `ATTRIBUTE eq "…"`. The value in lower case: case does not matter. */
function readFilter(filter: string, attribute: string): string {
  const [, name = '', written] = /^\s*(\w+)\s+eq\s+(".*")\s*$/i.exec(filter) ?? [];
  const value = readText(written);
  if (name.toLowerCase() === attribute.toLowerCase() && value !== undefined) return value.toLowerCase();
  throw new Rejection(400, `filter: Only ${attribute} eq "value" is supported`);
}

/** A text in the form of JSON, as SCIM writes the values of a filter. */
function readText(written = ''): string | undefined {
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
