// Turns parsed values into the desired state: the schema, rules per resource, then common rules. Returns all findings
// of all files at once.

import { runsAgain } from '../cron/coming-runs.ts';
import type { Cron } from '../cron/cron.ts';
import { destinationOf, receiversAt } from '../model/fields/delivery.ts';
import { fieldsOf, secretFieldsOf } from '../model/fields/fields.ts';
import { type Kind, kinds, kindsInOrder, sections } from '../model/values/address.ts';
import { groupBy, memoize, once, pushAll } from '../model/values/collections.ts';
import { isJsonObject, type Json } from '../model/values/json.ts';
import { isWithin, type Pointer, pointerSegments, pointerTo } from '../model/values/pointer.ts';
import { Secret } from '../model/values/secret.ts';
import { codes } from '../model/workspace/codes.ts';
import type { Config, Operations } from '../model/workspace/config.ts';
import { below, type Finding, type Origin, placeOf, type WithFindings } from '../model/workspace/diagnostic.ts';
import { audienceAt, findingAt, variableAt, writtenOrigin } from '../model/workspace/field-place.ts';
import { revealSecrets } from '../model/workspace/map-leaves.ts';
import { audiencesIn } from '../model/workspace/origins.ts';
import {
  type Audience,
  type Audiences,
  audienceSection,
  type Desired,
  environmentsIn,
  isInherited,
  type Loop,
  noAudiences,
  type Resource,
} from '../model/workspace/resource.ts';
import type { RawDocument } from '../yaml/raw-document.ts';
import {
  type Elsewhere,
  entriesHere,
  entriesNameEnvironments,
  knownEntries,
  nothingElsewhere,
  throughSink,
  unknownNames,
  withoutIn,
} from './environments.ts';
import { type AudienceUse, audienceUsers } from './expand/use-audience.ts';
import { nearTexts } from './findings/near-text.ts';
import {
  type CheckedResource,
  fieldName,
  type OtherWords,
  type PlacedFinding,
  placed,
  type RuleContext,
  type RuleFinding,
  type ValuesOfTable,
} from './findings/rule.ts';
import { kindsOfDeclaration, rulesOf } from './kinds-of-declaration.ts';
import type { Permissions } from './rows/permissions.ts';
import { acceptanceDayFindings } from './rules/acceptance-days.ts';
import { expandMoves, referencesHold } from './rules/moved-and-adopted.ts';
import { valuesAmong } from './rules/not-values.ts';
import { addressFindings, groupFindings } from './rules/recipients.ts';
import { uniqueAddresses, unlessUnique } from './rules/unique.ts';
import { isLikeNone, schemaFindings } from './schema-findings.ts';
import { referredAt } from './walk-places.ts';

export interface Raw {
  readonly documents: readonly RawDocument[];
  /** The resources that exist in the environment of this run. */
  readonly resources: readonly Resource[];
  readonly elsewhere?: Elsewhere;
  /** The loops of every environment. */
  readonly loops?: Desired['loops'];
  readonly audiences?: AudienceUse;
}

export interface ValidateOptions {
  readonly operations: Operations;
  /** In epoch milliseconds. */
  readonly now: number;
  /** Every environment; undefined if almanac.yaml does not tell. */
  readonly environments?: readonly string[] | undefined;
  /** The environment of this run. */
  readonly environment?: string | undefined;
  readonly deliver?: Config['deliver'];
  readonly rows?: Config['safety']['rows'];
  /** The table of permissions, if it could be read. */
  readonly permissions?: Permissions | undefined;
  /** The words of other tools, once a finding asks for them. */
  readonly words?: OtherWords | undefined;
}

/** The declarations, with every finding; returns the value even if some findings are errors. */
export function validate(raw: Raw, options: ValidateOptions): WithFindings<Desired> {
  const { operations, environments, environment, deliver } = options;
  const context = ruleContext(options);
  const ofDocuments = raw.documents.map((document) => documentFindings(document, context.words));
  const { loops = [], elsewhere = nothingElsewhere } = raw;
  const findings: Finding[] = [
    ...ofDocuments.flat(),
    ...unknownNames([...raw.resources, ...elsewhere.absent], environments),
  ];
  const declaredKinds = new Set([...raw.resources, ...elsewhere.absent].map(({ kind }) => kind));
  const ofAudiences = checkAudiences(raw.audiences, declaredKinds, context.words);
  for (const finding of ofAudiences.findings) findings.push(finding);
  const { audiences = noAudiences } = raw.audiences ?? {};
  const resources: Resource[] = [];
  const byLoop = once(() => groupBy(raw.resources, ({ item }) => item?.loop));
  const columnsOf = memoize((loop: Loop) =>
    memoize((name: string) => (byLoop().get(loop) ?? []).flatMap(({ item }) => item?.cells?.[name] ?? [])),
  );
  const columnOf = (loop: Loop, name: string) => columnsOf(loop)(name);
  for (const resource of raw.resources) {
    const sent = throughSink(withoutIn(withSecrets(resource)), deliver);
    resources.push(sent.value);
    for (const finding of resourceFindings(resource, context, ofAudiences.faulty, columnOf)) findings.push(finding);
    for (const finding of audiencesInPart(resource, audiences)) findings.push(finding);
    for (const finding of sent.findings) findings.push(finding);
  }
  const entries = entriesIn(raw.documents, ofDocuments);
  const everywhere = elsewhere.absent.length === 0 ? resources : [...resources, ...elsewhere.absent];
  const moves = expandMoves(entries.moves, loops);
  const value: Desired = {
    resources,
    ...entriesHere({ ...entries, moves }, resources, elsewhere, environment),
    loops,
  };
  return {
    value,
    findings: [
      ...findings,
      ...entriesNameEnvironments(entries, elsewhere, { environment, known: environments }),
      ...uniqueAddresses(everywhere, loops),
      ...kindsInOrder.flatMap((kind) => uniqueIn(kind, resources)),
      ...(operations === 'core' ? kindsInOrder.flatMap((kind) => notInCore(kind, resources)) : []),
      // A misspelled section declares nothing.
      ...(ofDocuments.flat().some(hidesSection)
        ? []
        : referencesHold({ ...value, resources: everywhere, ...knownEntries(entries, elsewhere) })),
    ],
  };
}

