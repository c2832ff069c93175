// The service as `almanac prove` meets it, written from its published text. Neither the program nor its emulator was
// read. Schedules can be made and read, and there are parts of dashboards and downloads. An unknown request is answered
// with 501, so that one which no text describes does not pass.

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { listenOnLoopback } from '../state/loopback.ts';
import { conditionsFor, csvOf, type Dashboard, type Tile } from './dashboards.ts';
import { type Packed, zipOf } from './zip.ts';

export const organizationKey = 'omni_osk_t0ken-that-nothing-may-show';
export const personalToken = 'omni_pat_t0ken-that-nothing-may-show';
export const ana = { id: '8f1c1a52-0f5b-4c4d-9d3e-3f2d7f6a1b01', email: 'ana@example.com', name: 'Ana' };
const organizationId = '8f1c1a52-0f5b-4c4d-9d3e-3f2d7f6a1b00';

export interface Asked {
  readonly method: string;
  /** Below /api, without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** On the clock of the test. */
  readonly at: number;
}

export interface Answer {
  readonly status: number;
  /** Text and bytes go as they are; pieces are sent without saying how many bytes there are. */
  readonly body?: unknown;
  readonly type?: string;
}

export interface DoubleOptions {
  readonly dashboards: readonly Dashboard[];
  readonly now?: () => number;
  /** How often a file is not there yet, of each download. */
  readonly pending?: number;
  /** Instead of what it would answer, where this gives something. */
  readonly instead?: (asked: Asked) => Answer | undefined | Promise<Answer | undefined>;
  /** How the tiles of a dashboard are packed. */
  readonly pack?: (files: readonly Packed[], dashboard: Dashboard) => Buffer;
  /** The text of a tile's file becomes these bytes. */
  readonly write?: (text: string, tile: Tile) => Buffer;
  /** Queries are listed without what they ask for. */
  readonly withoutQuery?: boolean;
  /** Documents have the classic layout, which has no v2. */
  readonly isClassic?: boolean;
  /** Whose token it is, where it is a personal one. */
  readonly member?: string;
}

export interface Double {
  readonly baseUrl: string;
  readonly asked: readonly Asked[];
  /** The bytes of files that were written to the program. */
  readonly sentBytes: () => number;
  /** Somebody changes a schedule by hand. */
  readonly change: (name: string, fields: Readonly<Record<string, unknown>>) => void;
  close(): Promise<void>;
}

interface Schedule {
  readonly id: string;
  readonly ownerId: string;
  readonly createdAt: string;
  disabledAt: string | null;
  fields: Record<string, unknown>;
}

interface Job {
  readonly id: string;
  readonly identifier: string;
  readonly user: string;
  readonly body: Asked['body'];
  pending: number;
  isFetched: boolean;
}

const refused = (status: number, detail: string): Answer => ({ status, body: { detail, status } });
const json = (body: unknown): Answer => ({ status: 200, body });

