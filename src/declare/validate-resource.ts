// Checks one resource against its schema and the rules. A finding is placed at the value, which may be in a default
// elsewhere, and never reveals the value of a secret.

import { fieldsOf } from '../model/fields/fields.ts';
import type { Kind } from '../model/values/address.ts';
import { pushAll } from '../model/values/collections.ts';
import type { Json } from '../model/values/json.ts';
import { isWithin, type Pointer, pointerSegments } from '../model/values/pointer.ts';
import { codes } from '../model/workspace/codes.ts';
import { type Finding, placeOf } from '../model/workspace/diagnostic.ts';
import { audienceAt, findingAt, variableAt, writtenOrigin } from '../model/workspace/field-place.ts';
import { revealSecrets } from '../model/workspace/map-leaves.ts';
import { type Audience, isInherited, type Loop, type Resource } from '../model/workspace/resource.ts';
import { validateAudience, validators } from './compiled.js';
import { type AudienceUse, audienceUsers } from './expand/use-audience.ts';
import {
  type CheckedResource,
  fieldName,
  type OtherWords,
  type RuleContext,
  type RuleFinding,
} from './findings/rule.ts';
import { rulesOf } from './kinds-of-declaration.ts';
import { acceptanceDayFindings } from './rules/acceptance-days.ts';
import { valuesAmong } from './rules/not-values.ts';
import { addressFindings, groupFindings } from './rules/recipients.ts';
import { schemaFindings } from './schema-findings.ts';
import { referredAt } from './walk-places.ts';

/** `faulty` are the audiences with findings, which are reported there. */
export function resourceFindings(
  raw: Resource,
  context: RuleContext,
  faulty: ReadonlySet<string>,
  columnOf: (loop: Loop, name: string) => readonly Json[] = () => [],
): readonly Finding[] {
  const { value, secrets } = revealSecrets(raw.attributes);
  const fromEnvironment = new Set(secrets.map(({ pointer }) => pointer));
  const checked = {
    kind: raw.kind,
    value,
    fromEnvironment,
    referredAt: (pointer: Pointer) => referredAt(raw, pointer),
    cells: raw.item?.cells,
    column: raw.item && ((name: string) => (raw.item === undefined ? [] : columnOf(raw.item.loop, name))),
  };
  const found = findingsAbout(checked, raw, context);
  if (found.length === 0) return [];
  const unknown = secrets.filter(({ known }) => !known).map(({ pointer }) => pointer);
  return found
    .filter(({ pointer, at }) => at === 'key' || !unknown.some((place) => isWithin(pointer, place)))
    .filter(({ pointer }) => !faulty.has(audienceAt(raw, pointer) ?? ''))
    .map((finding) => place(mask(finding, raw.kind, fromEnvironment), raw));
}

function findingsAbout(checked: CheckedResource, raw: Resource, context: RuleContext): readonly RuleFinding[] {
  const { kind, value, fromEnvironment } = checked;
  const found = schemaFindings(value, validators[kind], kind, {
    words: context.words,
    referredAt: checked.referredAt,
    isSecret: (pointer) => [...fromEnvironment].some((place) => isWithin(place, pointer)),
  });
  const bySchema = found.filter((finding) => !isSaid(finding, raw));
  const byRules = findingsOfRules(checked, context);
  return [...bySchema, ...byRules.filter((finding) => !bySchema.some(({ pointer }) => pointer === finding.pointer))];
}

/** The names in defaults are checked where the defaults are. */
function isSaid({ code, pointer }: RuleFinding, raw: Resource): boolean {
  const [field = '', ...rest] = pointerSegments(pointer);
  return code === 'unknown-field' && rest.length === 0 && isInherited(raw, field);
}

/** Almost always empty, for thousands of resources. */
function findingsOfRules(resource: CheckedResource, context: RuleContext): readonly RuleFinding[] {
  const findings: RuleFinding[] = [];
  for (const rule of rulesOf(resource.kind)) for (const finding of rule(resource, context)) findings.push(finding);
  return findings;
}

