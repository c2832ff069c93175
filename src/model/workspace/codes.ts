// Every diagnostic code with its severity and its fixed summary. From the first release on, codes are permanent.
// docs/diagnostics.md shows each with a failing and a fixed example.

export type Severity = 'error' | 'warning' | 'note';

interface CodeRow {
  readonly severity: Severity;
  readonly summary: string;
  /** The information in addition to the files that decides whether there is such a finding. */
  readonly dependsOn?: 'environment' | 'service' | 'state';
  /** An error that `checks` may lower. */
  readonly canBeLowered?: true;
  /** A note that `checks` may turn off. */
  readonly canBeTurnedOff?: true;
  /** An error, or a warning that may count as one, that a resource may accept, until a day. */
  readonly canBeWaived?: true;
  /** A warning that is only reported where `checks` names it. */
  readonly isOffByDefault?: true;
  /** The facts without which the finding is not reported, because it may only follow from their absence. */
  readonly needs?: readonly RuleBasis[];
}

/**
 * The basis of a rule. `sources`: all of them could be read. `config`: almanac.yaml has no error. `here`: the values of
 * this environment, which nobody needs for what does not exist in it. `sent`: a field's value, which a sink may
 * replace.
 */
export type RuleBasis = 'sources' | 'config' | 'here' | 'sent';

const error = (summary: string): CodeRow => ({ severity: 'error', summary });
const warning = (summary: string, dependsOn?: CodeRow['dependsOn']): CodeRow => ({
  severity: 'warning',
  summary,
  dependsOn,
});
const note = (summary: string, dependsOn?: CodeRow['dependsOn']): CodeRow => ({ severity: 'note', summary, dependsOn });

