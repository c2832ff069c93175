// esbuild makes a file of its own for each module that is imported later, even if its code is in another chunk and the file
// only hands it on. Each such file is found, read and checked by every run that needs it, so what imports it is made to
// import that chunk.

import { basename } from 'node:path';

/** Nothing but imports, one of them with names, and the export of the same names. */
const facade =
  /^(?=.*\bimport\{(?<names>[^}]*)\}from"\.\/(?<chunk>[^"]+)")(?:import(?:\{[^}]*\}from)?"[^"]+";)+export\{(?<exported>[^}]*)\};$/;

/** `files`: the text of each file by its path. The files that are left, whose imports give what they gave before. */
export function withoutFacades(files) {
  const facades = new Map(
    [...files].flatMap(([path, text]) => {
      const given = givenBy(text);
      return given === undefined ? [] : [[basename(path), given]];
    }),
  );
  const left = [...files].filter(([path]) => !facades.has(basename(path)));
  return new Map(
    left.map(([path, text]) => [
      path,
      text.replaceAll(/\bimport\("(\.[^"]*\/)([^"/]+)"\)/g, (whole, folder, name) => {
        const given = facades.get(name);
        return given === undefined ? whole : `import("${folder}${given.chunk}").then(given=>({${given.names}}))`;
      }),
    ]),
  );
}

/** Undefined for a file that has code of its own. */
function givenBy(text) {
  const { names, chunk, exported } = facade.exec(text.trim())?.groups ?? {};
  if (names === undefined || text.match(/import\{/g).length > 1) return undefined;
  const pairs = names.split(',').map((name) => name.split(' as '));
  if (pairs.map(([name, as = name]) => as).join() !== exported) return undefined;
  return { chunk, names: pairs.map(([name, as = name]) => `${as}:given.${name}`).join() };
}
