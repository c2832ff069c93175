// What Almanac relies on of Omni and only Omni can show: a row for each statement, with its source, the requests whose answers
// show it, and how they are judged. What a row says came is made of its own words, counts and statuses.

import { countOf } from '../../../model/values/words.ts';
import type { CameBack, Observations, Reply } from './observations.ts';
import type { ProbedStatement, ProbeResult } from './probe-document.ts';

interface Verdict {
  readonly result: ProbeResult;
  readonly came?: string;
  readonly why?: string;
}

export interface Statement {
  readonly id: string;
  /** What we rely on. */
  readonly words: string;
  readonly source: string;
  readonly requests: readonly string[];
  /** The option without which it is not tried. */
  readonly needs?: keyof typeof missing;
  readonly judge: (observed: Observations) => Verdict;
}

const missing = {
  to: 'It needs --to ADDRESS, an active member.',
  group: 'It needs --to ADDRESS and --group NAME, a user group with access to the dashboard.',
};

const held: Verdict = { result: 'held' };
const differs = (came: string): Verdict => ({ result: 'differs', came });
const notTried = (why: string): Verdict => ({ result: 'not-tried', why });
const refusedBefore = notTried('A request before it was refused.');

type Judge = Statement['judge'];

/** The observations of one sort. */
type KeysOfSort<T> = {
  [K in keyof Observations]-?: [T, ObservationOf<K>] extends [ObservationOf<K>, T] ? K : never;
}[keyof Observations];
type ObservationOf<K extends keyof Observations> = NonNullable<Observations[K]>;

function judging<K extends keyof Observations>(
  name: K,
  judge: (found: ObservationOf<K>) => Verdict,
  otherwise = refusedBefore,
): Judge {
  return ({ [name]: found }) => (found === undefined ? otherwise : judge(found));
}

const isDone = (name: KeysOfSort<Reply>) =>
  judging(name, (answer) => (answer === 'done' ? held : differs(`It was refused with ${answer}.`)));

const isRefused = (name: KeysOfSort<Reply>, ...statuses: readonly number[]) =>
  judging(name, (answer) => {
    if (answer === 'done') return differs('It was not refused.');
    return statuses.includes(answer) ? held : differs(`It was refused with ${answer}.`);
  });

const isSo = (name: KeysOfSort<boolean>, came: string) => judging(name, (found) => (found ? held : differs(came)));

const isNotSo = (name: KeysOfSort<boolean>, came: string) => judging(name, (found) => (found ? differs(came) : held));

const shows = (name: KeysOfSort<CameBack>, expected: CameBack, otherwise?: Verdict) =>
  judging(name, (shown) => (shown === expected ? held : differs(shownWords[shown])), otherwise);

const shownWords: Readonly<Record<CameBack, string>> = {
  'as-sent': 'It comes back as it was sent.',
  otherwise: 'It comes back with a different value.',
  absent: 'It does not come back.',
};

const comesBack = (name: KeysOfSort<CameBack>, otherwise?: Verdict) => shows(name, 'as-sent', otherwise);

const noFilter = notTried('The dashboard has no filter of texts.');

/** About a tile that was downloaded, where a condition was seen to limit it. */
const ofTile =
  (judge: Judge): Judge =>
  (observed) => {
    const { hasFilter, hasTile, isDownloadRefused, hasRows, hasRowsOfNobody } = observed;
    if (hasFilter === false) return noFilter;
    if (hasTile === false) return notTried('Omni names no tile of the dashboard.');
    if (hasRows === false) return notTried('The tile has no rows.');
    if (hasRowsOfNobody) return notTried('The filter does not limit the tile.');
    const verdict = judge(observed);
    return verdict === refusedBefore && isDownloadRefused ? notTried('A download failed.') : verdict;
  };

const ofTwoFilters = (judge: Judge) =>
  ofTile((observed) => {
    const { hasSecondFilter, isValueKnown, hasRowsOfFirst } = observed;
    if (hasSecondFilter === false) return notTried('The dashboard has no two filters of texts on one field.');
    if (isValueKnown === false) return notTried('Omni names no value of that field.');
    if (hasRowsOfFirst === false) return notTried('The tile has no rows with the first value of that field.');
    return judge(observed);
  });

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

