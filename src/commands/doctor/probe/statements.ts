// The statements about Omni that Almanac relies on and only Omni can show. Each row has its source and the requests
// whose answers show it, and what a probe's script concludes. Results are put in words, counts and statuses of our own,
// so no statement contains an address, an id or a host.

import type { ProbedStatement, ProbeResult } from './probe-document.ts';

export interface Statement {
  readonly words: string;
  readonly source: string;
  readonly requests: readonly string[];
  /** The option without which it is not tried. */
  readonly needs?: keyof typeof missing;
}

const missing = {
  to: 'It needs --to ADDRESS, an active member.',
  group: 'It needs --to ADDRESS and --group NAME, a user group with access to the dashboard.',
};

const [post, list] = ['POST /v1/schedules', 'GET /v1/schedules'];
const [one, downloads] = ['/v1/schedules/{scheduleId}', 'POST /v1/dashboards/{dashboardId}/download'];
const [get, put, remove] = [`GET ${one}`, `PUT ${one}`, `DELETE ${one}`];
const [pause, resume, recipients] = [`PUT ${one}/pause`, `PUT ${one}/resume`, `GET ${one}/recipients`];
const [add, take] = [`PUT ${one}/add-recipients`, `PUT ${one}/remove-recipients`];

const nobody = 'no source';
const ofCreate = 'docs.omni.co/api/schedules/create-schedule';
const ofUpdate = 'docs.omni.co/api/schedules/update-schedule';
const ofSchedules = 'docs.omni.co/api/schedules';
const ofPauses = 'docs.omni.co/docs/API/schedules, 2025';
const ofRecipients = 'docs.omni.co/api/schedule-recipients';
const ofSpecification = 'the OpenAPI document of exploreomni/omni-python-sdk';
const ofSkills = 'exploreomni/omni-agent-skills, omni-admin';
const ofControls = 'exploreomni/omni-agent-skills, omni-content-builder';
const ofTroubles = 'docs.omni.co/share/deliveries/troubleshooting';

