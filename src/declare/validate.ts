// Turns parsed values into the desired state: the schema, rules per resource, then common rules. Returns all findings
// of all files at once.

import { runsAgain } from '../cron/coming-runs.ts';
import type { Cron } from '../cron/cron.ts';
import { secretFieldsOf } from '../model/fields/fields.ts';
import { type Kind, kinds, kindsInOrder, sections } from '../model/values/address.ts';
import { groupBy, pushAll } from '../model/values/collections.ts';
import { isJsonObject, type Json } from '../model/values/json.ts';
import { memoize, once } from '../model/values/memoize.ts';
import { pointerSegments, pointerTo } from '../model/values/pointer.ts';
import { Secret } from '../model/values/secret.ts';
import type { Config, Operations } from '../model/workspace/config.ts';
import { below, type Finding, placeOf, type WithFindings } from '../model/workspace/diagnostic.ts';
import {
  audienceSection,
  type Desired,
  environmentsIn,
  type Loop,
  noAudiences,
  type Resource,
} from '../model/workspace/resource.ts';
import type { RawDocument } from '../yaml/raw-document.ts';
import { validateSource } from './compiled.js';
import {
  type Elsewhere,
  entriesHere,
  entriesNameEnvironments,
  knownEntries,
  nothingElsewhere,
  unknownNames,
  withoutIn,
} from './environments.ts';
import type { AudienceUse } from './expand/use-audience.ts';
import { nearTexts } from './findings/near-text.ts';
import {
  type OtherWords,
  type PlacedFinding,
  placed,
  type RuleContext,
  type RuleFinding,
  type ValuesOfTable,
} from './findings/rule.ts';
import { kindsOfDeclaration } from './kinds-of-declaration.ts';
import type { Permissions } from './rows/permissions.ts';
import { audiencesInPart } from './rules/audience-in-part.ts';
import { expandMoves, referencesHold } from './rules/moved-and-adopted.ts';
import { uniqueAddresses, unlessUnique } from './rules/unique.ts';
import { schemaFindings } from './schema-findings.ts';
import { throughSink } from './sinks.ts';
import { checkAudiences, resourceFindings } from './validate-resource.ts';

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
  return placed([...schemaFindings(value, validateSource, 'source', { words }), ...emptySections(value)], origin);
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
