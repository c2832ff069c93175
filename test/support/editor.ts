// What a person who edits a file with one of our schemas sees: the service inside of yaml-language-server, which editors show
// YAML with, asked in this process. Positions are those of the text that was handed in, from 0.

import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { getLanguageService, type LanguageSettings, MarkupContent } from 'yaml-language-server';

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

let opened = 0;

/** The service keeps what it parsed, by place and version, as long as the process lives, in which this module may load again. */
const newVersion = () => Number(process.hrtime.bigint());

/**
 * Checks every file by one schema, or without one each file by the schema that its own first line names. `settings`: those of
 * the server, without `yaml.` before their names.
 */
export function openEditor(schemaFile?: string, settings: Partial<LanguageSettings> = {}) {
  const service = getLanguageService({
    schemaRequestService: async (uri) => readFileSync(fileURLToPath(uri), 'utf8'),
    clientCapabilities: {
      textDocument: { completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown'] } } },
    },
    workspaceContext: { resolveRelativePath: (path, from) => new URL(path, from).href },
  });
  // A schema of its settings is read and resolved once; one that a provider names, at every question.
  const schemas =
    schemaFile === undefined ? {} : { schemas: [{ uri: pathToFileURL(schemaFile).href, fileMatch: ['*'] }] };
  service.configure({ validate: true, completion: true, hover: true, ...schemas, ...settings });
  function open(text: string, path = `/workspace/schedules/file-${opened}.yaml`): TextDocument {
    opened += 1;
    return TextDocument.create(pathToFileURL(path).href, 'yaml', newVersion(), text.replace(cursor, ''));
  }

  function cursorIn(text: string) {
    const before = text.slice(0, text.indexOf(cursor)).split('\n');
    return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  }

  return {
    /** The problems of a file, in order; `path` where it is. */
    diagnose: async (text: string, path?: string): Promise<readonly Shown[]> => {
      const found = await service.doValidation(open(text, path), false);
      const shown = found.map(
        ({ range: { start }, message }) =>
          [
            `${start.line} ${start.character} ${message}`,
            { line: start.line, column: start.character, message },
          ] as const,
      );
      // As the server leaves out what it found twice.
      return [...new Map(shown).values()];
    },
    /** What the light bulb offers to put in the place of what is marked. */
    quickFixes: async (text: string): Promise<readonly string[]> => {
      const document = open(text);
      const diagnostics = await service.doValidation(document, false);
      const range = { start: { line: 0, character: 0 }, end: document.positionAt(text.length) };
      const actions = service.getCodeAction(document, { textDocument: document, range, context: { diagnostics } });
      return (actions ?? []).filter(({ kind }) => kind === 'quickfix').map(({ title }) => title);
    },
    /** What is offered at the cursor. */
    complete: async (text: string): Promise<readonly Offered[]> => {
      const { items } = await service.doComplete(open(text), cursorIn(text), false);
      return items.map(({ label, documentation, insertText, textEdit }) => ({
        label,
        documentation: MarkupContent.is(documentation) ? documentation.value : (documentation ?? ''),
        inserted: textEdit?.newText ?? insertText ?? label,
      }));
    },
    /** What is shown for the word at the cursor, as Markdown; empty for nothing. */
    hover: async (text: string): Promise<string> => {
      const contents = (await service.doHover(open(text), cursorIn(text)))?.contents;
      return MarkupContent.is(contents) ? contents.value : '';
    },
  };
}
