// Divides the program: V8 reads all of a file that it loads, so program.cjs holds what every command starts with, plan.cjs
// what every plan and validate runs, findings.cjs what they run only where they show a finding, write a comment or fail,
// faults.cjs what says what a schema has against a value, apply.cjs what an apply needs as well, ci.cjs what the jobs of a CI
// do around them, and others.cjs the rest. Each module is in one part; another part of the same build gets it from there.

import { relative, resolve } from 'node:path';
import { build } from 'esbuild';

/** The modules that each part begins with, and what they import at once, unless an earlier part has it. */
const beginnings = {
  program: [
    'src/process.ts',
    // The steps of a CI and a plan share these, and no step waits until what plans is read.
    'src/files/git.ts',
    'src/model/workspace/state-place.ts',
    'src/report/text/markdown-parts.ts',
    'src/report/text/terminal-text.ts',
  ],
  plan: [
    'src/commands/base/run.ts',
    'src/commands/plan/plan.ts',
    'src/commands/validate/validate.ts',
    'src/cron/describe-cron.ts',
    'src/files/fs-workspace.ts',
    'src/files/paths.ts',
    'src/state/file/file-state.ts',
    'src/state/git/checkout.ts',
    'src/commands/base/left-state.ts',
  ],
  findings: [
    'src/commands/base/report-failure.ts',
    'src/commands/plan/base.ts',
    'src/declare/value-places.ts',
    'src/declare/words/other-words.ts',
    'src/report/plan/plan-markdown.ts',
    'src/yaml/cut-texts.ts',
    'src/yaml/locate.ts',
    'src/yaml/parse-source.ts',
  ],
  faults: ['src/declare/compiled.js'],
  apply: [
    'src/commands/apply/apply.ts',
    'src/files/growing-file.ts',
    'src/observe/observe.ts',
    'src/omni/http-api.ts',
    'src/state/log/log-store.ts',
  ],
  ci: [
    'src/commands/ci/comments/comment.ts',
    'src/commands/ci/commands/run.ts',
    'src/commands/ci/github/pull-request.ts',
    'src/commands/ci/github/state-rules.ts',
    'src/commands/ci/gitlab/apply.ts',
    'src/commands/ci/gitlab/check.ts',
    'src/commands/ci/gitlab/review.ts',
    'src/commands/ci/issues/keep-issue.ts',
    'src/commands/ci/reviews/reviewed.ts',
    'src/commands/ci/runner/git.ts',
  ],
};

/** Modules that export only functions, and are loaded when one of these is called, however they are imported. */
const calledLate = new Set(['src/declare/compiled.js']);

/** For each part its entry, and an esbuild plugin that gets from the other parts what they have. `options`: of esbuild. */
export async function partsOf(options) {
  const entry = 'src/process.ts';
  const { metafile } = await build({ ...options, entryPoints: [entry], write: false, legalComments: 'none' });
  const { inputs } = metafile;
  const partOf = new Map();
  for (const [part, modules] of Object.entries(beginnings)) take(part, modules);
  for (const module of Object.keys(inputs)) if (!partOf.has(module)) partOf.set(module, 'others');
  const parts = [...new Set(partOf.values())];
  const given = new Set(crossings().map(({ to }) => to));
  const namesIn = await exportsOf([...given]);
  return parts.map((part) => ({ entryPoints: { [part]: `part:${part}` }, plugin: plugin(part) }));

  function take(part, modules) {
    for (const module of modules) {
      if (inputs[module] === undefined)
        throw new Error(`scripts/parts.mjs names ${module}, which is not in the program.`);
      if (partOf.has(module)) continue;
      partOf.set(module, part);
      take(
        part,
        importsOf(module).flatMap(({ path, isLate }) => (isLate ? [] : path)),
      );
    }
  }

  function importsOf(module) {
    return inputs[module].imports.flatMap(({ path, kind, external = false }) =>
      external ? [] : { path, isLate: kind === 'dynamic-import' || calledLate.has(path) },
    );
  }

  function crossings() {
    return Object.keys(inputs).flatMap((from) =>
      importsOf(from).flatMap(({ path: to }) => (partOf.get(from) === partOf.get(to) ? [] : { from, to })),
    );
  }

  /** The names that each of these modules exports; none for a CommonJS module. */
  async function exportsOf(modules) {
    const alone = ({ onResolve }) => onResolve({ filter: /^/ }, ({ kind }) => ({ external: kind !== 'entry-point' }));
    const plugins = [{ name: 'alone', setup: alone }];
    const built = await build({ ...options, entryPoints: modules, format: 'esm', write: false, plugins });
    return new Map(Object.values(built.metafile.outputs).map(({ entryPoint, exports }) => [entryPoint, exports]));
  }

  /** What stands for a module in another part: names of its own, because those of a CommonJS module are copied for each importer. */
  function standIn(other, module) {
    const exported = `require('./${other}.cjs').modulesFor(almanacBuild)[${JSON.stringify(module)}]()`;
    const names = namesIn.get(module);
    if (names.length === 0) return `module.exports = ${exported};`;
    if (!calledLate.has(module)) return `export const { ${names.join(', ')} } = ${exported};`;
    const calls = names.map((name) => `export const ${name} = (...args) => all().${name}(...args);`);
    return `const all = () => ${exported}; ${calls.join(' ')}`;
  }

  function plugin(part) {
    const modules = [...given].filter((module) => partOf.get(module) === part);
    const gives = modules.map(
      (module) => `${JSON.stringify(module)}: () => require(${JSON.stringify(resolve(module))})`,
    );
    const isMain = partOf.get(entry) === part;
    const contents = `${isMain ? `export * from ${JSON.stringify(resolve(entry))};` : ''}
      const modules = { ${gives.join(',\n')} };
      export function modulesFor(build) {
        if (build === almanacBuild) return modules;
        throw new Error('The files of Almanac are of two builds: it was installed again while it ran, or not as a whole.');
      }`;
    return {
      name: 'parts',
      setup: ({ onLoad, onResolve, resolve: resolveAs }) => {
        onResolve({ filter: /^part:/ }, ({ path }) => ({ path, namespace: 'part' }));
        onLoad({ filter: /^/, namespace: 'part' }, () => ({ contents, resolveDir: '.' }));
        onResolve({ filter: /^/ }, async ({ path, pluginData, ...from }) => {
          if (pluginData === plugin || from.namespace === 'other-part' || from.kind === 'entry-point') return undefined;
          const found = await resolveAs(path, { ...from, pluginData: plugin });
          const module = relative('', found.path);
          const other = found.external ? part : (partOf.get(module) ?? part);
          return other === part ? found : { path: `${other}:${module}`, namespace: 'other-part' };
        });
        onLoad({ filter: /^/, namespace: 'other-part' }, ({ path }) => {
          const [other, module] = path.split(':');
          return { contents: standIn(other, module) };
        });
        onResolve({ filter: /^/, namespace: 'other-part' }, ({ path }) => ({ path, external: true }));
      },
    };
  }
}
