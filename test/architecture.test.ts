// The layers of src and the form of its files, read from the import lines. A rule that is only written in prose drifts.

import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';

type Layer = keyof typeof layers;

/** commander, with types that know the options of a command. */
const commandParser = '@commander-js/extra-typings';

/** What each layer may import: other layers, and packages. The tables are closed: a new one is a decision. */
const layers = {
  model: { layers: [], packages: [] },
  cron: { layers: ['model'], packages: ['cronstrue', 'cron-validator'] },
  parse: { layers: ['model', 'cron'], packages: ['js-yaml', 'yaml'] },
  validate: { layers: ['model', 'cron', 'parse'], packages: [] },
  plan: { layers: ['model', 'cron'], packages: ['diff'] },
  // yaml writes what an import makes, as parse reads it.
  render: { layers: ['model', 'cron', 'webhook'], packages: ['diff', 'yaml'] },
  // What receivers of webhooks import: as little as can be.
  webhook: { layers: ['model'], packages: ['node:crypto'] },
  ports: { layers: ['model'], packages: [] },
  engine: {
    layers: ['model', 'cron', 'parse', 'validate', 'plan', 'render', 'webhook', 'ports'],
    packages: ['node:crypto', 'node:util'],
  },
  adapters: {
    layers: ['model', 'parse', 'render', 'ports'],
    packages: ['node:*', 'undici', 'tinyglobby', 'aws4fetch', 'postgres'],
  },
  // It shares no code with the rest: one misreading of the API must not cancel itself out.
  emulator: { layers: [], packages: ['node:*'] },
  commands: {
    layers: [
      'model',
      'cron',
      'parse',
      'validate',
      'plan',
      'render',
      'webhook',
      'ports',
      'engine',
      'emulator',
      'published-schemas.ts',
      'version.ts',
    ],
    // Paths that users give on the command line are those of their system, drives of Windows included.
    packages: ['node:path', commandParser],
  },
  'main.ts': { layers: ['commands'], packages: [commandParser] },
  'published-schemas.ts': { layers: ['model'], packages: [] },
  'version.ts': { layers: [], packages: [] },
  'cli.ts': { layers: ['adapters', 'process.ts', 'version.ts'], packages: ['node:*'] },
  'process.ts': { layers: ['adapters', 'commands', 'main.ts', 'version.ts'], packages: ['node:*'] },
  // What a thread runs.
  'index.ts': {
    layers: [
      'model',
      'cron',
      'parse',
      'validate',
      'plan',
      'render',
      'webhook',
      'ports',
      'engine',
      'adapters',
      'emulator',
    ],
    packages: [],
  },
} as const satisfies Record<string, { layers: readonly string[]; packages: readonly string[] }>;

/** Arithmetic on texts: the only part of Node that every layer may use. */
const pureNode = 'node:path/posix';

