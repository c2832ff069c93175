// Checks the audiences of a workspace, and that somebody uses each of them. What is wrong in one is reported there alone,
// and not once more for every schedule that uses it.

import { isWithin } from '../model/values/pointer.ts';
import type { Audience } from '../model/workspace/composed/audience.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { writtenOrigin } from '../model/workspace/field-place.ts';
import { revealSecrets } from '../model/workspace/reveal-secrets.ts';
import { placeOf } from '../model/workspace/source-file.ts';
import { notes, validateAudience } from './compiled.js';
import type { AudienceUse } from './expand/use-audience.ts';
import type { RuleContext } from './findings/rule.ts';
import { addressFindings } from './rules/email-recipients.ts';
import { schemaFindings } from './schema-findings.ts';

export interface CheckedAudiences {
  readonly findings: readonly Finding[];
  /** The names of those with findings of their own. */
  readonly faulty: ReadonlySet<string>;
}

export type AudiencesInUse = Pick<AudienceUse, 'audiences' | 'used'>;

export function checkAudiences(inUse: AudiencesInUse | undefined, context: RuleContext): CheckedAudiences {
  const findings: Finding[] = [];
  const faulty = new Set<string>();
  for (const audience of inUse?.audiences.values() ?? []) {
    const own = audience.isMisshapen ? [] : findingsIn(audience, context);
    if (own.length > 0 || audience.isMisshapen) faulty.add(audience.name);
    findings.push(...own, ...(inUse?.used.has(audience.name) ? [] : [unused(audience)]));
  }
  return { findings, faulty };
}

function findingsIn(audience: Audience, { email }: RuleContext): readonly Finding[] {
  const { value, secrets } = revealSecrets(audience.attributes);
  const bySchema = schemaFindings(value, validateAudience, notes.audience).findings;
  const emails = value['emails'];
  const found = [...bySchema, ...(Array.isArray(emails) ? addressFindings(emails, 'emails', email) : [])];
  // What a wrong reference would have given is not known.
  return found
    .filter(({ pointer, at }) => at === 'key' || !secrets.some((secret) => isWithin(pointer, secret.pointer)))
    .map(({ pointer, at, ...words }) => ({
      ...words,
      place: placeOf(writtenOrigin(audience, pointer), at),
    }));
}

function unused({ name, origin }: Audience): Finding {
  return {
    code: 'unused-audience',
    message: `No schedule uses the audience \`${name}\`, so nobody receives anything because of it.`,
    hint: `Write \`\${audience.${name}}\` where it is meant, or remove it.`,
    place: placeOf(origin, 'key'),
  };
}
