// Everything that can end a command early, in words: a failure of the world with its hint, the diagnostics of the
// files, or a bug that says that it is one.

import { placeFindings } from '../../engine/load/place-findings.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { renderJson } from '../../render/text/render-json.ts';
import { safeText, wrap } from '../../render/text/terminal-text.ts';
import { pageOf } from './page.ts';
import { diagnosticsText } from './print-diagnostics.ts';
import type { World } from './world.ts';

/** Returns the exit code. With --format json a document goes to stdout, and stderr stays quiet. */
export function reportFailure(error: unknown, argv: readonly string[], world: World): number {
  if (!(error instanceof Failure)) return reportBug(error, argv, world);
  const { code, message, hint, findings, source } = error;
  const diagnostics = placeFindings(findings, (path) => source?.fileNamed(path));
  if (asksForJson(argv)) {
    const failure = { code, message, ...(hint === undefined ? {} : { hint }) };
    world.stdout.data(renderJson({ formatVersion: 1, error: failure, diagnostics }));
    return 1;
  }
  const page = pageOf(world.stderr, world, { color: !argv.includes('--no-color') });
  const shown = diagnosticsText(diagnostics, source, page);
  const [first = '', ...rest] = wrap(`error[${code}]: ${safeText(message, { keepNewlines: true })}`, page.width);
  const hints = hint === undefined ? [] : wrap(`hint: ${safeText(hint, { keepNewlines: true })}`, page.width, '  ');
  const lines = [
    first.replace(`error[${code}]`, page.theme.error(`error[${code}]`)),
    ...rest,
    ...hints.map((line, index) => (index === 0 ? line.replace('hint:', page.theme.note('hint:')) : line)),
  ];
  world.stderr.write(`${shown}${shown === '' ? '' : '\n'}${lines.join('\n')}\n`);
  return 1;
}

/** Wrong usage: the parser of the command line has said it on stderr; with --format json it is said again as JSON. */
export function reportUsage(message: string, argv: readonly string[], world: World): number {
  if (!asksForJson(argv)) return 1;
  return reportFailure(
    new Failure('usage', message.replace(/^error: /, ''), { hint: 'Run it with --help.' }),
    argv,
    world,
  );
}

function reportBug(error: unknown, argv: readonly string[], world: World): number {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (asksForJson(argv)) {
    const bug = {
      code: 'bug',
      message: `This is a bug in almanac ${world.version}.`,
      hint: 'Please report it with what stderr says.',
    };
    world.stdout.data(renderJson({ formatVersion: 1, error: bug, diagnostics: [] }));
  }
  world.stderr.write(
    `This is a bug in almanac ${world.version}, not a mistake of yours. Please report it with this text:\n\n${safeText(stack, { keepNewlines: true })}\n`,
  );
  return 1;
}

function asksForJson(argv: readonly string[]): boolean {
  return argv.some(
    (argument, index) => argument === '--format=json' || (argument === '--format' && argv[index + 1] === 'json'),
  );
}