function uniqueIn(kind: Kind, resources: readonly Resource[]): readonly Finding[] {
  const own = resources.filter((each) => each.kind === kind);
  const found: Finding[] = [];
  for (const unique of kindsOfDeclaration[kind].unique ?? []) {
    // Deliveries that are equal in every way have equal names as well.
    const said = new Set(found.map(({ address }) => address));
    pushAll(
      found,
      unlessUnique(unique, own).filter(({ address }) => !said.has(address)),
    );
  }
  return found;
}

/** One for all of them. */
function notInCore(kind: Kind, resources: readonly Resource[]): readonly Finding[] {
  const { needsFull: code } = kindsOfDeclaration[kind];
  const first = resources.find((each) => each.kind === kind);
  if (code === undefined || first === undefined) return [];
  const { section, words } = kinds[kind];
  return [
    {
      code,
      message: `This workspace uses operations core, which has no ${section}.`,
      hint: `Set \`api: { operations: full }\` in almanac.yaml, or leave out every ${words}.`,
      place: placeOf(below({ ...first.origin, pointer: '' }, section), 'key'),
    },
  ];
}

/** True if a finding is about a whole document or section. */
function hidesSection({ place }: PlacedFinding): boolean {
  return pointerSegments(place.pointer).length <= 1;
}

/** The resource with literal passwords also turned into Secrets: no later step can show them. */
function withSecrets(raw: Resource): Resource {
  const { kind, attributes } = raw;
  const literal = secretFieldsOf[kind].filter((name) => typeof attributes[name] === 'string');
  if (literal.length === 0) return raw;
  const sealed = Object.fromEntries(literal.map((name) => [name, Secret.literal(String(attributes[name]))]));
  return { ...raw, attributes: { ...attributes, ...sealed } };
}

function documentFindings({ value, origin }: RawDocument, words: OtherWords | undefined): readonly PlacedFinding[] {
  const found = schemaFindings(value, 'source', { words });
  const [first] = found;
  const other = first !== undefined && isOfAnotherProgram(value, found) ? [ofAnotherProgram(first, origin)] : found;
  return placed([...other, ...emptySections(value)], origin);
}

/** True if no key of a document is like a section, and nothing below it like a declaration. */
function isOfAnotherProgram(value: Json, found: readonly RuleFinding[]): boolean {
  if (!isJsonObject(value) || found.length !== Object.keys(value).length || !found.every(isLikeNone)) return false;
  const isLikeDeclaration = (below: Json) =>
    isJsonObject(below) &&
    kindsInOrder.some((kind) => Object.keys(below).filter((name) => Object.hasOwn(fieldsOf[kind], name)).length > 1);
  return ![value, ...Object.values(value)].some((each) => Object.values(each ?? {}).some(isLikeDeclaration));
}

function ofAnotherProgram({ pointer, hint = '' }: RuleFinding, { file }: Origin): RuleFinding {
  return {
    code: 'unknown-field',
    message: 'Nothing in this document looks like a declaration.',
    hint: /[^\w./ -]/.test(file)
      ? `${hint} If another program reads this file, move it out of the folders of \`sources\`.`
      : `${hint} If another program reads this file, and it never declared anything, add \`"!${file}"\` to \`sources\` in almanac.yaml, behind the patterns of yours.`,
    pointer,
    at: 'key',
  };
}

/** A section without entries is allowed, and mostly left over. `{}` means that it is empty on purpose. */
function emptySections(value: Json): readonly RuleFinding[] {
  if (!isJsonObject(value)) return [];
  return [...sections, audienceSection].flatMap((name): readonly RuleFinding[] => {
    if (value[name] !== null) return [];
    return [
      {
        code: 'empty-section',
        message: `\`${name}\` is empty, so it declares nothing.`,
        hint: 'Write its entries below it, indented, or remove the line.',
        pointer: pointerTo(name),
        at: 'key',
      },
    ];
  });
}

