// Why an apply sends nothing: what it throws, or, where it leaves changes, their reasons as one failure.

import { withoutMarks } from '../../../src/model/values/command.ts';
import { Failure } from '../../../src/model/workspace/failure.ts';
import type { ApplyOptions, Stage } from './stage.ts';

/** Throws where the apply leaves nothing. */
export async function refusalOf(made: Stage, options: ApplyOptions = {}): Promise<Failure> {
  try {
    const { document } = await made.apply(options);
    const left = (document?.results ?? []).filter(({ error }) => error?.code === 'refused');
    if (left.length === 0) throw new Error('the apply left nothing');
    const message = left.flatMap(({ error }) => withoutMarks(error?.message ?? '')).join('\n');
    const hint = left.flatMap(({ error }) => withoutMarks(error?.hint ?? '')).join('\n');
    return new Failure('blocked', message, {
      hint: `${message}\n${hint}`,
      addresses: left.map(({ address }) => address),
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.with({ message: withoutMarks(error.message), hint: error.hint && withoutMarks(error.hint) });
  }
}
