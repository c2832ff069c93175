// Reads the audiences of a workspace, which its resources may use from any file. Says what `${audience.NAME}` stands
// for where it is used. Validation checks what audiences contain.

import { isJsonObject } from '../../model/values/json.ts';
import { isWithin, pointerTo } from '../../model/values/pointer.ts';
import { below, type Finding, type Origin, placeOf, type WithFindings } from '../../model/workspace/diagnostic.ts';
import {
  type Audience,
  type Audiences,
  audienceSection,
  type DeclaredObject,
  noAudiences,
} from '../../model/workspace/resource.ts';
import { entriesOf, type RawDocument } from '../../yaml/raw-document.ts';
import { interpolate } from './interpolate.ts';
import type { ScopeOf } from './resolve-reference.ts';

export function parseAudiences(documents: readonly RawDocument[], scopeOf: ScopeOf): WithFindings<Audiences> {
  const declaring = documents.filter(({ value }) => isJsonObject(value) && Object.hasOwn(value, audienceSection));
  if (declaring.length === 0) return { value: noAudiences, findings: [] };
  const audiences = new Map<string, Audience>();
  const findings: Finding[] = [];
  for (const { value, origin, keyLines } of declaring) {
    for (const [name, declared] of entriesOf(isJsonObject(value) ? value[audienceSection] : undefined)) {
      const isMap = isJsonObject(declared);
      const pointer = pointerTo(audienceSection, name);
      const own = below(origin, audienceSection, name);
      const first = audiences.get(name);
      if (first !== undefined) {
        findings.push(declaredTwice(own, first));
        continue;
      }
      const scope = { ...scopeOf(origin.file), audience: () => nested };
      const {
        value: attributes,
        problems,
        ...recorded
      } = interpolate(isMap ? declared : {}, scope, { ignoresCaseAt: (at) => !isWithin(at, pointerTo('userGroups')) });
      for (const { pointer: at, within, origin: _, at: __, ...words } of problems)
        findings.push({
          ...words,
          place: { ...placeOf(own), pointer: own.pointer + at, within },
        });
      const line = keyLines.get(pointer) ?? 1;
      audiences.set(name, {
        name,
        attributes: attributes as DeclaredObject,
        origin: own,
        line,
        ...recorded,
        isMisshapen: !isMap,
      });
    }
  }
  return { value: audiences, findings };
}

const nested = {
  code: 'invalid-interpolation',
  message: 'An audience cannot hold another audience.',
  hint: 'Name both audiences where they are used: `recipients: ["${audience.a}", "${audience.b}"]`.',
} as const;

function declaredTwice(second: Origin, first: Audience): Finding {
  return {
    code: 'duplicate-address',
    message: `The audience \`${first.name}\` is already declared at ${first.origin.file}:${first.line}; only one of the two can take effect.`,
    hint: 'Rename one of them, or put all its people into one of the two.',
    place: placeOf(second, 'key'),
  };
}