export async function startDouble(options: DoubleOptions): Promise<Double> {
  const { dashboards, now = Date.now, pending = 0, instead, pack = (files) => zipOf(files) } = options;
  const write = options.write ?? ((text: string) => Buffer.from(text));
  const asked: Asked[] = [];
  const schedules: Schedule[] = [];
  const jobs: Job[] = [];
  let sentBytes = 0;
  const dashboardOf = (identifier: string) =>
    dashboards.find((each) => each.identifier === identifier || uuidOf(each) === identifier);

  const answerTo = (request: Asked, { headers }: IncomingMessage): Answer => {
    const { method, path, query, body } = request;
    const authorization = headers.authorization ?? '';
    const isOrganization = authorization === `Bearer ${organizationKey}`;
    if (!isOrganization && authorization !== `Bearer ${personalToken}`)
      return refused(401, 'Unauthorized: Missing or invalid API key');
    if (!isOrganization && query['userId'] !== undefined) return refused(403, 'A personal token acts for nobody else');
    const caller = isOrganization ? 'the organization key' : (options.member ?? ana.id);
    const [route, ...ids] = routed(method, path);
    const dashboard = dashboardOf(ids[0] ?? '');
    const schedule = schedules.find(({ id }) => id === ids[0]);
    if (/^\w+ \/v[12]\/(?:dashboards|documents)\/ID/.test(route) && dashboard === undefined)
      return refused(404, `Document with id ${ids[0]} does not exist`);
    if (/^\w+ \/v1\/schedules\/ID/.test(route) && schedule === undefined)
      return refused(404, `Scheduled task with id ${ids[0]} does not exist`);

    switch (route) {
      case 'GET /v1/whoami':
        return json(isOrganization ? { keyScope: 'organization' } : whoami(caller));
      case 'GET /v1/documents':
        return json({ records: dashboards.map(listedDocument), pageInfo: onePage(dashboards.length) });
      case 'GET /v1/dashboards/ID/filters':
        return json(filtersOf(dashboard as Dashboard));
      case 'GET /v1/documents/ID/queries':
        return json({ queries: (dashboard as Dashboard).tiles.map((tile) => queryOf(tile, options)) });
      case 'GET /v2/documents/ID':
        return options.isClassic
          ? { status: 422, body: { error: 'The document has the classic layout' } }
          : json(documentOf(dashboard as Dashboard));
      case 'GET /scim/v2/Users':
        return isOrganization ? json(usersIn(query['filter'])) : refused(403, 'An organization key is needed');
      case 'GET /v1/schedules': {
        const rows = schedules.filter(({ fields }) => [undefined, fields['identifier']].includes(query['identifier']));
        return json({ records: rows.map(rowOf), pageInfo: onePage(rows.length) });
      }
      case 'POST /v1/schedules': {
        const ownerId = query['userId'] ?? (isOrganization ? organizationId : caller);
        const createdAt = new Date(now()).toISOString();
        const made = { id: randomUUID(), ownerId, createdAt, disabledAt: null, fields: { ...body } };
        schedules.push(made);
        return json({ id: made.id, message: 'Successfully created schedule' });
      }
      case 'GET /v1/schedules/ID':
        return json(detailsOf(schedule as Schedule, dashboardOf(String(schedule?.fields['identifier']))));
      case 'GET /v1/schedules/ID/recipients':
        return json(recipientsOf(schedule as Schedule));
      case 'PUT /v1/schedules/ID':
        Object.assign(schedule as Schedule, { fields: { ...body } });
        return json({ success: true, scheduledTaskId: ids[0] });
      case 'POST /v1/dashboards/ID/download': {
        const wrong = mistakeIn(body);
        if (wrong !== undefined) return refused(400, `Bad Request: ${wrong}`);
        const user = query['userId'] ?? caller;
        const [key, identifier] = [body['queryIdentifierMapKey'], (dashboard as Dashboard).identifier];
        if (key !== undefined && !dashboard?.tiles.some((tile) => tile.key === key))
          return refused(400, `Couldn't find query presentation for key: ${key}`);
        const running = jobs.find((job) => job.user === user && job.identifier === identifier && job.pending > 0);
        if (running) return refused(409, `A download is in progress: ${running.id}`);
        const id = randomUUID();
        jobs.push({ id, identifier, user, body, pending, isFetched: false });
        return json({ job_id: id, message: 'Download started' });
      }
      case 'GET /v1/dashboards/ID/download/ID':
      case 'GET /v1/dashboards/ID/download/ID/status': {
        const job = jobs.find(({ id, user }) => id === ids[1] && user === (query['userId'] ?? caller));
        if (job === undefined) return refused(404, `Download job with id ${ids[1]} does not exist`);
        const status = job.pending > 0 ? 'in_progress' : 'complete';
        if (route.endsWith('status')) return json({ job_id: job.id, status, format: job.body['format'] });
        if (job.pending > 0) {
          job.pending -= 1;
          return { status: 202, body: { job_id: job.id, status } };
        }
        job.isFetched = true;
        return fileOf(job.body, dashboard as Dashboard);
      }
      default:
        return refused(501, `The double does not know ${method} ${path}`);
    }
  };

  const fileOf = (body: Asked['body'], dashboard: Dashboard): Answer => {
    const sent = Object(body['filterConfig']) as Readonly<Record<string, unknown>>;
    const textOf = (tile: Tile) =>
      write(csvOf(tile, conditionsFor(tile, dashboard, sent), body['enableFormatting'] === true), tile);
    const one = dashboard.tiles.find(({ key }) => key === body['queryIdentifierMapKey']);
    if (one !== undefined) return { status: 200, body: textOf(one), type: 'text/csv' };
    const files = dashboard.tiles.map((tile) => ({ name: `${tile.name}.csv`, bytes: textOf(tile) }));
    return { status: 200, body: pack(files, dashboard), type: 'application/zip' };
  };

  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://double');
      const text = Buffer.concat(chunks).toString();
      const request: Asked = {
        method: incoming.method ?? '',
        path: pathname.replace(/^\/api/, ''),
        query: Object.fromEntries(searchParams),
        body: text === '' ? {} : (JSON.parse(text) as Asked['body']),
        at: now(),
      };
      asked.push(request);
      const answer = (await instead?.(request)) ?? answerTo(request, incoming);
      send(answer, response, new Date(now()), (bytes) => {
        sentBytes += bytes;
      });
    });
  });
  const { port, close } = await listenOnLoopback(server);
  onTestFinished(close);
  return {
    baseUrl: `http://127.0.0.1:${port}/api`,
    asked,
    sentBytes: () => sentBytes,
    change: (name, { disabledAt, ...fields }) => {
      for (const schedule of schedules) {
        if (schedule.fields['name'] !== name) continue;
        Object.assign(schedule.fields, fields);
        if (typeof disabledAt === 'string') schedule.disabledAt = disabledAt;
      }
    },
    close,
  };
}

