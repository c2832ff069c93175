// Turns the chunks of the program, which esbuild can make only as ES modules, into CommonJS modules: Node finds, reads and
// links those in a third of the time.

import { transform } from 'esbuild';

/** The text of a chunk as a CommonJS module. A package that users install themselves is still imported. */
export async function toCommonJs(text) {
  const required = text
    // esbuild keeps the order in which chunks run. No module acts when it is loaded, so one that gives nothing is not needed.
    .replaceAll(/(?<=^|;)import"\.[^"]+";/gm, '')
    .replaceAll(/\bimport\("((?:\.|node:)[^"]+)"\)/g, 'Promise.resolve().then(()=>require("$1"))');
  const { code, warnings } = await transform(required, {
    format: 'cjs',
    // Where it was started from, the program finds what the build put beside it.
    define: { almanacRequire: 'require' },
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
  });
  if (warnings.length > 0) throw new Error(warnings.map(({ text: words }) => words).join('\n'));
  return code;
}
