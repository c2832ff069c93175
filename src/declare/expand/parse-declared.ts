// Everything that the documents of a workspace declare. Audiences come first, because resources of any file use them.

import type { DefaultsLayer } from '../../model/workspace/config.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import type { Loop } from '../../model/workspace/resource.ts';
import type { RawDocument } from '../../yaml/raw-document.ts';
import { parseResources, type RawResource } from '../parse-resources.ts';
import { type AudienceUse, parseAudiences } from './audiences.ts';
import { type ScopeOf, startExpansion } from './resolve-reference.ts';

export interface DeclaredSources {
  readonly documents: readonly RawDocument[];
  readonly resources: readonly RawResource[];
  readonly loops: readonly Loop[];
  readonly audiences: AudienceUse;
  readonly findings: readonly (readonly Finding[])[];
}

export interface ParseOptions {
  readonly defaults: readonly DefaultsLayer[];
  readonly scopeOf: ScopeOf;
  /** The name that was most likely meant. */
  readonly nearest: (name: string, names: readonly string[]) => string | undefined;
}

/** The documents of each file: its defaults apply to all of them. */
export function parseDeclared(
  files: readonly (readonly RawDocument[])[],
  { defaults, scopeOf: scopeIn, nearest }: ParseOptions,
): DeclaredSources {
  const expansion = startExpansion();
  const scopeOf: ScopeOf = (file) => ({ ...scopeIn(file), expansion });
  const documents = files.flat();
  const { value: audiences, findings: ofAudiences } = parseAudiences(documents, scopeOf);
  const findings = [ofAudiences];
  const names = [...audiences.keys()];
  const use: AudienceUse = { audiences, used: new Set(), nearest: (name) => nearest(name, names) };
  const resources: RawResource[] = [];
  const loops: Loop[] = [];
  for (const file of files) {
    const declared = parseResources(file, defaults, scopeOf, use);
    for (const resource of declared.value) resources.push(resource);
    for (const loop of declared.loops) loops.push(loop);
    findings.push(declared.findings);
  }
  return { documents, resources, loops, audiences: use, findings };
}
