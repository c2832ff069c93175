// `almanac list documents`: every parameter, checked before it is sent; all pages; and the four output formats.

import { describe, expect, it } from 'vitest';
import type { Output, Outside } from '../../src/commands/base/world.ts';
import type { ValidateDocument } from '../../src/commands/validate/validate-document.ts';
import type { EmulatorOptions } from '../../src/emulator/emulator.ts';
import type { EmulatedDocument } from '../../src/emulator/store.ts';
import type { DocumentsDocument } from '../../src/model/service/documents.ts';
import { displayWidth } from '../../src/report/text/terminal-text.ts';
import { stripSgr } from '../support/report/strip-sgr.ts';
import { expectDocument } from '../support/schemas.ts';
import { says } from '../support/vocabulary.ts';
import { start, type Workspace, workspaceIn } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

const ana = '987fcdeb-51a2-43d7-9b56-254415f67890';
const salesFolder = '2c5ea4c0-4067-41e9-8bad-9b1deb4d3b7d';

async function stage(options: EmulatorOptions = {}, token: 'organizationKey' | 'personalToken' = 'organizationKey') {
  const folder = await openWorld({}, options);
  const { emulator } = folder;
  const workspace = folder.beside({}, { OMNI_API_TOKEN: folder[token] });
  const add = (...documents: Partial<EmulatedDocument>[]) =>
    emulator.edit((data) => {
      const model = data.documents[0] as EmulatedDocument;
      documents.forEach((document, index) => {
        data.documents.push({ ...structuredClone(model), identifier: `added-${index}`, favoriteOf: [], ...document });
      });
    });
  return { emulator, workspace, folder, add, queries: () => emulator.requests().map(({ query }) => query) };
}

const identifiers = async (workspace: Workspace, ...flags: readonly string[]) => {
  const { stdout, code } = await workspace.run('list', 'documents', '--format', 'json', ...flags);
  expect(code, stdout).toBe(0);
  return expectDocument<DocumentsDocument & Record<string, unknown>>('documents', stdout).documents.map(
    ({ identifier }) => identifier,
  );
};

/** A terminal with this number of columns. */
const onTerminal = (workspace: Workspace, width: number) => {
  let written = '';
  const output: Output = { write: (text) => (written += text), isTerminal: true, width };
  const extra: Partial<Outside> = { stdout: output };
  return async (...argv: readonly string[]) => {
    await workspaceIn(workspace, workspace.environment, extra).run(...argv);
    return written;
  };
};

describe('the parameters', () => {
  it('documents sends all parameters, and page size and sort even if they are not given', async () => {
    const { workspace, queries } = await stage();
    await workspace.run('list', 'documents');
    await workspace.run(
      ...[
        'list',
        'documents',
        '--include',
        'labels',
        '--include',
        '_count,includeDeleted',
        '--label',
        'sales',
        '--label',
        'a',
      ],
      ...['--folder', salesFolder, '--page-size', '7', '--sort', 'updatedAt:desc', '--user', ana, '--creator', ana],
    );
    expect(queries()).toEqual([
      { pageSize: '100', sortField: 'name', sortDirection: 'asc' },
      {
        include: 'labels,_count,includeDeleted',
        labels: 'sales,a',
        folderId: salesFolder,
        pageSize: '7',
        sortField: 'updatedAt',
        sortDirection: 'desc',
        userId: ana,
        creatorId: ana,
      },
    ]);
  });

  it.each([
    [['--page-size', '0'], 'from 1 to 100'],
    [['--page-size', '101'], 'from 1 to 100'],
    [['--limit', '0'], 'from 1'],
    [['--sort', 'owner'], 'such as updatedAt:desc'],
    [['--sort', 'name:up'], 'such as updatedAt:desc'],
    [['--include', 'label'], 'Did you mean `labels`?'],
    [['--include', ''], '--include is empty'],
    [['--label', 'a,,b'], '--label is empty'],
    [['--include', 'onlyFavorites'], 'needs --user'],
    [['--include', 'labels,onlySharedWithMe'], 'needs --user'],
    [['--cursor', 'x'], '--cursor needs the --sort'],
    [['--folder', 'sales'], '--folder must be an id'],
    [['--user', 'ana@example.com'], '--user must be an id'],
    [['--creator', 'Ana'], '--creator must be an id'],
  ])('documents %j is refused before a request', async (flags, words) => {
    const { workspace, queries } = await stage();
    const ran = await workspace.run('list', 'documents', ...flags);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toEqual(says(words));
    expect(ran.stdout).toBe('');
    expect(queries()).toEqual([]);
  });

  it('documents explains the refusal of a cursor that belongs to another order', async () => {
    const { workspace } = await stage();
    const first = await workspace.run('list', 'documents', '--sort', 'name', '--limit', '2', '--format', 'json');
    const { pageInfo } = JSON.parse(first.stdout) as DocumentsDocument;
    const ran = await workspace.run('list', 'documents', '--sort', 'visits', '--cursor', pageInfo?.nextCursor ?? '');
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toEqual(says('(400)'));
    expect(ran.stderr).toEqual(says('repeat the --sort and the filters that it came with'));
  });

  it('documents needs no user with a personal token, and lists what the service selects', async () => {
    const { workspace } = await stage({}, 'personalToken');
    expect(await identifiers(workspace, '--include', 'onlyFavorites')).toEqual(['e5521fd8', '12db1a0a']);
    expect(await identifiers(workspace, '--label', 'finance', '--label', 'sales')).toEqual(['b4d86e20', '12db1a0a']);
  });

  it('documents without a token or a base URL ends with an explanation', async () => {
    const { folder, workspace } = await stage();
    expect(await workspaceIn(folder, {}).run('list', 'documents')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('error[missing-token]'),
    });
    workspace.write({ 'almanac.yaml': {} });
    const ran = await workspace.run('list', 'documents', '--format', 'json');
    expect(expectDocument('error', ran.stdout)).toMatchObject({ error: { code: 'missing-base-url' } });
  });
});

