// Where the references of a source file lead: variables, the environment, and files beside it.

import { dirname, isAbsolute } from 'node:path/posix';
import { isReservedVariable } from '../../model/fields/reserved-variables.ts';
import type { Config } from '../../model/workspace/config.ts';
import type { Scope } from '../../parse/interpolate.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { nearest } from '../../validate/findings/suggest.ts';
import type { Environment } from './load-config.ts';

interface Surroundings {
  readonly workspace: Workspace;
  readonly environment: Environment;
  /** The state that --state names, absolute. */
  readonly stateFile?: string | undefined;
}

const insideOnly = 'Move the file into the workspace, and write its path relative to this file.';

/** How the references of a file are resolved; the path in ${file.…} is relative to the file. */
export function scopes({ workspace, environment, stateFile }: Surroundings, config: Config): (file: string) => Scope {
  const own = config.state.backend === 'local' ? [config.state.path] : [];
  const states = [...own, ...(stateFile === undefined ? [] : [stateFile])];
  return (file) => ({
    variables: config.variables,
    environment,
    isReserved: isReservedVariable,
    nearestVariable: (name) => nearest(name, Object.keys(config.variables)),
    readFile: (path) => {
      if (isAbsolute(path)) {
        const message = `The path \`${path}\` is absolute; a reference is relative to the file that contains it.`;
        return { code: 'reference-outside', message, hint: insideOnly };
      }
      const folder = dirname(file);
      const read = workspace.readReference(`${folder}/${path}`, states);
      if ('text' in read) return read;
      const { code, message, hint = '' } = read.finding;
      if (code === 'reference-outside') return { code, message, hint: insideOnly };
      if (code === 'reference-private') return { code, message, hint };
      const relative = code === 'unreadable-file' ? `The path is relative to ${folder}/.` : hint;
      return { code: 'unreadable-reference', message, hint: relative };
    },
  });
}
