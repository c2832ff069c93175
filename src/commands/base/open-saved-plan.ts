// Opens the saved plan that a command names, and refuses other words.

import type { Workspace } from '../../declare/workspace.ts';
import type { SavedPlan } from '../../model/plan/plan.ts';
import { behindDot } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { codeList } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { knownAddresses } from '../../plan/match.ts';
import { readSavedPlan } from '../../plan/saved-plan.ts';
import { choiceAmong, isSelector, likelySelectors } from '../../plan/select.ts';
import type { Run } from './run.ts';

/**
 * Reads a saved plan. One that git tracks is refused: it may have come with somebody's commit, so nobody reviewed it as
 * the plan of this run. Throws Failure plan-unreadable, and usage if the file cannot be read.
 */
export async function openSavedPlan(run: Run, workspace: Workspace, file: string): Promise<SavedPlan> {
  const text = await workspace.readOutside(file).catch(async (error: unknown) => {
    const ofKey = async () => (await meantBy(run, file)).filter((address) => behindDot(address) === file);
    const selectors = isSelector(file) ? [file] : await ofKey();
    throw error instanceof Failure && selectors.length > 0 ? selectorForFile(error, selectors) : error;
  });
  if (/\.ya?ml$/i.test(file) && !text.includes('"formatVersion"')) throw notSaved(file);
  if (!(await workspace.isTracked(file))) return readSavedPlan(text, file);
  throw new Failure('plan-unreadable', `${file} is tracked by git, so anybody who can commit may have written it.`, {
    hint: `Remove it from git (\`git rm --cached ${file}\`), ignore it in .gitignore, and save the plan again with ${command('plan', '--out')}.`,
  });
}

function notSaved(file: string): Failure {
  return new Failure('plan-unreadable', `${file} is not a saved plan. It looks like a source file.`, {
    hint: `Name no source file: \`${command('apply')}\` reads all of them, and \`--target ADDRESS\` chooses from what they declare. A saved plan is what \`${command('plan', '--out', 'FILE')}\` writes.`,
  });
}

function selectorForFile({ code, message }: Failure, meant: readonly string[]): Failure {
  const commands = (...words: readonly [string, ...string[]]) =>
    codeList(
      meant.map((each) => command(...words, each)),
      'or',
    );
  return new Failure(code, `${message} A saved plan is a file, and this looks like a selector.`, {
    hint: `To apply only what it selects, run ${commands('apply', '--target')}. To see what the state keeps of it, run ${commands('state show')}. To see what is declared, run ${commands('show', '--resolved')}.`,
  });
}

// The refusal of a word after a command that takes none: it was nearly always meant for a selecting option.

interface RefusedWords {
  readonly name: string;
  /** The command that was meant, with its options up to the word. */
  readonly lead?: string;
  readonly selecting: readonly string[];
  /** The advice if the word selects nothing and resembles nothing. */
  readonly otherwise: string;
}

/** Throws Failure usage for a word, with the command that was probably meant. */
export async function refuseWords(run: Run, words: readonly string[], refused: RefusedWords): Promise<void> {
  const { name, lead = 'To choose only this resource, write', selecting, otherwise } = refused;
  const [word] = words;
  if (word === undefined) return;
  const commands = (await meantBy(run, word)).map((each) => command(name, ...selecting, each));
  throw new Failure('usage', `\`almanac ${name}\` takes no arguments, and \`${word}\` is one.`, {
    hint: commands.length === 0 ? otherwise : `${lead} ${codeList(commands, 'or')}.`,
  });
}

/** The selectors that a word was probably meant for; empty if the workspace offers no match. */
async function meantBy(run: Run, word: string): Promise<readonly string[]> {
  try {
    const { loaded } = await run.load();
    const state = await run.readState(await run.store({ loaded }));
    return likelySelectors(word, choiceAmong(knownAddresses(loaded.desired, state), { loaded, state }));
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'interrupted') throw error;
    return [];
  }
}