/** A finding about a secret says which field and which rule, never the value. */
function mask(finding: RuleFinding, kind: Kind, fromEnvironment: ReadonlySet<Pointer>): RuleFinding {
  const [field = ''] = pointerSegments(finding.pointer);
  if (finding.at === 'key') return finding;
  const literal = fieldsOf[kind][field]?.secret;
  if (!literal && ![...fromEnvironment].some((place) => isWithin(finding.pointer, place))) return finding;
  const name = fieldName(finding.pointer);
  const words =
    literal && finding.code === 'wrong-type'
      ? {
          message: `\`${name}\` must be a non-empty string. Its value is secret and not shown here.`,
          hint: `Write \`\${env.NAME}\`, or put quotes around the value.`,
        }
      : {
          message: `The value of \`${name}\` is secret and not shown here. The rule is: ${codes[finding.code].summary}.`,
          hint: 'Check the value at its source.',
        };
  return { code: finding.code, ...words, pointer: finding.pointer };
}

function place({ pointer, at, within, part, ...words }: RuleFinding, raw: Resource): Finding {
  const placed = findingAt(raw, pointer, { at: isAboutItem(words, raw) ? 'value' : at, within, part });
  const variable = words.quote ? variableAt(raw, pointer) : undefined;
  return { ...words, ...placed, ...(variable && { related: [...(placed.related ?? []), variable] }) };
}

/** A password of an item is written in the item, although the finding is about the field. */
function isAboutItem({ code }: Pick<RuleFinding, 'code'>, { origins }: Resource): boolean {
  if (code !== 'secret-in-plain-text') return false;
  return [...(origins?.given.values() ?? [])].some(({ by }) => by.some(({ place }) => place.kind === 'item'));
}

export interface CheckedAudiences {
  readonly findings: readonly Finding[];
  /** The names of those with findings of their own. */
  readonly faulty: ReadonlySet<string>;
}

/**
 * Checks the audiences of a workspace, which has resources of these kinds, and that each is used. A mistake in one is
 * reported there alone, and not again for every schedule that uses it.
 */
export function checkAudiences(
  inUse: AudienceUse | undefined,
  declared: ReadonlySet<Kind>,
  words: OtherWords | undefined,
): CheckedAudiences {
  const findings: Finding[] = [];
  const faulty = new Set<string>();
  for (const audience of inUse?.audiences.values() ?? []) {
    const own = audience.isMisshapen ? [] : findingsIn(audience, words);
    if (own.length > 0 || audience.isMisshapen) faulty.add(audience.name);
    pushAll(findings, own);
    if (!inUse?.used.has(audience.name)) findings.push(unused(audience, declared));
  }
  return { findings, faulty };
}

function findingsIn(audience: Audience, words: OtherWords | undefined): readonly Finding[] {
  const { value, secrets } = revealSecrets(audience.attributes);
  const bySchema = schemaFindings(value, validateAudience, 'audience', {
    words,
    isSecret: (pointer) => secrets.some((secret) => isWithin(secret.pointer, pointer)),
  });
  const { emails, userGroups } = value;
  const found = [
    ...bySchema,
    ...(Array.isArray(emails) ? addressFindings(emails, '/emails', '/userGroups') : []),
    ...(Array.isArray(userGroups) ? groupFindings(userGroups, '/userGroups') : []),
    ...valuesAmong(emails ?? null, '/emails', 'recipients'),
    ...valuesAmong(userGroups ?? null, '/userGroups', 'groups'),
    ...acceptanceDayFindings(value),
  ];
  // The value of a wrong reference is not known.
  return found
    .filter(({ pointer, at }) => at === 'key' || !secrets.some((secret) => isWithin(pointer, secret.pointer)))
    .map(({ pointer, at, part: _, ...words }) => ({
      ...words,
      place: placeOf(writtenOrigin(audience, pointer), at),
    }));
}

function unused({ name, origin }: Audience, declared: ReadonlySet<Kind>): Finding {
  return {
    code: 'unused-audience',
    message: `No ${audienceUsers(declared)} uses the audience \`${name}\`, so nobody receives anything through it.`,
    hint: `Write \`\${audience.${name}}\` where the audience is meant, or remove it.`,
    place: placeOf(origin, 'key'),
  };
}