function send(answer: Answer, response: ServerResponse, now: Date, count: (bytes: number) => void): void {
  const { status, body, type = 'application/json' } = answer;
  const headers = { 'content-type': type, date: now.toUTCString() };
  if (body instanceof Readable) {
    response.writeHead(status, headers);
    body.on('data', (piece: Buffer) => count(piece.length));
    response.on('close', () => body.destroy());
    body.pipe(response);
    return;
  }
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  count(bytes.length);
  response.writeHead(status, { ...headers, 'content-length': String(bytes.length) }).end(bytes);
}

/** `GET /v1/schedules/ID` with the ids. */
function routed(method: string, path: string): readonly [string, ...string[]] {
  const ids: string[] = [];
  const pattern = /(?<=\/(?:schedules|dashboards|documents|download)\/)[^/]+/g;
  const route = path.replace(pattern, (id) => {
    ids.push(decodeURIComponent(id));
    return 'ID';
  });
  return [`${method} ${route}`, ...ids];
}

/** What a download may say. The options of one format are refused for another, as they are in a schedule. */
const forAll = ['format', 'filterConfig', 'queryIdentifierMapKey', 'filename', 'useCache'];
const only: Readonly<Record<string, readonly string[]>> = {
  enableFormatting: ['csv', 'xlsx', 'json'],
  overrideRowLimit: ['csv', 'xlsx', 'json'],
  maxRowLimit: ['csv', 'xlsx', 'json'],
  hideHiddenFields: ['csv', 'xlsx'],
  showContentLink: ['pdf', 'png', 'csv', 'xlsx', 'json'],
  showFilters: ['pdf', 'png', 'xlsx', 'json'],
  hideTitle: ['pdf', 'png'],
  expandTablesToShowAllRows: ['pdf', 'png'],
  singleColumnLayout: ['pdf', 'png'],
  paperFormat: ['pdf'],
  paperOrientation: ['pdf'],
};

function mistakeIn(body: Asked['body']): string | undefined {
  const format = String(body['format']);
  if (format !== 'csv') return `format: the double makes csv, and not ${format}`;
  for (const name of Object.keys(body)) {
    if (forAll.includes(name)) continue;
    if (only[name] === undefined) return `Unrecognized key(s) in object: '${name}'`;
    if (!only[name].includes(format)) return `${name} is not supported for this format`;
  }
  return undefined;
}

/** Any, but always the same one. */
function uuidOf({ identifier }: Dashboard): string {
  return `8f1c1a52-0f5b-4c4d-9d3e-0000${identifier}`;
}

const onePage = (totalRecords: number) => ({ hasNextPage: false, nextCursor: null, pageSize: 100, totalRecords });

function whoami(member: string): object {
  return { keyScope: 'user', orgRole: 'MEMBER', user: { id: randomUUID(), membershipId: member }, rolesByModel: {} };
}

function listedDocument({ identifier, name = identifier }: Dashboard): object {
  return {
    connectionId: '8f1c1a52-0f5b-4c4d-9d3e-3f2d7f6a1bcc',
    deleted: false,
    folder: null,
    hasDashboard: true,
    identifier,
    name,
    owner: { id: ana.id, name: ana.name },
    scope: 'organization',
    type: 'document',
    updatedAt: '2026-02-01T00:00:00.000Z',
    url: `https://double.omniapp.co/dashboards/${identifier}`,
  };
}

function shownFilters({ filters }: Dashboard): readonly (readonly [string, object])[] {
  return Object.entries(filters).map(([id, { field, type = 'string', values = [], hidden = false }]) => [
    id,
    { type, kind: 'EQUALS', values, fieldName: field, label: id, hidden, required: false },
  ]);
}

function filtersOf(dashboard: Dashboard): object {
  const filters = Object.fromEntries(shownFilters(dashboard));
  return { identifier: dashboard.identifier, filters, controls: {}, filterOrder: Object.keys(filters) };
}

function askedBy({ fields, pivots = [], sql = '' }: Tile): object {
  return { table: 'orders', fields, filters: {}, sorts: [], pivots, calculations: [], limit: 1000, userEditedSQL: sql };
}

