import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pathInRepository } from '../../src/files/paths.ts';
import { makeFolder } from '../support/workspace.ts';

function folders() {
  const { path } = makeFolder();
  const workspace = join(path, 'checkout/reports/omni');
  mkdirSync(workspace, { recursive: true });
  return { path, checkout: join(path, 'checkout'), workspace };
}

describe('the path in the repository', () => {
  it('a path in the repository is relative to the folder of .git, a folder or the file of a worktree', () => {
    const { checkout, workspace } = folders();
    writeFileSync(join(checkout, '.git'), 'gitdir: elsewhere');
    expect(pathInRepository(workspace, [])).toBe('reports/omni');
    expect(pathInRepository(checkout, [])).toBe('');
  });

  it('a path in the repository is relative to the folder of the CI if there is no git', () => {
    const { checkout, workspace } = folders();
    expect(pathInRepository(workspace, [checkout])).toBe('reports/omni');
    expect(pathInRepository(workspace, [`${checkout}/`])).toBe('reports/omni');
  });

  it('a path in the repository is relative to the nearer of the git root and the CI folder', () => {
    const { path, checkout, workspace } = folders();
    mkdirSync(join(checkout, '.git'));
    expect(pathInRepository(workspace, [path])).toBe('reports/omni');
    expect(pathInRepository(workspace, [join(checkout, 'reports')])).toBe('omni');
  });

  it('a path in the repository follows links', () => {
    const { path, checkout, workspace } = folders();
    symlinkSync(checkout, join(path, 'link'));
    expect(pathInRepository(workspace, [join(path, 'link')])).toBe('reports/omni');
    mkdirSync(join(checkout, '.git'));
    expect(pathInRepository(join(path, 'link/reports/omni'), [])).toBe('reports/omni');
  });

  it('a path in the repository ignores a CI folder that is elsewhere or does not exist', () => {
    const { path, checkout, workspace } = folders();
    mkdirSync(join(checkout, '.git'));
    expect(pathInRepository(workspace, [join(path, 'nowhere'), '', 'relative'])).toBe('reports/omni');
  });
});