export const codes = {
  // Files and YAML
  'unreadable-file': error('a file cannot be read'),
  'file-too-large': error('a file is too large'),
  'too-many-findings': error('there are more findings than a report holds'),
  'not-utf-8': error('a file is not UTF-8 text'),
  'not-fetched': { ...error('git has not fetched a file or a submodule'), needs: ['here'] },
  'yaml-syntax': error('not valid YAML'),
  'yaml-version': error('only YAML 1.2 is supported'),
  'tab-indent': error('a tab is used for indentation'),
  'duplicate-key': error('a key appears twice in the same map'),
  'unquoted-asterisk': error('a value that begins with * needs quotes'),
  'unknown-anchor': error('an alias has no anchor'),
  'alias-expansion': error('the declarations expand to too many values'),
  'too-deep': error('nested too deeply'),
  'invalid-merge': error('a merge key does not name a map'),
  'invalid-key': error('not a valid key'),
  'unknown-tag': error('a YAML tag is not supported'),
  'inexact-number': error('a number is not kept as written'),
  'not-a-number': error('a number that JSON cannot represent'),
  'no-sources': warning('no source file was found'),
  'unread-source': note('a file looks like a source file and is not read'),

  // Shape of a declaration
  'required-field': { ...error('a required field is missing'), needs: ['config'] },
  'unknown-field': error('no such field'),
  'unknown-value': error('no such value'),
  'wrong-type': error('a value of the wrong type'),
  'field-not-for-format': error('a field that this format does not have'),
  'field-not-for-destination': error('a field that this destination does not have'),
  'filter-shape': { ...error('not the value of a filter'), canBeLowered: true },
  'filter-empty': warning('a filter has no value'),
  'filter-incomplete': warning('a filter does not say what it compares'),
  'filter-opposite': warning('a filter may pass the opposite'),
  'filter-dropped': error('a map of filters leaves one out'),
  'filter-value': warning('a value of a filter is probably not as it was meant'),
  'not-a-value': warning('a text is probably not a value'),
  'filter-spelling': warning('a filter is probably misspelled'),
  'odd-text': note('a text is probably not as it was meant'),
  'empty-section': note('a section declares nothing'),
  'reserved-key': error('a key that Almanac reserves'),
  'extra-known-field': error('extra contains a field that Almanac knows'),
  'not-ignorable': error('ignoreChanges names what cannot be ignored'),
  'same-delivery': warning('two schedules deliver the same thing'),
  'same-file': warning('two schedules write the same file'),
  'accepted-nothing': warning('an accepted warning does not exist'),
  'acceptance-ends': note('an acceptance ends soon'),
  'permission-ends': note('a line of the table of permissions ends soon'),
  'invalid-until': error('not a day'),
  'duplicate-address': error('the same address is declared twice'),

  // Interpolation
  'unknown-variable': { ...error('no such variable'), needs: ['config', 'here'] },
  'invalid-interpolation': error('not a valid ${…}'),
  'not-interpolated': { ...error('${…} cannot be used here'), needs: ['here'] },
  'secret-not-here': error('a secret cannot be used here'),
  'reserved-variable': error('an environment variable that declarations cannot read'),
  'missing-variable': { ...warning('an environment variable is not set', 'environment'), needs: ['here', 'sent'] },
  'secret-blank-end': {
    ...warning('a secret begins or ends with white space', 'environment'),
    needs: ['here', 'sent'],
  },
  'unreadable-reference': { ...error('a referenced file cannot be read'), needs: ['here'] },
  'reference-outside': { ...error('a referenced file is outside the workspace'), needs: ['here'] },
  'reference-private': { ...error('a referenced file may hold credentials'), needs: ['here'] },

  // Audiences
  'unknown-audience': { ...error('no such audience'), needs: ['sources', 'here'] },
  'audience-incomplete': { ...error('an audience lacks what a schedule or a routine needs'), needs: ['here'] },
  'audience-in-part': warning('a part of an audience receives nothing'),
  'unused-audience': { ...warning('an audience that nothing uses'), needs: ['sources'] },

  // Loops
  'for-each-list': { ...error('not the items of a loop'), needs: ['here'] },
  'for-each-rows': { ...error('not a table of items'), needs: ['here'] },
  'for-each-key': { ...error('not a valid key of an item'), needs: ['here'] },
  'for-each-missing': { ...error('an item lacks a value'), needs: ['here'] },
  'for-each-nearly': { ...warning('a cell is nearly a text of `only` or `except`'), needs: ['here'] },
  'for-each-unused': { ...warning('a value of an item is not used'), needs: ['here'] },
  'for-each-empty': { ...warning('a loop declares nothing'), needs: ['here'] },
  'for-each-many': { ...warning('a loop has very many items'), needs: ['here'] },
  'for-each-same-name': warning('two instances cannot be told apart'),
  'each-outside': error('a value of an item cannot be used here'),

  // Schedules
  'invalid-cron': error('not a valid schedule'),
  'cron-undocumented': warning('a schedule uses an undocumented form'),
  'cron-weekday-numbers': warning('days of the week are numbered as in unix cron'),
  'day-by-number': warning('a day of the week is a number'),
  'cron-skips-months': note('some months lack the day of a schedule'),
  'every-saturday': warning('a letter stands for every Saturday'),
  'days-at-month-end': warning('a schedule runs on several days at the end of a month'),
  'cron-never-fires': warning('a schedule never runs'),
  'cron-too-frequent': warning('a schedule or a routine runs more often than hourly'),
  'invalid-timezone': error('not a time zone'),
  'fixed-offset-zone': warning('a time zone never changes its clocks'),
  'timezone-spelling': warning('a time zone is spelled differently'),
  'condition-incomplete': error('an alert is incomplete'),
  'query-required': error('a single-tile query is required'),
  'identifier-is-url': error('an identifier is a web address'),
  'test-not-supported': error('a test delivery is not supported here'),
  'row-limit-without-override': warning('maxRowLimit has no effect'),
  'row-limit-without-rows': warning('maxRowLimit leaves no rows'),
  'row-limit-beyond-sheet': warning('more rows than a sheet holds'),
  'fit-page-expands': error('fit_page cannot expand tables'),
  'fit-page-single-column': warning('fit_page is combined with a single column'),
  'one-off-schedule': warning('a schedule that runs once'),
  'paused-needs-full': { ...error('paused requires operations: full'), needs: ['config'] },
  'override-needs-full': { ...error('timezoneOverride requires operations: full'), needs: ['config'] },
  'groups-need-full': error('userGroups requires operations: full'),
  'owner-conflict': error('two owners are declared'),
  'owner-needs-full': { ...error('owner requires operations: full'), needs: ['config'] },
  'duplicate-schedule': warning('two schedules cannot be told apart'),
  'duplicate-routine': warning('two routines cannot be told apart'),
  'routines-need-full': { ...error('routines require operations: full'), needs: ['config'] },
  'recipient-not-inside': {
    ...warning('a recipient is not of an internal domain'),
    isOffByDefault: true,
    needs: ['config'],
  },
  'rows-of-others': { ...error('a receiver may not have these rows'), canBeLowered: true, canBeWaived: true },
  'filters-joined': { ...warning('filters on one field let more rows through', 'service'), canBeWaived: true },
  'tile-unfiltered': {
    ...warning('a filter that divides the rows does not limit a tile', 'service'),
    canBeWaived: true,
  },
  'stored-otherwise': { ...warning('Omni does not store filters as they were sent', 'state'), canBeWaived: true },
  'not-read': {
    ...warning('what Omni shows could not be read', 'service'),
    canBeWaived: true,
  },
  'pages-left-out': warning('a PDF or PNG lacks pages of its dashboard', 'service'),
  'png-unfiltered': warning('a PNG may show rows without a filter'),
  'csv-of-tiles': { ...note('a CSV of several tiles comes as a ZIP', 'service'), canBeTurnedOff: true },
  'seen-together': warning('receivers of several companies share an e-mail'),
  'domain-of-everybody': warning('a domain belongs to no company'),
  'rows-unused': { ...note('lines of the table of permissions are not used'), canBeTurnedOff: true },
  'rows-still-shown': note('a value that some reports give up is still shown by others', 'state'),
  'ignored-state': error('an entry of `ignore` names no state of this organization'),
  'rows-table': error('not a table of who may receive which rows'),
  'waiver-in-defaults': error('a waiver cannot be a default'),
  'duplicate-recipient': warning('a recipient is listed twice'),
  'group-is-address': warning('a user group has the name of an e-mail address'),
  'one-slack-channel': error('exactly one Slack channel is needed'),
  'invalid-slack-id': error('not a Slack id'),
  'slack-id-kind': warning('a Slack id of another kind'),
  'secret-in-plain-text': warning('a secret is written in a file'),

  // Formats
  'invalid-email': error('not an e-mail address'),
  'invalid-url': error('not a valid URL'),
  'invalid-host': error('a port or a user in the address of an SFTP server'),
  'odd-host': warning('the address of an SFTP server cannot be read'),
  'invalid-bucket-name': error('not a valid bucket name'),
  'bucket-name-aws': warning('a bucket name that AWS rejects'),
  'unknown-region': warning('an unknown AWS region'),
  'invalid-role-arn': error('not an ARN'),
  'role-arn-aws': warning('not the ARN of a role as AWS writes it'),
  'invalid-key-prefix': error('not a valid key prefix'),
  'invalid-filename': error('not a valid file name'),
  'filename-slash': warning('a file name contains a slash'),
  'not-a-template': warning('a placeholder is not replaced'),
  'odd-prefix': warning('a folder is not written as a path'),
  'invalid-id': error('not an id'),
  'short-id': warning('an id is not a UUID', 'state'),

  // Dashboards and AI jobs
  'nothing-to-update': error('a dashboard declares nothing'),
  'dashboard-declared-twice': error('a dashboard is declared twice'),
  'discards-draft': warning('a shared draft would be discarded'),
  'progress-needs-webhook': error('progress events have nowhere to go'),
  'unsigned-webhook': warning('webhook events are not signed'),

  // moved, adopt, removed
  'invalid-moved': { ...error('a moved entry cannot be applied'), needs: ['sources'] },
  'stale-moved': note('a moved entry moves nothing'),
  'invalid-adopt': { ...error('an adopt entry cannot be applied'), needs: ['sources'] },
  'finished-entry': note('an adopt entry has taken effect'),
  'adopted-as-is': warning('what is adopted differs from its declaration', 'service'),
  'invalid-removed': error('a removed entry contradicts a declaration'),
  'stale-removed': note('a removed entry is no longer needed'),

  // Configuration
  'several-configurations': error('the configuration contains several documents'),
  'no-internal-domains': error('a check needs internalDomains'),
  'unknown-check': error('checks names something that it cannot change'),
  'unknown-environment': error('no such environment'),
  'no-sink': error('the environment has no sink for a delivery'),
  'invalid-base-url': error('not a valid base URL'),
  'base-url-conflict': error('two base URLs conflict'),
  'emulator-token': error('the token does not belong to the emulator'),
  'missing-base-url': warning('no base URL is set', 'environment'),
  'field-not-for-backend': error('a field that this backend does not have'),
  'invalid-state-place': error('not a place for the state'),
  'same-state-place': { ...error('two environments or workspaces share a state'), canBeLowered: true },
  'short-lease': error('a lease is too short'),
  'state-place-conflict': error('two places for the state conflict'),

  // Against the service
  'unknown-document': error('no such dashboard'),
  'deleted-dashboard': error('a dashboard is deleted'),
  'no-dashboard': error('a document has no dashboard'),
  'unknown-filter-key': error('no such filter on the dashboard'),
  'filter-type': error('a filter of another type on the dashboard'),
  'unknown-control': error('no such control on the dashboard'),
  'unknown-query': error('no such query on the dashboard'),
  'unknown-group': error('no such user group'),
  'unknown-model': error('no such model'),
  'owner-unknown': {
    ...error('nobody is the declared owner'),
    dependsOn: 'service',
    canBeLowered: true,
    canBeWaived: true,
  },
  'owner-inactive': error('the account of an owner is deactivated'),

  // Against the state
  'state-not-kept': warning('the state may be lost with the machine', 'environment'),
  'nothing-declared': error('nothing is declared'),
  'other-state-key': warning('the secrets in the state cannot be compared', 'state'),
  'secret-waits': note('the new value of a secret waits for another change', 'state'),
  'tracked-becomes-test': error('a tracked schedule cannot become a test delivery'),
  'deleted-with-owner': warning('a schedule was deleted with the account of its owner', 'service'),
  'stopped-by-service': warning('Omni has stopped a schedule or a routine', 'service'),
  'paused-by-owner': note('the owner of a routine has paused it in Omni', 'service'),
  'not-a-member': warning('an address that receives a routine is no longer found as a member', 'service'),
  'other-fan-out': warning('another fan-out than was sent', 'service'),
  'unknown-option': { ...note('Omni has options that Almanac does not know'), canBeTurnedOff: true },
  'dashboard-renamed': warning('a dashboard has another identifier in Omni', 'service'),
  'owner-address': note('an owner has another address in Omni', 'service'),
  'group-name': note('a user group has another name in Omni', 'service'),
  'journal-replayed': warning('the journal of a run that broke off was replayed', 'state'),
  'run-under-way': warning('another run is changing the state', 'state'),
  'state-absent': note('the place of the state is not complete yet'),
  'state-left-behind': { ...error('a state of this workspace was left behind'), dependsOn: 'state' },
  'unclear-move': error('a row moved between loops, and it is not known to which report'),
  'may-be-renamed': note('one schedule goes and another of its name comes', 'state'),
  'gives-up-many': warning('much of what is tracked is gone, or would be removed', 'state'),
  'ignored-is-sent': warning('an update sends fields whose changes are ignored', 'state'),
  'removed-may-stay': warning('a removed field may keep its value', 'state'),
  'entry-left-as-is': note('a dashboard entry is left unchanged'),
  'routine-owner': warning('nobody is named as the owner of a routine', 'environment'),
  'user-id-needs-organization-key': warning('userId needs an organization key', 'environment'),
} as const satisfies Readonly<Record<string, CodeRow>>;

