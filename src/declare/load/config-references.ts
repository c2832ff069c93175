// almanac.yaml is not interpolated: a ${…} in it would reach the service literally, so it is an error. `$${` is a literal
// `${`, as in source files.

import { pushAll } from '../../model/values/collections.ts';
import type { Json } from '../../model/values/json.ts';
import { referenceTokens } from '../../model/values/references.ts';
import type { Finding, Origin, WithFindings } from '../../model/workspace/diagnostic.ts';
import { mapLeaves } from '../../model/workspace/map-leaves.ts';

const literal = '$${';

/** Every reference in a value, and the value with its escapes resolved. */
export function findInterpolation(value: Json, origin: Origin): WithFindings<Json> {
  const findings: Finding[] = [];
  const meant = mapLeaves(value, (leaf, pointer) => {
    if (typeof leaf !== 'string' || !leaf.includes('${')) return leaf;
    pushAll(findings, referencesIn(leaf, { ...origin, pointer: origin.pointer + pointer() }));
    return leaf.replaceAll(literal, '${');
  });
  return { value: meant as Json, findings };
}

function referencesIn(text: string, { file, document, pointer }: Origin): readonly Finding[] {
  const references = referenceTokens(text).filter(({ inner }) => inner !== undefined);
  return references.map(({ start, end }) => ({
    code: 'not-interpolated',
    message: 'almanac.yaml is not interpolated: the ${…} would be used literally.',
    hint: 'Write the value itself, or put the reference into a source file. For a literal ${ write $${.',
    place: {
      file,
      document,
      pointer,
      at: 'value',
      within: { start, end },
    },
  }));
}