describe('2,500 documents', () => {
  const many = () =>
    Array.from({ length: 2492 }, (_, index) => ({
      identifier: `many-${index}`,
      // Ten documents share each name, so the order needs more than names.
      name: `Report ${index % 250}`,
      updatedAt: new Date(start - index * 60_000).toISOString(),
    }));

  it('documents counts 2,500 documents in a table of 80 columns, and cuts nothing in a pipe', async () => {
    const { workspace, add } = await stage();
    add(...many());
    const lines = (await onTerminal(workspace, 80)('list', 'documents')).split('\n');
    expect(stripSgr(lines.at(-2) ?? '')).toBe('2,500 documents.');
    expect(lines.length).toBe(2500 + 4);
    expect(Math.max(...lines.map((line) => displayWidth(stripSgr(line))))).toBeLessThanOrEqual(80);
    const { stdout } = await workspace.run('list', 'documents');
    expect(stdout.split('\n').length).toBe(2500 + 4);
    expect(stdout).not.toContain('…');
  });

  it('documents continues where a limit stopped, and fetches one page for a cursor', async () => {
    const { workspace, add, queries } = await stage();
    add(...many());
    const first = await workspace.run('list', 'documents', '--format', 'json', '--limit', '250', '--page-size', '50');
    const { documents, pageInfo } = expectDocument<DocumentsDocument & Record<string, unknown>>(
      'documents',
      first.stdout,
    );
    expect(documents).toHaveLength(250);
    expect(queries()).toHaveLength(5);
    const { stdout } = await workspace.run(
      ...['list', 'documents', '--format', 'json', '--sort', 'name', '--cursor', pageInfo?.nextCursor ?? ''],
    );
    const next = JSON.parse(stdout) as DocumentsDocument;
    expect(next.documents).toHaveLength(100);
    expect(new Set([...documents, ...next.documents].map(({ identifier }) => identifier)).size).toBe(350);
    expect(queries()).toHaveLength(6);
    const table = await workspace.run('list', 'documents', '--limit', '3');
    expect(table.stdout).toMatch(/3 documents of 2500\. The next, with the same --sort:\n {2}--cursor \S+\n$/);
  });
});