export const statements = {
  'create-announces-nothing': {
    words: 'A new schedule is announced to nobody, neither to its owner nor to those who will receive it.',
    source: nobody,
    requests: [post],
  },
  'nothing-delivered': {
    words: 'A schedule for the year 2099 that was just made has delivered nothing.',
    source: nobody,
    requests: [post, list],
  },
  'create-is-done': {
    words: 'A POST makes a schedule and answers its id; the host of a webhook is not asked.',
    source: ofCreate,
    requests: [post],
  },
  'new-can-be-changed': {
    words: 'A new schedule can be read with the next request, and paused with the one after it.',
    source: nobody,
    requests: [post, get, pause],
  },
  'post-makes-another': {
    words: 'The same POST again makes a second schedule of the same name.',
    source: nobody,
    requests: [post],
  },
  'list-has-new': {
    words: 'The list of the dashboard has a new schedule, with exactly its name.',
    source: ofSchedules,
    requests: [post, list],
  },
  'list-names-dashboard': {
    words: 'The list names the dashboard by the identifier that was sent.',
    source: ofSpecification,
    requests: [list],
  },
  'list-keeps-cron': {
    words: 'The list has the cron expression as it was sent.',
    source: nobody,
    requests: [list],
  },
  'list-keeps-fields': {
    words: 'The list has the time zone, the format and the kind of destination as they were sent.',
    source: ofSpecification,
    requests: [list],
  },
  'list-says-paused': {
    words: 'The list says that a schedule is paused.',
    source: ofSpecification,
    requests: [pause, list],
  },
  'pause-again-refused': {
    words: 'Pausing what is paused is refused with 400.',
    source: ofPauses,
    requests: [pause],
  },
  'resume-is-done': {
    words: 'What was paused can be resumed.',
    source: ofPauses,
    requests: [resume],
  },
  'resume-again-refused': {
    words: 'Resuming what is not paused is refused with 400.',
    source: ofPauses,
    requests: [resume],
  },
  'created-at-is-now': {
    words: 'The time of creation is that of the clock in the headers of the answers.',
    source: nobody,
    requests: [get],
  },
  'owner-is-alike': {
    words: 'The list and the details name the same owner.',
    source: ofSpecification,
    requests: [list, get],
  },
  'format-comes-back': {
    words: 'The details have the format as it was sent.',
    source: ofSchedules,
    requests: [get],
  },
  'url-comes-back': {
    words: 'The URL of a webhook comes back as it was sent.',
    source: ofRecipients,
    requests: [recipients],
  },
  'row-limit-comes-back': {
    words: 'The details have maxRowLimit under its own name.',
    source: nobody,
    requests: [get],
  },
  'filter-comes-back': {
    words: 'A filter that the schedule sets comes back as it was sent.',
    source: ofSpecification,
    requests: [get],
  },
  'filter-follows-dashboard': {
    words: 'A filter that the schedule does not set comes back as the dashboard has it.',
    source: ofSpecification,
    requests: [get, 'GET /v1/dashboards/{dashboardId}/filters'],
  },
  'put-is-done': {
    words: 'A PUT of the form that a POST has is taken.',
    source: ofSkills,
    requests: [put],
  },
  'put-changes': {
    words: 'A PUT changes what it names, here the time zone.',
    source: ofUpdate,
    requests: [put, get],
  },
  'put-keeps-pause': {
    words: 'A PUT does not resume what is paused.',
    source: nobody,
    requests: [put, get],
  },
  'put-resets-options': {
    words: 'A PUT without maxRowLimit takes it away.',
    source: ofSkills,
    requests: [put, get],
  },
  'put-resets-filters': {
    words: 'A PUT without filterConfig takes the filters of the schedule away.',
    source: ofSkills,
    requests: [put, get],
  },
  'short-filter-limits': {
    words: 'A condition that has nothing but values limits the rows of a tile, as it does with its type and its kind.',
    source: nobody,
    requests: [downloads],
  },
  'no-rows-have-heads': {
    words: 'A file of a tile without rows has its heads alone.',
    source: nobody,
    requests: [downloads],
  },
  'png-follows-filters': {
    words: 'A PNG of a tile has the filters that are sent.',
    source: nobody,
    requests: [downloads],
  },
  'filters-on-one-field-join': {
    words: 'Two filters on one field let through what one of them lets through.',
    source: ofControls,
    requests: [downloads],
  },
  'unknown-filter-refused': {
    words: 'A filter that the dashboard does not have is refused with 400.',
    source: ofCreate,
    requests: [post],
  },
  'unknown-tile-refused': {
    words: 'A queryIdentifierMapKey that the dashboard does not have is refused with 400.',
    source: ofCreate,
    requests: [post],
  },
  'half-condition-refused': {
    words: 'A conditionType without conditionQueryMapKey is refused with 400.',
    source: ofCreate,
    requests: [post],
  },
  'fit-page-refused': {
    words: 'The paper format fit_page is refused with 400 where tables show all rows.',
    source: ofCreate,
    requests: [post],
  },
  'sftp-takes-host': {
    words: 'The address of an SFTP server may be a host alone, and the server is not asked.',
    source: ofRecipients,
    requests: [post],
  },
  'sftp-takes-url': {
    words: 'The address of an SFTP server may begin with sftp://.',
    source: ofTroubles,
    requests: [post],
  },
  'sftp-comes-back': {
    words: 'Address, port and user name of an SFTP server come back as they were sent.',
    source: ofRecipients,
    requests: [recipients],
  },
  'password-stays-hidden': {
    words: 'The password of an SFTP server never comes back.',
    source: nobody,
    requests: [get, recipients],
  },
  'receiver-comes-back': {
    words: 'An e-mail goes to the address that was sent, and to nobody else.',
    source: ofRecipients,
    requests: [post, recipients],
    needs: 'to',
  },
  'member-has-account': {
    words: 'A member who receives an e-mail is listed as a member, and not as an address alone.',
    source: nobody,
    requests: [recipients],
    needs: 'to',
  },
  'list-counts-addresses': {
    words: 'The list counts the addresses of an e-mail, here one.',
    source: ofSpecification,
    requests: [list],
    needs: 'to',
  },
  'details-name-receivers': {
    words: 'The details have the address of everybody who receives an e-mail, and say that no user group does.',
    source: nobody,
    requests: [get],
    needs: 'to',
  },
  'put-keeps-groups': {
    words: 'A PUT keeps the user groups that receive a schedule.',
    source: nobody,
    requests: [put, recipients],
    needs: 'group',
  },
  'list-counts-no-members': {
    words: 'The list does not count the members of a user group.',
    source: nobody,
    requests: [add, list],
    needs: 'group',
  },
  'details-show-groups': {
    words: 'The details say that a user group receives an e-mail.',
    source: nobody,
    requests: [add, get],
    needs: 'group',
  },
  'group-is-added-once': {
    words: 'A user group may be added twice, and then receives it once.',
    source: nobody,
    requests: [add, recipients],
    needs: 'group',
  },
  'dead-group-refused': {
    words: 'Adding a user group that does not exist is refused with 400 or 404.',
    source: nobody,
    requests: [add],
    needs: 'group',
  },
  'last-address-may-go': {
    words: 'The last address may be removed where a user group receives the schedule.',
    source: nobody,
    requests: [take],
    needs: 'group',
  },
  'deleted-is-gone': {
    words: 'What was deleted answers 404.',
    source: ofSchedules,
    requests: [remove, get],
  },
  'delete-again-refused': {
    words: 'Deleting what was deleted answers 404.',
    source: ofSchedules,
    requests: [remove],
  },
  'list-lacks-deleted': {
    words: 'The list no longer has what was deleted.',
    source: nobody,
    requests: [remove, list],
  },
} as const satisfies Readonly<Record<string, Statement>>;