/** Time, chance and the environment come to these through ports. */
const pure: readonly Layer[] = ['model', 'cron', 'parse', 'validate', 'plan', 'render', 'webhook', 'ports', 'engine'];
const impurities =
  /\bconsole\.\w|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\.\w|\b(?:setTimeout|setInterval|setImmediate|queueMicrotask|fetch)\(/g;
const ofTheProcess = /\bprocess\.\w|\bglobalThis\b/g;
const mayTouchTheProcess: readonly Layer[] = ['cli.ts', 'process.ts', 'adapters'];

/**
 * The rooms of each layer, with the rooms of the same layer that each may import. The files that stand in the layer's
 * own folder tie its rooms together and may import them all; a room imports those only where the table says '.'.
 */
const rooms: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  model: {
    values: [],
    workspace: ['values'],
    service: ['workspace', 'values'],
    fields: ['workspace', 'values'],
    plan: ['service', 'workspace', 'values'],
    people: ['workspace', 'values'],
    // How they went, and what was delivered now.
    deliveries: ['values'],
  },
  cron: { zones: [] },
  parse: { expand: ['written', '.'], format: ['.'], edit: ['format', '.'], written: ['.'], state: ['.'] },
  plan: { dangers: [] },
  validate: {
    findings: [],
    formats: ['findings'],
    checks: ['findings'],
    environments: ['findings'],
    rules: ['checks', 'environments', 'findings', 'formats'],
    online: ['findings'],
  },
  render: {
    text: [],
    table: ['text'],
    report: ['table', 'text'],
    fields: ['report', 'text'],
    plan: ['fields', 'report', 'text'],
    drift: ['plan', 'fields', 'report', 'text'],
    diagnostics: ['report', 'text'],
    apply: ['plan', 'fields', 'report', 'text'],
    next: ['fields', 'text'],
    documents: ['table', 'fields', 'text'],
    resolved: ['text'],
    fold: ['report', 'text'],
    people: ['table', 'report', 'text'],
    state: ['plan', 'table', 'fields', 'report', 'text'],
    doctor: ['report', 'text'],
    status: ['report', 'text'],
    trigger: ['report', 'text'],
    scaffold: ['text'],
  },
  engine: {
    load: [],
    state: [],
    // Who a declared owner is.
    owners: [],
    service: ['owners', 'load'],
    // Which resources a question is about.
    choose: ['load'],
    propose: ['choose', 'service', 'state', 'load'],
    apply: ['propose', 'service', 'owners', 'state', 'load'],
    import: ['propose', 'service', 'state', 'load'],
    // Where values come from.
    origins: ['load'],
    // How source files are edited, and what is proven first.
    edit: ['origins', 'propose', 'load'],
    drift: ['edit', 'origins', 'propose', 'service', 'load'],
    fold: ['edit', 'import', 'propose', 'load'],
    // Who receives what. What each schedule of the service is asked resumes as an import.
    people: ['import', 'owners', 'origins', 'propose', 'choose', 'service', 'load'],
    // What leaves with somebody: the places in the files, and what is asked of Omni and done there.
    leaving: ['people', 'choose', 'edit', 'owners', 'origins', 'propose', 'service', 'state', 'load'],
    'ai-jobs': ['propose', 'service'],
    doctor: ['propose', 'service', 'state', 'load'],
    // Of what runs already: neither knows of a plan.
    status: ['choose', 'service'],
    trigger: ['apply', 'choose', 'service', 'state', 'load'],
  },
  // The connections, proxies and masks of http serve a state in S3 as well.
  adapters: { system: [], files: [], state: ['http', 'files'], http: ['answers'], answers: [] },
  emulator: {
    store: [],
    pipeline: ['store'],
    webhooks: ['pipeline', 'store'],
    documents: ['pipeline', 'store'],
    people: ['documents', 'pipeline', 'store'],
    dashboards: ['documents', 'pipeline', 'store'],
    'schedule-rules': ['pipeline', 'store'],
    runs: ['schedule-rules', 'documents', 'pipeline', 'store'],
    schedules: ['schedule-rules', 'documents', 'pipeline', 'store'],
    'ai-jobs': ['webhooks', 'pipeline', 'store'],
  },
  commands: {
    base: [],
    plan: ['base'],
    // Writes source files.
    files: ['base'],
    drift: ['files', 'plan', 'base'],
    apply: ['plan', 'base'],
    state: ['base'],
    show: ['state', 'plan', 'base'],
    help: ['base'],
    validate: ['base'],
    import: ['base'],
    documents: ['base'],
    doctor: ['base'],
    next: ['base'],
    who: ['import', 'base'],
    offboard: ['files', 'import', 'base'],
    status: ['trigger', 'base'],
    trigger: ['base'],
    test: ['base'],
    ai: ['base'],
    webhook: ['base'],
    emulator: ['base'],
    init: ['base'],
    fmt: ['files', 'base'],
    fold: ['files', 'base'],
    schema: ['base'],
    completion: ['base'],
  },
};

/** Where the command line is declared: the program, and one file in the room of each command. */
const declaresOptions = /^src\/(?:main|commands\/program|commands\/[a-z]+\/(?:command|option-values|when-values))\.ts$/;
/** It imports each command when that is called. */
const lazyTable = 'src/commands/table.ts';
const maxLines = 400;
const maxFiles = 22;
const maxImports = 25;
/** Tables of data may be longer. */
const dataTables = [/^src\/model\/fields\/[a-z-]+-fields\.ts$/, /^src\/emulator\/store\/demo-organization\.ts$/];
const namesThatSayNothing = /(?:^|\/)(?:utils?|helpers?|common|misc|types|shared|index)\.ts$/;