function queryOf(tile: Tile, { withoutQuery }: DoubleOptions): object {
  const { key, name } = tile;
  const url = `https://double.omniapp.co/w/x?key=${encodeURIComponent(key)}`;
  return { id: randomUUID(), name, queryIdentifierMapKey: key, url, ...(!withoutQuery && { query: askedBy(tile) }) };
}

function documentOf(dashboard: Dashboard): object {
  const { identifier, name = identifier, tiles, filters } = dashboard;
  const controls = shownFilters(dashboard).map(([id, config]) => [
    id,
    { config: { ...config, id }, map: filters[id]?.map ?? {} },
  ]);
  const pages = [...new Set(tiles.map(({ page = 1 }) => page))].sort();
  return {
    identifier,
    name,
    description: null,
    queryPresentations: {
      data: Object.fromEntries(
        tiles.map((tile) => [tile.key, { name: tile.name, type: 'query', query: askedBy(tile) }]),
      ),
      order: tiles.map(({ key }) => key),
    },
    controls: { data: Object.fromEntries(controls), order: Object.keys(filters) },
    containers: pages.map((page) => ({
      containerType: 'page',
      instanceKey: `page-${page}`,
      name: `Page ${page}`,
      container: {
        containerType: 'grid',
        instanceKey: `grid-${page}`,
        children: tiles
          .filter((tile) => (tile.page ?? 1) === page)
          .map(({ key }) => ({
            containerType: 'stack',
            instanceKey: `stack-${key}`,
            metadata: { attachedQueryKey: key },
          })),
      },
    })),
    settings: {},
  };
}

function usersIn(filter: string | undefined): object {
  const isAsked = filter === undefined || filter.toLowerCase().includes(ana.email);
  const Resources = isAsked ? [{ id: ana.id, userName: ana.email, displayName: ana.name, active: true }] : [];
  return { totalResults: Resources.length, startIndex: 1, itemsPerPage: Resources.length, Resources };
}

function rowOf({ id, ownerId, disabledAt, fields }: Schedule): object {
  const { name, schedule, timezone, identifier, destinationType, format, recipients, conditionType } = fields;
  return {
    ...{ id, name, schedule, timezone, identifier, dashboardName: identifier, ownerId, ownerName: ana.name },
    ...{ destinationType, format, content: fields['queryIdentifierMapKey'] === undefined ? 'dashboard' : 'tile' },
    recipientCount: destinationType === 'email' ? (recipients as string[]).length : -1,
    slackRecipientType: fields['slackRecipientType'] ?? null,
    ...{ lastCompletedAt: null, lastStatus: null, disabledAt, systemDisabledAt: null, systemDisabledReason: null },
    alert: conditionType === undefined ? null : { conditionType, conditionQueryName: 'Orders' },
  };
}

const addressed = (email: string) => ({
  id: randomUUID(),
  membershipId: randomUUID(),
  membership: { user: { email, name: email } },
});

/** The filters as GET shows them: those of the dashboard, and what the schedule has over them. */
function detailsOf(schedule: Schedule, dashboard: Dashboard | undefined): object {
  const { id, ownerId, createdAt, disabledAt, fields } = schedule;
  const { identifier, destinationType, format, recipients, filterConfig, ...rest } = fields;
  const own = Object(filterConfig) as Readonly<Record<string, unknown>>;
  const effective = (dashboard === undefined ? [] : shownFilters(dashboard)).map(([key, shown]) => [
    key,
    own[key] ?? shown,
  ]);
  const people = destinationType === 'email' ? (recipients as string[]).map(addressed) : [];
  return {
    ...{ id, organizationId, entityId: dashboard === undefined ? null : uuidOf(dashboard), ownerId },
    ...{ owner: { name: ana.name }, name: rest['name'], schedule: rest['schedule'], timezone: rest['timezone'] },
    ...{ fanOut: rest['fanOut'] === true, killJobsOnFailure: rest['killJobsOnFailure'] === true },
    filterConfig: Object.fromEntries(effective),
    metadata: rest,
    ...{ conditionType: rest['conditionType'] ?? null, conditionQueryMapKey: rest['conditionQueryMapKey'] ?? null },
    ...{ disabledAt, systemDisabledAt: null, systemDisabledReason: null, createdAt, updatedAt: createdAt },
    destinations: [
      {
        ...{ id: randomUUID(), format, lastStatus: null, lastCompletedAt: null },
        ...{ metadata: { type: destinationType }, recipients: people, userGroupRecipients: [] },
      },
    ],
  };
}

function recipientsOf({ fields: { destinationType, recipients, url } }: Schedule): object {
  if (destinationType !== 'email') return { type: destinationType, url };
  const rows = (recipients as string[]).map((email) => ({ email, id: randomUUID(), name: email }));
  return { type: 'email', recipients: rows, userGroupRecipients: [] };
}
