// Where previews go: the file, the folder or the standard output that --out names, or the folder of previews, which git
// ignores. Names come from the address and the format.

import { basename, dirname, join } from 'node:path';
import type { OpenOutput } from '../../model/outside.ts';
import type { Address } from '../../model/values/address.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { extensionsOf } from '../../observe/downloads/file-type.ts';
import type { Run } from '../base/run.ts';
import type { PreviewOptions } from './preview-command.ts';

/** From the root of the workspace. */
const previews = '.almanac/previews';

export interface PreviewOutput extends OpenOutput {
  /** Undefined for the standard output. */
  readonly nameOf: ((address: Address, extension: string) => string) | undefined;
  /** As people know it, before the name. */
  readonly shown: string;
}

/** Throws Failure usage, and refused for files that are there and must not be replaced. */
export async function openPreviewOutput(
  run: Run,
  { out, force }: PreviewOptions,
  wanted: readonly Resource[],
): Promise<PreviewOutput> {
  const { root } = await run.workspace();
  if (out === '-') {
    if (wanted.length > 1)
      throw new Failure('usage', `--out - takes one preview, and ${wanted.length} schedules were selected.`, {
        hint: 'Name one schedule, or a folder: --out FOLDER.',
      });
    const system = await run.openOutput({ path: undefined, overwrites: false });
    return { ...system, nameOf: undefined, shown: '' };
  }
  if (out === undefined) {
    const path = join(root, previews);
    const folder = await run.openOutput({ path, within: root, ignored: true, overwrites: true });
    return { ...folder, nameOf: fileName, shown: `${previews}/` };
  }
  const path = run.path(out);
  if (wanted.length === 1 && !/[/\\]$/.test(out) && !(await run.isFolder(path))) {
    await run.checkFiles([path]);
    const folder = await run.openOutput({ path: dirname(path), overwrites: force === true });
    const name = basename(path);
    return refuseThere(
      { ...folder, nameOf: () => name, shown: out.slice(0, out.length - name.length) },
      wanted,
      force === true,
    );
  }
  const within = path.startsWith(`${root}/`) ? root : undefined;
  const folder = await run.openOutput({ path, within, overwrites: force === true });
  return refuseThere({ ...folder, nameOf: fileName, shown: out.replace(/[/\\]?$/, '/') }, wanted, force === true);
}

function fileName(address: Address, extension: string): string {
  return `${address}.${extension}`;
}

function refuseThere(output: PreviewOutput, wanted: readonly Resource[], force: boolean): PreviewOutput {
  const names = wanted.flatMap(({ address, attributes }) =>
    extensionsOf(String(attributes['format'])).map((extension) => output.nameOf?.(address, extension) ?? ''),
  );
  const there = force ? undefined : names.find((name) => output.isThere(name));
  if (there === undefined) return output;
  throw new Failure('refused', `${output.shown}${there} is there already; nothing was sent.`, {
    hint: 'Choose another place with --out, or replace it with --force.',
  });
}
