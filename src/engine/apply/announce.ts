// The intents of first requests, each durable before its request is sent. Where a write takes seconds, the store lets
// several be announced in one: then those of the next changes are written while these are being sent. An intent that has no
// outcome after a crash costs a look at the service, so the store limits how many there may be.

import type { JournalIntent } from '../../model/plan/journal.ts';
import type { Operations } from '../../model/workspace/config.ts';
import { isLookedFor } from '../../plan/block.ts';
import type { Step } from '../../plan/plan.ts';
import type { Recoverable } from '../../ports/state-store.ts';
import { instant, journal, nextSeq, type Run, whyHalted } from './apply-run.ts';
import { intentOf } from './send-call.ts';

export interface Announcer {
  /** The intent of the step's first request once it is durable; undefined if the journal cannot be written. */
  intentFor(step: Step): Promise<JournalIntent | undefined>;
  /** The outcome of that request is known, so that another intent may take its place. */
  settle(step: Step): void;
  /** Call it last. What was announced and is not settled was not sent, and counts as failed. */
  close(): Promise<void>;
}

/** The share of a window that one write announces at least: a compromise between few writes and early ones. */
const worthwhile = 3 / 4;

interface Announced {
  readonly intent: JournalIntent;
  readonly written: Promise<boolean>;
}

/** `steps` in the order in which they are sent. */
export function openAnnouncer(run: Run, steps: readonly Step[]): Announcer {
  const { operations } = run.proposal.document;
  const kinds = new Map(steps.map((step) => [step, recoverable(step, operations)]));
  const windows = windowsOf(run);
  const waiting = new Set(steps.filter((step) => windows[kindOf(step)] > 1));
  const open = new Map<Step, Announced>();
  let isAhead = false;

  function kindOf(step: Step): Recoverable {
    return kinds.get(step) ?? 'neither';
  }

  /** In one write. Returns the first. */
  function announce(first: Step, others: readonly Step[]): Announced {
    const chosen = [first, ...others].map((step) => [step, makeIntent(run, step, 0)] as const);
    const intents = chosen.map(([, intent]) => intent);
    const written = journal(run, intents);
    for (const [step, intent] of chosen) {
      waiting.delete(step);
      open.set(step, { intent, written });
    }
    return open.get(first) as Announced;
  }

  /** As many of the next steps as the windows have room for, beside those that are announced anyway. */
  function next(...anyway: readonly Step[]): readonly Step[] {
    const room = { ...windows };
    for (const step of [...open.keys(), ...anyway]) room[kindOf(step)] -= 1;
    return [...waiting].filter((step) => {
      room[kindOf(step)] -= 1;
      return room[kindOf(step)] >= 0;
    });
  }

  /** While the last ones of a window are being sent. A write for each place that becomes free would be too many. */
  async function announceNext(): Promise<void> {
    if (isAhead || waiting.size === 0 || whyHalted(run) !== undefined) return;
    const [first, ...others] = next();
    if (first === undefined || others.length + 1 < Math.min(waiting.size, windows[kindOf(first)] * worthwhile)) return;
    isAhead = true;
    await announce(first, others).written;
    isAhead = false;
    await announceNext();
  }

  return {
    intentFor: async (step) => {
      waiting.delete(step);
      const { intent, written } = open.get(step) ?? announce(step, next(step));
      return (await written) ? intent : undefined;
    },
    settle: (step) => {
      open.delete(step);
      void announceNext();
    },
    close: async () => {
      for (const { intent, written } of open.values()) {
        const failed = { type: 'outcome', seq: intent.seq, status: 'failed', at: instant(run) } as const;
        if (await written) run.lines.push(failed);
      }
    },
  };
}

function windowsOf({ store }: Run): Record<Recoverable, number> {
  return {
    repeatable: store.windowFor('repeatable'),
    found: store.windowFor('found'),
    neither: store.windowFor('neither'),
  };
}

/** How the first request of a step could be repeated after a crash. */
function recoverable({ change, calls }: Step, operations: Operations): Recoverable {
  if (calls[0] !== 'post') return 'repeatable';
  return isLookedFor(change, operations) ? 'found' : 'neither';
}

/** The intent of one of the step's requests. */
export function makeIntent(run: Run, step: Step, index: number): JournalIntent {
  const seq = nextSeq(run);
  const { address } = step.change;
  return { type: 'intent', seq, address, ...intentOf(step, index), at: instant(run) };
}