export const statements: readonly Statement[] = [
  {
    id: 'create-announces-nothing',
    words: 'A new schedule is announced to nobody, neither to its owner nor to those who will receive it.',
    source: nobody,
    requests: [post],
    judge: () => notTried('Only people can see it: ask its owner and the member of --to whether Omni wrote to them.'),
  },
  {
    id: 'nothing-delivered',
    words: 'A schedule for the year 2099 that was just made has delivered nothing.',
    source: nobody,
    requests: [post, list],
    judge: isNotSo('hasRun', 'The list says that it has run.'),
  },
  {
    id: 'create-is-done',
    words: 'A POST makes a schedule and answers its id; the host of a webhook is not asked.',
    source: ofCreate,
    requests: [post],
    judge: isDone('created'),
  },
  {
    id: 'new-can-be-changed',
    words: 'A new schedule can be read with the next request, and paused with the one after it.',
    source: nobody,
    requests: [post, get, pause],
    judge: isDone('pausedAtOnce'),
  },
  {
    id: 'post-makes-another',
    words: 'The same POST again makes a second schedule of the same name.',
    source: nobody,
    requests: [post],
    judge: isSo('isTwinAnother', 'It makes no second one.'),
  },
  {
    id: 'list-has-new',
    words: 'The list of the dashboard has a new schedule, with exactly its name.',
    source: ofSchedules,
    requests: [post, list],
    judge: isSo('isListed', 'It is not in the list.'),
  },
  {
    id: 'list-names-dashboard',
    words: 'The list names the dashboard by the identifier that was sent.',
    source: ofSpecification,
    requests: [list],
    judge: comesBack('listedDashboard'),
  },
  {
    id: 'list-keeps-cron',
    words: 'The list has the cron expression as it was sent.',
    source: nobody,
    requests: [list],
    judge: comesBack('listedCron'),
  },
  {
    id: 'list-keeps-fields',
    words: 'The list has the time zone, the format and the kind of destination as they were sent.',
    source: ofSpecification,
    requests: [list],
    judge: comesBack('listedFields'),
  },
  {
    id: 'list-says-paused',
    words: 'The list says that a schedule is paused.',
    source: ofSpecification,
    requests: [pause, list],
    judge: isSo('isListedAsPaused', 'The list does not say it.'),
  },
  {
    id: 'pause-again-refused',
    words: 'Pausing what is paused is refused with 400.',
    source: ofPauses,
    requests: [pause],
    judge: isRefused('pausedAgain', 400),
  },
  {
    id: 'resume-is-done',
    words: 'What was paused can be resumed.',
    source: ofPauses,
    requests: [resume],
    judge: isDone('resumed'),
  },
  {
    id: 'resume-again-refused',
    words: 'Resuming what is not paused is refused with 400.',
    source: ofPauses,
    requests: [resume],
    judge: isRefused('resumedAgain', 400),
  },
  {
    id: 'created-at-is-now',
    words: 'The time of creation is that of the clock in the headers of the answers.',
    source: nobody,
    requests: [get],
    judge: judging('createdOff', (seconds) =>
      Math.abs(seconds) <= maxOff ? held : differs(`It is ${countOf(seconds, 'second')} from it.`),
    ),
  },
  {
    id: 'owner-is-alike',
    words: 'The list and the details name the same owner.',
    source: ofSpecification,
    requests: [list, get],
    judge: isSo('isOwnerAlike', 'They name two, or one of them names none.'),
  },
  {
    id: 'format-comes-back',
    words: 'The details have the format as it was sent.',
    source: ofSchedules,
    requests: [get],
    judge: comesBack('format'),
  },
  {
    id: 'url-comes-back',
    words: 'The URL of a webhook comes back as it was sent.',
    source: ofRecipients,
    requests: [recipients],
    judge: comesBack('url'),
  },
  {
    id: 'row-limit-comes-back',
    words: 'The details have maxRowLimit under its own name.',
    source: nobody,
    requests: [get],
    judge: comesBack('rowLimit'),
  },
  {
    id: 'filter-comes-back',
    words: 'A filter that the schedule sets comes back as it was sent.',
    source: ofSpecification,
    requests: [get],
    judge: comesBack('ownFilter', noFilter),
  },
  {
    id: 'filter-follows-dashboard',
    words: 'A filter that the schedule does not set comes back as the dashboard has it.',
    source: ofSpecification,
    requests: [get, 'GET /v1/dashboards/{dashboardId}/filters'],
    judge: comesBack('followedFilter', notTried('The dashboard has no second filter.')),
  },
  {
    id: 'put-is-done',
    words: 'A PUT of the form that a POST has is taken.',
    source: ofSkills,
    requests: [put],
    judge: isDone('replaced'),
  },
  {
    id: 'put-changes',
    words: 'A PUT changes what it names, here the time zone.',
    source: ofUpdate,
    requests: [put, get],
    judge: comesBack('zoneAfterPut'),
  },
  {
    id: 'put-keeps-pause',
    words: 'A PUT does not resume what is paused.',
    source: nobody,
    requests: [put, get],
    judge: isSo('isPausedAfterPut', 'It is no longer paused.'),
  },
  {
    id: 'put-resets-options',
    words: 'A PUT without maxRowLimit takes it away.',
    source: ofSkills,
    requests: [put, get],
    judge: (observed) =>
      observed.rowLimit === 'absent'
        ? notTried('The details have no maxRowLimit.')
        : shows('rowLimitAfterPut', 'absent')(observed),
  },
  {
    id: 'put-resets-filters',
    words: 'A PUT without filterConfig takes the filters of the schedule away.',
    source: ofSkills,
    requests: [put, get],
    judge: judging('ownFilterAfterPut', (shown) => (shown === 'as-sent' ? differs('They stay.') : held), noFilter),
  },
  {
    id: 'short-filter-limits',
    words: 'A condition that has nothing but values limits the rows of a tile, as it does with its type and its kind.',
    source: nobody,
    requests: [downloads],
    judge: ofTile(isNotSo('hasRowsOfShort', 'Rows come that do not have the value: it is dropped.')),
  },
  {
    id: 'png-follows-filters',
    words: 'A PNG of a tile has the filters that are sent.',
    source: nobody,
    requests: [downloads],
    judge: ofTile(isNotSo('isPictureSame', 'The picture is the same without the filter: it shows what was saved.')),
  },
  {
    id: 'filters-on-one-field-join',
    words: 'Two filters on one field let through what one of them lets through.',
    source: ofControls,
    requests: [downloads],
    judge: ofTwoFilters(isSo('hasRowsOfBoth', 'Nothing comes: a row must pass both.')),
  },
  {
    id: 'unknown-filter-refused',
    words: 'A filter that the dashboard does not have is refused with 400.',
    source: ofCreate,
    requests: [post],
    judge: isRefused('unknownFilter', 400),
  },
  {
    id: 'unknown-tile-refused',
    words: 'A queryIdentifierMapKey that the dashboard does not have is refused with 400.',
    source: ofCreate,
    requests: [post],
    judge: isRefused('unknownTile', 400),
  },
  {
    id: 'half-condition-refused',
    words: 'A conditionType without conditionQueryMapKey is refused with 400.',
    source: ofCreate,
    requests: [post],
    judge: isRefused('halfCondition', 400),
  },
  {
    id: 'fit-page-refused',
    words: 'The paper format fit_page is refused with 400 where tables show all rows.',
    source: ofCreate,
    requests: [post],
    judge: isRefused('fitPage', 400),
  },
  {
    id: 'sftp-takes-host',
    words: 'The address of an SFTP server may be a host alone, and the server is not asked.',
    source: ofRecipients,
    requests: [post],
    judge: isDone('bareHost'),
  },
  {
    id: 'sftp-takes-url',
    words: 'The address of an SFTP server may begin with sftp://.',
    source: ofTroubles,
    requests: [post],
    judge: isDone('urlAddress'),
  },
  {
    id: 'sftp-comes-back',
    words: 'Address, port and user name of an SFTP server come back as they were sent.',
    source: ofRecipients,
    requests: [recipients],
    judge: comesBack('server'),
  },
  {
    id: 'password-stays-hidden',
    words: 'The password of an SFTP server never comes back.',
    source: nobody,
    requests: [get, recipients],
    judge: isNotSo('isPasswordShown', 'It comes back.'),
  },
  {
    id: 'receiver-comes-back',
    words: 'An e-mail goes to the address that was sent, and to nobody else.',
    source: ofRecipients,
    requests: [post, recipients],
    needs: 'to',
    judge: comesBack('receiver'),
  },
  {
    id: 'member-has-account',
    words: 'A member who receives an e-mail is listed as a member, and not as an address alone.',
    source: nobody,
    requests: [recipients],
    needs: 'to',
    judge: isSo('isReceiverMember', 'The member is listed as an address alone.'),
  },
  {
    id: 'list-counts-addresses',
    words: 'The list counts the addresses of an e-mail, here one.',
    source: ofSpecification,
    requests: [list],
    needs: 'to',
    judge: judging('recipientCount', (count) => (count === 1 ? held : differs(`It counts ${count}.`))),
  },
  {
    id: 'details-name-receivers',
    words: 'The details have the address of everybody who receives an e-mail, and say that no user group does.',
    source: nobody,
    requests: [get],
    needs: 'to',
    judge: comesBack('detailedReceiver'),
  },
  {
    id: 'put-keeps-groups',
    words: 'A PUT keeps the user groups that receive a schedule.',
    source: nobody,
    requests: [put, recipients],
    needs: 'group',
    judge: judging('groupTimesAfterPut', (times) => (times > 0 ? held : differs('The group no longer receives it.'))),
  },
  {
    id: 'list-counts-no-members',
    words: 'The list does not count the members of a user group.',
    source: nobody,
    requests: [add, list],
    needs: 'group',
    judge: ({ groupOthers, recipientCountWithGroup: count }) => {
      if (groupOthers === 0) return notTried('The group has no member but that of --to.');
      if (count === undefined || groupOthers === undefined) return refusedBefore;
      return count === 1 ? held : differs(`It counts ${count} for one address and ${groupOthers} others in a group.`);
    },
  },
  {
    id: 'details-show-groups',
    words: 'The details say that a user group receives an e-mail.',
    source: nobody,
    requests: [add, get],
    needs: 'group',
    judge: (observed) =>
      observed.detailedReceiver === 'absent'
        ? notTried('The details do not have the addresses.')
        : isNotSo('isGroupHidden', 'They look as if no user group did.')(observed),
  },
  {
    id: 'group-is-added-once',
    words: 'A user group may be added twice, and then receives it once.',
    source: nobody,
    requests: [add, recipients],
    needs: 'group',
    judge: ({ addedAgain, groupTimes = 0 }) => {
      if (addedAgain === undefined) return refusedBefore;
      if (addedAgain !== 'done') return differs(`The second time was refused with ${addedAgain}.`);
      return groupTimes === 1 ? held : differs(`It receives it ${groupTimes} times.`);
    },
  },
  {
    id: 'dead-group-refused',
    words: 'Adding a user group that does not exist is refused with 400 or 404.',
    source: nobody,
    requests: [add],
    needs: 'group',
    judge: isRefused('deadGroup', 400, 404),
  },
  {
    id: 'last-address-may-go',
    words: 'The last address may be removed where a user group receives the schedule.',
    source: nobody,
    requests: [take],
    needs: 'group',
    judge: isDone('lastAddress'),
  },
  {
    id: 'deleted-is-gone',
    words: 'What was deleted answers 404.',
    source: ofSchedules,
    requests: [remove, get],
    judge: isRefused('read', 404),
  },
  {
    id: 'delete-again-refused',
    words: 'Deleting what was deleted answers 404.',
    source: ofSchedules,
    requests: [remove],
    judge: isRefused('deletedAgain', 404),
  },
  {
    id: 'list-lacks-deleted',
    words: 'The list no longer has what was deleted.',
    source: nobody,
    requests: [remove, list],
    judge: isNotSo('isStillListed', 'It is still in the list.'),
  },
];

/** In seconds. */
const maxOff = 120;

/** `given`: what the command line names. */
export function judgeStatements(
  observed: Observations,
  given: Readonly<Record<keyof typeof missing, boolean>>,
): readonly ProbedStatement[] {
  return statements.map(({ id, source, requests, needs, judge: verdictOf }) => {
    const verdict = needs !== undefined && !given[needs] ? notTried(missing[needs]) : verdictOf(observed);
    return { id, source, requests: [...new Set(requests)], ...verdict };
  });
}
