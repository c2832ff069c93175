// Why a file cannot be written, in words that lead somewhere.

import { expect, it, onTestFinished } from 'vitest';
import { whyOf } from '../../src/files/file-system.ts';

it("what Yarn's Plug'n'Play lacks is named with the way out", () => {
  const lacking = new Error('Method not implemented.');
  expect(whyOf(lacking)).toBe('Method not implemented.');
  const { versions } = process;
  const standIn = (value: NodeJS.ProcessVersions) =>
    Object.defineProperty(process, 'versions', { value, configurable: true, writable: true });
  onTestFinished(() => void standIn(versions));
  standIn({ ...versions, pnp: '3' } as NodeJS.ProcessVersions);
  expect(whyOf(lacking)).toContain('set `nodeLinker: node-modules` in .yarnrc.yml');
  expect(whyOf(Object.assign(lacking, { code: 'ENOSPC' }))).toContain('ENOSPC');
});