export type Code = keyof typeof codes;

/** True if a finding is reported although these facts are unknown. */
export function isHeard(code: Code, ...unknown: readonly RuleBasis[]): boolean {
  const { needs = [] }: CodeRow = codes[code];
  return !unknown.some((each) => needs.includes(each));
}

export function isCode(text: string): text is Code {
  return Object.hasOwn(codes, text);
}

/** Every code that a resource can accept. */
export const acceptableCodes: readonly Code[] = Object.keys(codes).filter(isCode).filter(isAcceptable);

export function isAcceptable(code: Code): boolean {
  return codes[code].severity === 'warning' || canBeWaived(code);
}

/** It is or may count as an error, so whoever accepts it says until when. */
export function canBeWaived(code: Code): boolean {
  const { canBeWaived: can }: CodeRow = codes[code];
  return can === true;
}

/** Every code that almanac.yaml can set to another severity. */
export const checkableCodes: readonly Code[] = Object.keys(codes).filter(isCode).filter(isCheckable);

export function isCheckable(code: Code): boolean {
  const { severity, canBeLowered }: CodeRow = codes[code];
  return severity === 'warning' || canBeLowered === true || canOnlyBeOff(code);
}

/** Nothing else than `off` means anything for a note. */
export function canOnlyBeOff(code: Code): boolean {
  const { canBeTurnedOff }: CodeRow = codes[code];
  return canBeTurnedOff === true;
}

/** A warning that is off by default is no finding where `checks` says nothing of it, so a plan does not name it as off. */
export function isSought(code: Code, checks: Readonly<Partial<Record<Code, unknown>>>): boolean {
  const { isOffByDefault }: CodeRow = codes[code];
  return isOffByDefault !== true || checks[code] !== undefined;
}

/** True if nothing with this code is reported. */
export function isOff(code: Code, checks: Readonly<Partial<Record<Code, 'off' | 'warning' | 'error'>>>): boolean {
  return checks[code] === 'off' || !isSought(code, checks);
}
