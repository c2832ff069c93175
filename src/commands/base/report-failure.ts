// Reports the early end of a command: a failure with its hint, diagnostics of files, or a bug.

import { placeFindings } from '../../declare/load/place-findings.ts';
import { withoutCredentials } from '../../model/values/credentials.ts';
import { Failure, type FindingSource } from '../../model/workspace/failure.ts';
import { nothingDeclared } from '../../model/workspace/resource.ts';
import { type Doc, hint as hintBlock, part } from '../../report/doc.ts';
import { printText } from '../../report/print-text.ts';
import { renderJson } from '../../report/text/render-json.ts';
import { safeText } from '../../report/text/terminal-text.ts';
import type { Wording } from '../../report/wording.ts';
import type { GlobalOptions } from './command.ts';
import { diagnosticsText } from './print-diagnostics.ts';
import { pageOf, wordingIn } from './publishing.ts';
import type { World } from './world.ts';

/** The options of the called command that decide how a failure is reported. */
export interface FailureOptions extends GlobalOptions {
  /** A program reads stdout, so errors are printed as a document too. */
  readonly isJson: boolean;
}

const noSource: FindingSource = { desired: nothingDeclared, fileNamed: () => undefined };

const recordedNowhere = 'This is recorded nowhere. Once the state can be written again, record it:';

/** Returns the exit code. With JSON, a document goes to stdout, and stderr stays empty. */
export async function reportFailure(error: unknown, options: FailureOptions, world: World): Promise<number> {
  if (!(error instanceof Failure)) return reportBug(error, options, world);
  const { code, source, message, hint, unrecorded } = error;
  const page = pageOf(world.stderr, world, options);
  const document = await failureDocument(error, wordingIn(world, options));
  const { diagnostics } = document;
  if (options.isJson) {
    world.stdout.data(renderJson(document));
    return 1;
  }
  // The one error names every variable that is missing; the place of each use is for programs.
  const isSaidAlready = code === 'missing-secret' && diagnostics.length > 1;
  const shown = isSaidAlready ? '' : diagnosticsText(diagnostics, source, page);
  const said: Doc = [
    [{ role: 'error', of: `error[${code}]` }, ': ', { message }],
    hintBlock(hint),
    unrecorded.length > 0 && part(recordedNowhere, { commands: unrecorded.map(({ command }) => command) }),
  ];
  world.stderr.write(`${shown}${shown === '' ? '' : '\n'}${printText(said, page)}`);
  return 1;
}

/** The document in the place of a result. */
export async function failureDocument(error: Failure, wording: Wording) {
  const { code, message, hint, addresses, unrecorded, dangers, findings, source } = error;
  return {
    formatVersion: 1,
    error: {
      code,
      message: wording(message),
      hint: hint && wording(hint),
      addresses,
      unrecorded:
        unrecorded.length > 0 ? unrecorded.map((each) => ({ ...each, command: wording(each.command) })) : undefined,
    },
    dangers,
    diagnostics: await placeFindings(findings, source ?? noSource),
  };
}

function reportBug(error: unknown, options: FailureOptions, world: World): number {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (options.isJson) {
    const bug = {
      code: 'bug',
      message: `This is a bug in almanac ${world.version}.`,
      hint: 'Please report it, with the text on stderr.',
    };
    world.stdout.data(renderJson({ formatVersion: 1, error: bug, diagnostics: [] }));
  }
  world.stderr.write(
    `This is a bug in almanac ${world.version}, not a mistake of yours. Please report it with this text:\n\n${safeText(withoutCredentials(stack), { keepNewlines: true })}\n`,
  );
  return 1;
}
