// Drives yaml-language-server, which editors show YAML with, over its protocol: what a person who edits a file with
// one of our schemas sees. Positions are those of the text that was handed in, from 0.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

/** Marks the cursor in a text. */
export const cursor = '█';

export interface Shown {
  /** As the editor underlines it. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface Offered {
  readonly label: string;
  readonly documentation: string;
  /** What is put in, with its places to fill in (`${1:text}`). */
  readonly inserted: string;
}

export interface LanguageServer {
  /** The problems of a file, in order. */
  diagnose(text: string): Promise<readonly Shown[]>;
  /** Those of a file where it is, by the schema that its own first line names. */
  diagnoseAt(path: string, text: string): Promise<readonly Shown[]>;
  /** What is offered at the cursor. */
  complete(text: string): Promise<readonly Offered[]>;
  /** What is shown for the word at the cursor, as Markdown; empty for nothing. */
  hover(text: string): Promise<string>;
  stop(): Promise<void>;
}

const settings = {
  yaml: { validate: true, completion: true, hover: true, schemaStore: { enable: false }, format: { enable: false } },
};

/** A server that checks every file by one schema, but for those that are opened where they are. */
export async function startLanguageServer(schemaFile = ''): Promise<LanguageServer> {
  const require = createRequire(import.meta.url);
  const program = require.resolve('yaml-language-server/bin/yaml-language-server');
  const child = spawn(process.execPath, [program, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const connection = connect(child);
  await connection.request('initialize', {
    processId: process.pid,
    rootUri: null,
    workspaceFolders: null,
    capabilities: {
      textDocument: {
        completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown'] } },
        hover: { contentFormat: ['markdown'] },
        publishDiagnostics: {},
      },
      workspace: { configuration: true, didChangeConfiguration: { dynamicRegistration: true } },
    },
  });
  connection.notify('initialized', {});
  connection.notify('workspace/didChangeConfiguration', { settings });

  const modeline = `# yaml-language-server: $schema=${pathToFileURL(schemaFile).href}\n`;
  let opened = 0;

  function open(text: string) {
    opened += 1;
    const uri = `file:///workspace/schedules/file-${opened}.yaml`;
    const found = connection.diagnosticsOf(uri);
    const textDocument = { uri, languageId: 'yaml', version: 1, text: modeline + text.replace(cursor, '') };
    connection.notify('textDocument/didOpen', { textDocument });
    return { uri, diagnostics: found };
  }

  async function ask(method: string, text: string): Promise<unknown> {
    const { uri } = open(text);
    const before = text.slice(0, text.indexOf(cursor)).split('\n');
    const position = { line: before.length, character: before.at(-1)?.length ?? 0 };
    return connection.request(method, { textDocument: { uri }, position });
  }

  async function diagnoseAt(path: string, text: string): Promise<readonly Shown[]> {
    const uri = pathToFileURL(path).href;
    const found = connection.diagnosticsOf(uri);
    connection.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
    return (await found).map((shown) => ({ ...shown, line: shown.line + 1 }));
  }

  return {
    diagnose: (text) => open(text).diagnostics,
    diagnoseAt,
    complete: async (text) => {
      const result = (await ask('textDocument/completion', text)) as { items: CompletionItem[] } | CompletionItem[];
      return (Array.isArray(result) ? result : result.items).map(({ label, documentation, insertText, textEdit }) => ({
        label,
        documentation: textOf(documentation),
        inserted: textEdit?.newText ?? insertText ?? label,
      }));
    },
    hover: async (text) => textOf(((await ask('textDocument/hover', text)) as { contents: Marked } | null)?.contents),
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
    },
  };
}

type Marked = string | { readonly value: string } | undefined;

interface CompletionItem {
  readonly label: string;
  readonly documentation?: Marked;
  readonly insertText?: string;
  readonly textEdit?: { readonly newText: string };
}

interface Published {
  readonly uri: string;
  readonly diagnostics: readonly {
    readonly range: { readonly start: { readonly line: number; readonly character: number } };
    readonly message: string;
  }[];
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

function textOf(marked: Marked): string {
  return typeof marked === 'string' ? marked : (marked?.value ?? '');
}

/** JSON-RPC over the streams of a process, each message with its length before it. */
function connect(child: ChildProcessByStdio<Writable, Readable, null>) {
  const answers = new Map<number, (message: Message) => void>();
  const diagnostics = new Map<string, (shown: readonly Shown[]) => void>();
  let received = Buffer.alloc(0);
  let sent = 0;

  child.stdout.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    for (let message = next(); message !== undefined; message = next()) handle(message);
  });

  function next(): Message | undefined {
    const end = received.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const length = Number(/Content-Length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1]);
    const body = received.subarray(end + 4, end + 4 + length);
    if (body.length < length) return undefined;
    received = received.subarray(end + 4 + length);
    return JSON.parse(body.toString()) as Message;
  }

  function handle(message: Message): void {
    if (message.method === undefined) answers.get(message.id ?? 0)?.(message);
    else if (message.id !== undefined) write({ id: message.id, result: answerTo(message) });
    else if (message.method === 'textDocument/publishDiagnostics') publish(message.params as Published);
  }

  function publish({ uri, diagnostics: found }: Published): void {
    diagnostics.get(uri)?.(
      found.map(({ range: { start }, message }) => ({ line: start.line - 1, column: start.character, message })),
    );
  }

  function write(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  return {
    notify: (method: string, params: object) => write({ method, params }),
    request: (method: string, params: object) =>
      new Promise<unknown>((resolve, reject) => {
        sent += 1;
        answers.set(sent, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result)));
        write({ id: sent, method, params });
      }),
    /** The first diagnostics of a file that is about to be opened. */
    diagnosticsOf: (uri: string) =>
      new Promise<readonly Shown[]>((resolve) => {
        diagnostics.set(uri, resolve);
      }),
  };
}

/** The server asks for its settings and subscribes to their changes. */
function answerTo({ method, params }: Message): unknown {
  if (method !== 'workspace/configuration') return null;
  const { items } = params as { items: readonly { section: string }[] };
  return items.map(({ section }) => (section === 'yaml' ? settings.yaml : {}));
}
