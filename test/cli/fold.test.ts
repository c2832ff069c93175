// `almanac fold` where it must not write: a read-only file, a signal, a change meanwhile. What it folds is in the transcripts.

import { appendFileSync, chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { renderAlike } from '../../src/commands/fold/fold.ts';
import type { FoldDocument } from '../../src/commands/fold/fold-document.ts';
import { openWorkspace } from '../../src/files/fs-workspace.ts';
import { plainTheme } from '../../src/report/text/theme.ts';
import { mail } from '../support/vocabulary.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const sales = (more: object = {}) => ({
  schedules: Object.fromEntries(
    ['emea', 'amer', 'apac'].map((key) => [`sales-${key}`, mail({ name: `Sales of ${key}`, ...more })]),
  ),
});

describe('fold', () => {
  it('changes no read-only file, and nothing else that needs it', async () => {
    const text = stringify(sales());
    const workspace = workspaceIn(makeFolder({ 'schedules/a.yaml': text }), {});
    chmodSync(join(workspace.path, 'schedules/a.yaml'), 0o444);
    const { code, stdout } = await workspace.run('fold', 'kind:schedule');
    expect(code).toBe(1);
    expect(stdout).toContain('schedules/a.yaml cannot be written');
    expect(workspace.read('schedules/a.yaml')).toBe(text);
  });

  describe('in several files', () => {
    const texts = {
      'schedules/a.yaml': stringify(sales()),
      'schedules/c.yaml': stringify({
        schedules: Object.fromEntries(
          Object.entries(sales({ identifier: '23ec2b1b' }).schedules).map(([key, each]) => [`copy-of-${key}`, each]),
        ),
      }),
    };

    /** `prepared`: runs as soon as this many new files lie beside the old ones. */
    const stagedFold = async (prepared: (count: number, folder: string, ended: AbortController) => void) => {
      const folder = makeFolder(texts);
      const ended = new AbortController();
      let count = 0;
      const workspace = workspaceIn(
        folder,
        {},
        {
          signal: ended.signal,
          openWorkspace: async (options) => {
            const opened = await openWorkspace(options);
            const prepare: typeof opened.prepare = async (...file) => {
              const result = await opened.prepare(...file);
              count += 1;
              prepared(count, folder.path, ended);
              return result;
            };
            return { ...opened, prepare };
          },
        },
      );
      const finished = await workspace.run('fold', 'kind:schedule');
      const read = Object.fromEntries(Object.keys(texts).map((path) => [path, workspace.read(path)]));
      return { ...finished, count, read, left: readdirSync(join(folder.path, 'schedules')) };
    };

    it('changes nothing and leaves nothing where a signal ends it while it prepares the files', async () => {
      const { code, stderr, count, read, left } = await stagedFold((_, __, ended) => ended.abort());
      expect([code, count]).toEqual([1, 1]);
      expect(stderr).toContain('Interrupted; no file was changed.');
      expect(read).toEqual(texts);
      expect(left).toEqual(['a.yaml', 'c.yaml']);
    });

    it('fold in several files is taken back where one of them is changed at the last moment', async () => {
      const { code, read, left } = await stagedFold((count, folder) => {
        if (count === 2) appendFileSync(join(folder, 'schedules/c.yaml'), '# mine\n');
      });
      expect(code).toBe(1);
      expect(read).toEqual({ ...texts, 'schedules/c.yaml': `${texts['schedules/c.yaml']}# mine\n` });
      expect(left).toEqual(['a.yaml', 'c.yaml']);
    });
  });

  it('fold says a reason once, with all that are left for it', () => {
    const left = ['a', 'b'].map((name) => ({
      file: `${name}.yaml`,
      addresses: [`schedules.${name}`],
      message: 'Why.',
    }));
    const document: FoldDocument = {
      ...{ formatVersion: 1, files: [], empty: [], loops: [], notFolded: left, unread: [], declarations: 2 },
    };
    const text = renderAlike(document, { theme: plainTheme, width: 80 });
    expect(text).toBe('Not folded: schedules.a, schedules.b\n  Why.\n\nNothing is alike in 2 declarations.\n');
  });
});