describe('names that anybody may write', () => {
  const hostile = [
    { name: '\u001b]0;owned\u0007\u001b[31mRed\u001b[0m\u202edesrever' },
    { name: 'two\nlines, and a "quote"' },
    { name: '=HYPERLINK("https://evil.example/","x")' },
    { name: '${env.SFTP_PASSWORD} $${var.x} # {}: [' },
    { name: '四半期の売上報告書と地域別の内訳および前年同期との比較', labels: ['日本', '👩‍💻'] },
    { name: 'Ünïcode ✓ — Straße' },
    { name: '-1+2', identifier: '007' },
    { name: '\u0085next\u2028line\u007f' },
    { name: 'no: "\\' },
    { name: 'x'.repeat(5000) },
    { name: '2026' },
    { name: 'Sales overview', identifier: '1e5' },
  ];

  it.each([80, 20])(
    'names with control sequences fit a terminal of %i columns and cannot control it',
    async (width) => {
      const { workspace, add } = await stage();
      add(...hostile);
      const text = await onTerminal(workspace, width)('list', 'documents', '--include', 'labels,_count', '--no-color');
      expect(Math.max(...text.split('\n').map(displayWidth))).toBeLessThanOrEqual(width);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/);
      expect(text).toContain('IDENTIFIER');
    },
  );

  it('names are valid YAML with the same meaning once pasted', async () => {
    const { workspace, add } = await stage({ operations: 'core' });
    add(...hostile);
    const { stdout } = await workspace.run('list', 'documents', '--format', 'yaml');
    workspace.write({ 'schedules/pasted.yaml': stdout });
    const ran = await workspace.run('validate', '--format', 'json');
    expect(JSON.parse(ran.stdout) as ValidateDocument).toMatchObject({
      valid: true,
      summary: { resources: 2 * (7 + hostile.length), warnings: 0 },
      diagnostics: [],
    });
    const { changes } = await workspace.plan();
    const declared = changes.map(({ after }) => after?.['name']).filter((name) => name !== undefined);
    for (const { name } of hostile) expect(declared).toContain(name);
  });

  it('no name is a command for the job that prints the YAML', async () => {
    const { folder, add } = await stage();
    add({ name: '##vso[task.setvariable variable=x]y' });
    const inAzure = folder.beside({}, { OMNI_API_TOKEN: folder.organizationKey, TF_BUILD: 'True' });
    const { stdout } = await inAzure.run('list', 'documents', '--format', 'yaml');
    expect(stdout).toContain('[task.setvariable variable=x]y');
    expect(stdout).not.toContain('##vso[');
  });
});

describe('stubs', () => {
  it('stubs with operations full hold the current filters, and applying them changes nothing', async () => {
    const { workspace, emulator } = await stage();
    const { stdout } = await workspace.run('list', 'documents', '--format', 'yaml', '--folder', salesFolder);
    expect(stdout).toMatch(
      / {2}sales-overview:\n {4}identifier: 12db1a0a\n {4}filters:\n {6}order_status:\n {8}values: \[complete\]\n/,
    );
    workspace.write({ 'schedules/pasted.yaml': stdout });
    const validated = await workspace.run('validate', '--strict');
    expect(validated, validated.stdout).toMatchObject({ code: 0 });
    expect((await workspace.run('fmt', '--check')).stdout).not.toContain('pasted.yaml');
    const before = emulator.data().documents.map(({ dashboard }) => dashboard?.filters);
    await workspace.apply('--target', 'dashboards.sales-overview', 'dashboards.customer-health');
    expect(emulator.data().documents.map(({ dashboard }) => dashboard?.filters)).toEqual(before);
  });

  it('stubs of more than twenty dashboards need no request besides the list', async () => {
    const { workspace, add, queries } = await stage();
    add(...Array.from({ length: 30 }, (_, index) => ({ identifier: `x-${index}` })));
    const { stdout } = await workspace.run('list', 'documents', '--format', 'yaml');
    expect(queries()).toHaveLength(1);
    expect(stdout).toContain('filter_id:\n        values: []');
    expect(stdout).toContain('  sales-overview-31:');
  });

  it('stubs omit what cannot be scheduled, and say so if nothing is left', async () => {
    const { workspace } = await stage();
    expect((await workspace.run('list', 'documents', '--format', 'yaml')).stdout).not.toContain('a17b3e94');
    const none = await workspace.run('list', 'documents', '--format', 'yaml', '--label', 'nobody-has-it');
    expect(none).toMatchObject({ code: 0, stdout: '# No dashboards.\n' });
    expect((await workspace.run('list', 'documents', '--label', 'nobody-has-it')).stdout).toBe('No documents.\n');
  });
});