export type StatementId = keyof typeof statements;

export type Reply = 'done' | number;

export type CameBack = 'as-sent' | 'otherwise' | 'absent';

export const shownWords: Readonly<Record<CameBack, string>> = {
  'as-sent': 'It comes back as it was sent.',
  otherwise: 'It comes back with a different value.',
  absent: 'It does not come back.',
};

interface Verdict {
  readonly result: ProbeResult;
  readonly came?: string;
  readonly why?: string;
}

/** The script's verdicts, one for each statement. A statement without one comes after a refused request. */
export class Verdicts {
  readonly #found = new Map<string, Verdict>();

  /** `came` describes the finding if it does not hold. */
  holds(id: StatementId, isHeld: boolean, came: string): void {
    this.#found.set(id, isHeld ? { result: 'held' } : { result: 'differs', came });
  }

  isDone(id: StatementId, answer: Reply): void {
    this.holds(id, answer === 'done', `It was refused with ${answer}.`);
  }

  isRefused(id: StatementId, answer: Reply, ...statuses: readonly number[]): void {
    const came = answer === 'done' ? 'It was not refused.' : `It was refused with ${answer}.`;
    this.holds(id, answer !== 'done' && statuses.includes(answer), came);
  }

  comesBack(id: StatementId, shown: CameBack): void {
    this.holds(id, shown === 'as-sent', shownWords[shown]);
  }

  /** True if there is no verdict yet. */
  isOpen(id: StatementId): boolean {
    return !this.#found.has(id);
  }

  /** Applies to those statements that have no verdict yet. */
  notTried(why: string, ...ids: readonly StatementId[]): void {
    for (const id of ids) if (this.isOpen(id)) this.#found.set(id, { result: 'not-tried', why });
  }

  /** In the order of the table. `given` says which options the command line has. */
  all(given: Readonly<Record<keyof typeof missing, boolean>>): readonly ProbedStatement[] {
    return Object.entries<Statement>(statements).map(([id, { source, requests, needs }]) => {
      const why = needs !== undefined && !given[needs] ? missing[needs] : 'A request before it was refused.';
      return { id, source, requests: [...new Set(requests)], ...(this.#found.get(id) ?? { result: 'not-tried', why }) };
    });
  }
}
