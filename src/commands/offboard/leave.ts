// The report about somebody who leaves, and with --write the edits: in every environment, because their files are the same.

import { Failure } from '../../model/workspace/failure.ts';
import { renderJson } from '../../report/text/render-json.ts';
import { safeText } from '../../report/text/terminal-text.ts';
import type { ParseFile } from '../../yaml/raw-document.ts';
import type { LoadedSide } from '../base/edit/prove-everywhere.ts';
import { everyEnvironment, unreadWords } from '../base/every-environment.ts';
import type { Run, Session } from '../base/run.ts';
import { writeFiles } from '../base/write-files.ts';
import type { Asking, Told } from './ask-omni.ts';
import type { OffboardOptions } from './command.ts';
import { offboard } from './offboard-files.ts';
import { type OffboardReport, renderOffboard } from './offboard-report.ts';

interface Asked {
  readonly asking: Asking;
  readonly told: Told;
}

export interface Leaving {
  readonly run: Run;
  readonly options: OffboardOptions;
  readonly session: Session;
  readonly email: string;
  /** How the session was parsed. */
  readonly parse: ParseFile;
  /** Left out where Omni is not asked. */
  readonly ask?: (sides: readonly LoadedSide[]) => Promise<Asked>;
}

/** What is left to do is said by `printLeaving`. */
export async function leave({ run, options, session, email, parse, ask }: Leaving) {
  const { to, write, env } = options;
  const { workspace, loaded } = session;
  const { sides, unread } = await everyEnvironment(run, workspace, parse);
  for (const each of unread) run.stderr.write(`warning: ${safeText(unreadWords(each))}\n`);
  if (options.apply) refuseUnknown(unread, loaded, env);
  const side: LoadedSide = sides.find((each) => each.side.name === env) ?? { side: { name: env }, loaded };
  const asked = await ask?.(sides);
  const told = asked?.told;
  const work = async () => {
    const offboarding = await offboard({
      ...{ workspace, sides, side, email, to, randomness: run.randomness },
      ...{ memberId: told?.member?.id, whyNoOwner: told?.whyNoOwner },
      load: async (edited, { name: environment }) => {
        const here = run.inEnvironment(environment);
        return here.loadFrom(edited, { parse });
      },
    });
    const { files } = offboarding;
    const how = { meanwhile: 'offboard checked the result', isOneChange: true };
    if (write) await writeFiles(run, workspace, files, how);
    return offboarding;
  };
  const { still, lastOnes, meant, ...found } = await work().catch((error: unknown) => {
    throw told === undefined ? error : told.explain(error);
  });
  const owned = told?.owned ?? [];
  const report: OffboardReport = {
    document: {
      ...{ formatVersion: 1, email },
      owns: owned.map(({ instead: _, ...each }) => each),
      receives: [...found.receives, ...(told?.receives ?? [])],
      ...{ edits: found.edits, blocked: found.blocked },
    },
    to,
    owned: told && {
      ...{ schedules: owned, isMember: told.member !== undefined, whyNoOwner: told.whyNoOwner },
      applies: options.apply === true,
    },
    ...{ lastOnes, meant },
    still: still.map(({ lineAfter, ...place }) => (write ? { ...place, line: lineAfter } : place)),
    writes: write === true,
  };
  return { report, asked };
}

/** What another environment manages is not transferred, so it must be known. Throws Failure refused. */
function refuseUnknown(unread: readonly LoadedSide[], { config }: Session['loaded'], env: string | undefined) {
  const isOfOthers = ({ side, loaded }: LoadedSide) => {
    const { baseUrl = config?.api.baseUrl } = loaded.config?.api ?? {};
    return side.name !== env && baseUrl === config?.api.baseUrl;
  };
  const other = unread.find(isOfOthers);
  if (other === undefined) return;
  const who = other.side.name === undefined ? 'the workspace without --env' : `the environment ${other.side.name}`;
  throw new Failure('refused', `Its state cannot be read, so nobody knows which schedules ${who} manages.`, {
    hint: 'Run it where every state of the organization can be read. Nothing was sent or written.',
  });
}

export function printLeaving(run: Run, options: OffboardOptions, report: OffboardReport): void {
  if (options.format !== 'json') {
    run.stdout.write(renderOffboard(report, run.page()));
    return;
  }
  if (report.owned === undefined)
    run.stderr.write('Omni was not asked, so what they own, and what is untracked, is not known.\n');
  run.stdout.data(renderJson(report.document));
}
