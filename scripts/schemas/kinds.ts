// What the schemas say of each kind of resource beyond its table of fields: a row of each.

import type { Kind } from '../../src/model/values/address.ts';
import type { Json } from '../../src/model/values/json.ts';
import {
  aiJobConditions,
  type Condition,
  dashboardConditions,
  routineConditions,
  scheduleConditions,
} from './conditions.ts';
import { aiJobSnippets, dashboardSnippets, routineSnippets, scheduleSnippets } from './snippets.ts';

interface KindInSchemas {
  /** The title of one of them. */
  readonly title: string;
  /** What its section holds. */
  readonly words: string;
  /** The rules that combine several of its fields. */
  readonly conditions: readonly Condition[];
  /** What editors offer below its section; made when they are asked for. */
  readonly snippets: () => readonly Json[];
}

export const kindsInSchemas: Readonly<Record<Kind, KindInSchemas>> = {
  schedule: {
    title: 'Schedule',
    words: 'Schedules by key: recurring deliveries of a dashboard or of one of its tiles.',
    conditions: scheduleConditions,
    snippets: scheduleSnippets,
  },
  dashboard: {
    title: 'Dashboard',
    words: 'Filter values of dashboards by key.',
    conditions: dashboardConditions,
    snippets: dashboardSnippets,
  },
  routine: {
    title: 'Routine',
    words: 'Routines by key: prompts that the AI of Omni answers on a schedule, for their recipients.',
    conditions: routineConditions,
    snippets: routineSnippets,
  },
  aiJob: {
    title: 'AI job',
    words: 'AI jobs by key: each runs once for each content.',
    conditions: aiJobConditions,
    snippets: aiJobSnippets,
  },
};