interface Import {
  readonly file: string;
  readonly from: string;
  /** The type of its options, which an action takes from its command; the command loads the action when it is called. */
  readonly isOfOptions: boolean;
  /** A file of this repository; undefined for a package. */
  readonly target: string | undefined;
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((path) => `src/${path.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
  .sort();
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const imports = files.flatMap((file) => importsOf(file));

describe('the layers', () => {
  test('all layers of src are known', () => {
    expect([...new Set(files.map(layerOf))].filter((layer) => !Object.hasOwn(layers, layer))).toEqual([]);
  });

  test('layers import only what lies below them', () => {
    const strays = imports.filter(({ file, target }) => {
      if (target === undefined || target.endsWith('.json')) return false;
      const [from, to] = [layerOf(file), layerOf(target)];
      return from !== to && !(layers[from].layers as readonly string[]).includes(to);
    });
    expect(strays.map(inWords)).toEqual([]);
  });

  test('layers have only known rooms, each importing only the rooms below it', () => {
    const strays = imports.filter(({ file, target }) => {
      const layer = layerOf(file);
      if (target === undefined || target.endsWith('.json') || layer !== layerOf(target)) return false;
      const [from, to] = [roomOf(file), roomOf(target)];
      return from !== to && from !== '.' && !(rooms[layer]?.[from] ?? []).includes(to);
    });
    expect(strays.map(inWords)).toEqual([]);
    const unknown = files.filter((file) => roomOf(file) !== '.' && rooms[layerOf(file)]?.[roomOf(file)] === undefined);
    expect(unknown).toEqual([]);
  });

  test('the places of a shared state know neither each other nor the store', () => {
    const placeOf = (file: string) => /^src\/adapters\/state\/(git|s3|postgres|shared)\//.exec(file)?.[1];
    const strays = imports.filter(({ file, target }) => {
      const [from, to] = [placeOf(file), target === undefined ? undefined : placeOf(target)];
      return from !== undefined && from !== 'shared' && to !== undefined && to !== from;
    });
    expect(strays.map(inWords)).toEqual([]);
    // The store loads each of them, and only where it is chosen.
    const loaded = imports.filter(
      ({ file, target }) => placeOf(file) === 'shared' && placeOf(target ?? '') !== 'shared',
    );
    expect(loaded.some(({ target }) => target?.includes('/git/'))).toBe(true);
  });

  test(`folders hold at most ${maxFiles} files`, () => {
    const counts = new Map<string, number>();
    for (const file of files) counts.set(posix.dirname(file), (counts.get(posix.dirname(file)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > maxFiles)).toEqual([]);
  });

  test('layers import only their packages', () => {
    const strays = imports.filter(({ file, from, target }) => {
      if (target !== undefined) return false;
      const packages: readonly string[] = layers[layerOf(file)].packages;
      if (from === pureNode) return false;
      return !packages.includes(from) && !(from.startsWith('node:') && packages.includes('node:*'));
    });
    expect(strays.map(inWords)).toEqual([]);
  });

  test('layers have no import cycle, the type of options aside', () => {
    expect(findCycle()).toBeUndefined();
  });

  test('only the program and the commands that declare options import the parser of the command line', () => {
    const strays = imports.filter(({ file, from }) => from === commandParser && !declaresOptions.test(file));
    expect(strays.map(inWords)).toEqual([]);
  });
});

describe('the core', () => {
  test('the core reads no clock, draws no random number and prints nothing', () => {
    expect(occurrences(impurities, (layer) => pure.includes(layer))).toEqual([]);
  });

  test('only the command line and the adapters use the process', () => {
    expect(occurrences(ofTheProcess, (layer) => !mayTouchTheProcess.includes(layer))).toEqual([]);
  });
});

describe('secrets', () => {
  /** On the way to the service; to compare, to look for, and to mask them. */
  const mayReveal = [
    'src/adapters/http/wire.ts',
    'src/commands/base/print-diagnostics.ts',
    'src/commands/drift/write-drift.ts',
    'src/engine/apply/find-sent.ts',
    'src/engine/import/secrets/imported-variables.ts',
    'src/engine/propose/fingerprint-secrets.ts',
    'src/engine/propose/known-secrets.ts',
    'src/engine/propose/secret-keys.ts',
    'src/model/workspace/reveal-secrets.ts',
    'src/validate/rules/unique.ts',
  ];

  test('become text only in the files that are listed here', () => {
    const reveals = files.filter((file) => /\.reveal(?:All)?\(\)/.test(texts.get(file) ?? ''));
    expect(reveals.filter((file) => layerOf(file) !== 'emulator')).toEqual(mayReveal);
  });
});

describe('every file', () => {
  test(`every file has at most ${maxLines} lines, apart from tables of data`, () => {
    const long = files.filter(
      (file) => lineCount(file) > maxLines && !dataTables.some((pattern) => pattern.test(file)),
    );
    expect(long.map((file) => `${file}: ${lineCount(file)}`)).toEqual([]);
  });

  test(`every file has at most ${maxImports} imports`, () => {
    const counts = files.map((file) => [file, imports.filter((each) => each.file === file).length] as const);
    expect(counts.filter(([file, count]) => count > maxImports && file !== lazyTable)).toEqual([]);
  });

  test('every file starts with its purpose', () => {
    expect(files.filter((file) => !/^(?:#!.*\n\n?)?\/\/ \S/.test(texts.get(file) ?? ''))).toEqual([]);
  });

  test('every file is named after its export, in kebab-case', () => {
    const named = files.filter((file) => file !== 'src/index.ts');
    expect(named.filter((file) => namesThatSayNothing.test(file))).toEqual([]);
    expect(named.filter((file) => !/^src\/(?:[a-z0-9-]+\/)*[a-z0-9-]+\.ts$/.test(file))).toEqual([]);
  });

  test('no file calls URL.canParse, which Node 20 gets wrong for letters beyond ASCII', () => {
    expect(occurrences(/\bcanParse\b/g, () => true)).toEqual([]);
  });

  test('every file has named exports only', () => {
    expect(occurrences(/^export default\b/gm, () => true)).toEqual([]);
  });
});

function importsOf(file: string): readonly Import[] {
  const text = code(texts.get(file) ?? '');
  const specifiers = [
    ...text.matchAll(/^(?:import|export)\s[^;'"]*?\bfrom\s+'([^']+)'/gm),
    ...text.matchAll(/^import\s+'([^']+)'/gm),
    ...text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g),
  ];
  return specifiers.map(([line, from = '']) => ({
    file,
    from,
    isOfOptions: line.startsWith('import type ') && from === './command.ts',
    target: from.startsWith('.') ? posix.join(posix.dirname(file), from) : undefined,
  }));
}

/** Without comments: they may speak of what the code may not do. */
function code(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

function layerOf(file: string): Layer {
  return file.split('/')[1] as Layer;
}

/** The folder of a file inside its layer; '.' for the layer's own. */
function roomOf(file: string): string {
  return file.split('/').slice(2, -1)[0] ?? '.';
}

function lineCount(file: string): number {
  return (texts.get(file) ?? '').split('\n').length - 1;
}

function inWords({ file, from }: Import): string {
  return `${file} imports ${from}`;
}

function occurrences(pattern: RegExp, counts: (layer: Layer) => boolean): readonly string[] {
  return files
    .filter((file) => counts(layerOf(file)))
    .flatMap((file) => [...code(texts.get(file) ?? '').matchAll(pattern)].map(([found]) => `${file}: ${found}`));
}

/** The files of one cycle, in the order in which they import each other. */
function findCycle(): readonly string[] | undefined {
  const targets = new Map<string, string[]>();
  for (const { file, target, isOfOptions } of imports) {
    if (target !== undefined && !isOfOptions) targets.set(file, [...(targets.get(file) ?? []), join(target)]);
  }
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const target of targets.get(file) ?? []) {
      const cycle = visit(target, [...path, file]);
      if (cycle !== undefined) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of files) {
    const cycle = visit(file, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
