// A workspace of texts: every source lies in schedules/, and nothing is read from a disk.

import type { Workspace } from '../../src/declare/workspace.ts';
import { byCodeUnit } from '../../src/model/values/json.ts';

export function makeMemoryWorkspace(files: Readonly<Record<string, string>>): Workspace {
  const sources = Object.keys(files)
    .filter((path) => path.startsWith('schedules/') && path.endsWith('.yaml'))
    .sort(byCodeUnit);
  const never = () => {
    throw new Error('no test needs it');
  };
  const read: Workspace['read'] = (path) => {
    const text = files[path];
    if (text !== undefined) return { text };
    return { finding: { code: 'unreadable-file', message: 'It is not there.', place: { file: path } } };
  };
  return {
    root: '/workspace',
    configFile: files['almanac.yaml'] === undefined ? undefined : 'almanac.yaml',
    list: async () => sources,
    among: never,
    resolve: async (paths) => ({ files: sources.filter((path) => paths.includes(path)), findings: [] }),
    read,
    readReference: read,
    readInRepository: read,
    exists: (path) => files[path] !== undefined,
    write: never,
    readOnlyReason: () => undefined,
    replace: never,
    prepare: never,
    locate: never,
    inRepository: () => '',
    isTracked: never,
    repository: () => undefined,
    readOutside: never,
    findWritable: never,
    writeOutside: never,
  };
}