/** The rules' shared context: the settings, and memoized answers for thousands of schedules. */
function ruleContext({ operations, now, rows, permissions, words }: ValidateOptions): RuleContext {
  const fires = memoize((cron: Cron) => memoize((zone) => runsAgain(cron, zone, now)));
  return {
    operations,
    words,
    firesAgain: (cron, zone) => fires(cron)(zone),
    dividing: new Set(rows?.filters),
    table: permissions && valuesOfTable(permissions),
  };
}

function valuesOfTable(permissions: Permissions): ValuesOfTable {
  const values = once(() => new Set(permissions.permissions().map(({ shows }) => shows)));
  const near = once(() => nearTexts(values()));
  return {
    file: permissions.file,
    get values() {
      return values();
    },
    nearly: (text) => near()(text),
  };
}

/** The entries of moved, adopt and removed that are valid by their schema. */
function entriesIn(
  documents: readonly RawDocument[],
  findings: readonly (readonly PlacedFinding[])[],
): Pick<Desired, 'moves' | 'adoptions' | 'removals'> {
  const entries = (name: string) =>
    documents.flatMap(({ value, origin }, document) => {
      const list = isJsonObject(value) ? value[name] : undefined;
      if (!Array.isArray(list)) return [];
      const broken = new Set(
        findings[document]?.map(({ place }) => pointerSegments(place.pointer).slice(0, 2).join('/')),
      );
      return list.flatMap((entry: Json, index) => {
        if (!isJsonObject(entry) || broken.has(`${name}/${index}`)) return [];
        const text = (field: string) => String(entry[field]);
        const names = environmentsIn(entry['in']);
        return [{ from: text('from'), to: text('to'), id: text('id'), in: names, origin: below(origin, name, index) }];
      });
    });
  return {
    moves: entries('moved').map(({ from, to, origin }) => ({ from, to, origin })),
    // Case makes no difference in a UUID; the service writes lower case.
    adoptions: entries('adopt').map(({ to, id, in: names, origin }) => ({
      to,
      id: id.toLowerCase(),
      in: names,
      origin,
    })),
    removals: entries('removed').map(({ from, in: names, origin }) => ({ from, in: names, origin })),
  };
}

// Checks one resource against its schema and the rules. A finding is placed at the value, which may be in a default
// elsewhere, and never reveals the value of a secret.

/** `faulty` are the audiences with findings, which are reported there. */
function resourceFindings(
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
  const found = schemaFindings(value, kind, {
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
  const variable = words.code === 'wrong-type' ? variableAt(raw, pointer) : undefined;
  return { ...words, ...placed, ...(variable && { related: [...(placed.related ?? []), variable] }) };
}

/** A password of an item is written in the item, although the finding is about the field. */
function isAboutItem({ code }: Pick<RuleFinding, 'code'>, { origins }: Resource): boolean {
  if (code !== 'secret-in-plain-text') return false;
  return [...(origins?.given.values() ?? [])].some(({ by }) => by.some(({ place }) => place.kind === 'item'));
}

interface CheckedAudiences {
  readonly findings: readonly Finding[];
  /** The names of those with findings of their own. */
  readonly faulty: ReadonlySet<string>;
}

/**
 * Checks the audiences of a workspace, which has resources of these kinds, and that each is used. A mistake in one is
 * reported there alone, and not again for every schedule that uses it.
 */
function checkAudiences(
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
  const bySchema = schemaFindings(value, 'audience', {
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

// Reports a resource that takes only addresses or only groups of an audience. An audience may have both, which two
// fields of a schedule take. Whoever takes one of the two mostly means all of its people.

function audiencesInPart(resource: Resource, audiences: Audiences): readonly Finding[] {
  const { kind, origins } = resource;
  const { email, group } = receiversAt(kind);
  if (audiences.size === 0) return [];
  if (origins === undefined || email === undefined || group === undefined || destinationOf(resource) !== 'email')
    return [];
  const parts = [
    { field: email, otherField: group, lackingWords: 'user groups' },
    { field: group, otherField: email, lackingWords: 'e-mail addresses' },
  ];
  return parts.flatMap(({ field, otherField, lackingWords }) => {
    const taken = new Set(audiencesIn(origins, otherField));
    const inPart = new Set(audiencesIn(origins, field));
    const [taking, lacking] = [field, otherField].map((pointer) => pointerSegments(pointer).join('.'));
    return [...inPart].flatMap((name): readonly Finding[] => {
      const audience = audiences.get(name);
      if (audience === undefined || taken.has(name) || !isBoth(audience)) return [];
      return [
        {
          code: 'audience-in-part',
          message: `The ${lackingWords} of the audience \`${name}\` receive nothing: \`${taking}\` takes the rest of the audience, and \`${lacking}\` does not name the audience.`,
          hint: `Write \`${lacking}: \${audience.${name}}\` as well, or use an audience of its own for each.`,
          ...findingAt(resource, field),
        },
      ];
    });
  });
}

function isBoth({ attributes: { emails, userGroups } }: Audience): boolean {
  return [emails, userGroups].every((list) => list !== undefined && list !== null);
}
