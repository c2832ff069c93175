// Checks one resource against its schema and the rules. A finding is placed at the value, which may be in a default
// elsewhere, and never reveals the value of a secret.

import { fieldsOf, secretFieldsOf } from '../model/fields/fields.ts';
import type { Kind } from '../model/values/address.ts';
import { isWithin, type Pointer, pointerSegments, pointerTo } from '../model/values/pointer.ts';
import { Secret } from '../model/values/secret.ts';
import { codes } from '../model/workspace/codes.ts';
import type { Finding, WithFindings } from '../model/workspace/diagnostic.ts';
import { type DeclaredObject, originOf, type Resource } from '../model/workspace/resource.ts';
import { revealSecrets } from '../model/workspace/reveal-secrets.ts';
import type { RawResource } from '../parse/parse-resources.ts';
import { notes, type Validator, validateAiJob, validateDashboard, validateSchedule } from './compiled.js';
import { fieldName } from './findings/field-name.ts';
import type { Checked, RuleContext, RuleFinding } from './findings/rule.ts';
import { rules } from './rules.ts';
import { schemaFindings } from './schema-findings.ts';

const validators: Readonly<Record<Kind, Validator>> = {
  schedule: validateSchedule,
  dashboard: validateDashboard,
  aiJob: validateAiJob,
};

export function validateResource(raw: RawResource, context: RuleContext): WithFindings<Resource> {
  const resource = withSecrets(raw);
  const { value, secrets } = revealSecrets(raw.attributes);
  const bySchema = schemaFindings(value, validators[raw.kind], notes[raw.kind]);
  const fromEnvironment = new Set(secrets.map(({ pointer }) => pointer));
  const byRules = findingsOfRules({ kind: raw.kind, address: raw.address, value, fromEnvironment }, context);
  if (bySchema.length + byRules.length === 0) return { value: resource, findings: [] };
  const ofRulesAlone = byRules.filter((finding) => !bySchema.some(({ pointer }) => pointer === finding.pointer));
  const unknown = secrets.filter(({ known }) => !known).map(({ pointer }) => pointer);
  const findings = [...bySchema, ...ofRulesAlone]
    .filter(({ pointer }) => !unknown.some((place) => isWithin(pointer, place)))
    .map((finding) => place(mask(finding, raw.kind, fromEnvironment), raw));
  return { value: resource, findings };
}

/** Almost always empty, for thousands of resources. */
function findingsOfRules(resource: Checked, context: RuleContext): readonly RuleFinding[] {
  const findings: RuleFinding[] = [];
  for (const rule of rules) for (const finding of rule(resource, context)) findings.push(finding);
  return findings;
}

/** A finding about a secret says which field and which rule, never the value. */
function mask(finding: RuleFinding, kind: Kind, fromEnvironment: ReadonlySet<Pointer>): RuleFinding {
  const [field = ''] = pointerSegments(finding.pointer);
  const literal = fieldsOf[kind][field]?.secret && finding.at !== 'key';
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

function place({ pointer, at, within, ...words }: RuleFinding, raw: RawResource): Finding {
  const [field, ...rest] = pointerSegments(pointer);
  const origin = field === undefined ? raw.origin : originOf(raw, field);
  const inherited = !origin.pointer.startsWith(raw.origin.pointer) || origin.file !== raw.origin.file;
  return {
    ...words,
    ...(inherited ? { concerns: raw.address } : { address: raw.address }),
    place: {
      file: origin.file,
      document: origin.document,
      pointer: origin.pointer + pointerTo(...rest),
      at: at ?? 'value',
      ...(within === undefined ? {} : { within }),
    },
  };
}

/** The resource with literal passwords also turned into Secrets. */
function withSecrets(raw: RawResource): Resource {
  const { kind, attributes } = raw;
  const literal = secretFieldsOf[kind].filter((name) => typeof attributes[name] === 'string');
  if (literal.length === 0) return raw;
  const sealed: DeclaredObject = {
    ...attributes,
    ...Object.fromEntries(literal.map((name) => [name, Secret.literal(String(attributes[name]))])),
  };
  return { ...raw, attributes: sealed };
}
