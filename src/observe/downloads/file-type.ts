// Recognises the type of a download, and reads one in memory only.

import type { BodySink } from '../../http/exchange.ts';
import type { Format } from '../../model/fields/field.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { DownloadedFile } from '../../omni/api.ts';

interface FileType {
  readonly extension: string;
  readonly fits: (head: string, type: string) => boolean;
}

const startsWith = (beginning: string) => (head: string) => head.startsWith(beginning);
const archive = 'PK\x03\x04';
const zip: FileType = { extension: 'zip', fits: startsWith(archive) };

/** Text has no mark of its own, so what says that it is something else is refused. */
const isRows = (head: string, type: string) =>
  !/^[\s\u00ef\u00bb\u00bf]*(?:<|[{[]\s*["}])/.test(head) && !/html|json/.test(type) && !head.includes('\0');
const isJson = (head: string, type: string) =>
  /^\s*[[{]/.test(head) && !/^\s*\{\s*"(?:detail|error|message|status|job_id)"/.test(head) && !type.includes('html');

const fileTypes: Readonly<Record<Exclude<Format, 'link_only'>, readonly FileType[]>> = {
  pdf: [{ extension: 'pdf', fits: startsWith('%PDF-') }],
  png: [{ extension: 'png', fits: startsWith('\x89PNG\r\n\x1a\n') }],
  xlsx: [{ extension: 'xlsx', fits: startsWith(archive) }],
  csv: [zip, { extension: 'csv', fits: isRows }],
  json: [{ extension: 'json', fits: isJson }],
};

export function extensionsOf(format: string): readonly string[] {
  return typesOf(format).map(({ extension }) => extension);
}

/** Returns the extension; or the reason why it is no file of the format, as the end of a sentence. */
export function judgeFile(
  format: string,
  { type, length, isBounded }: DownloadedFile,
  { size, head }: { readonly size: number; readonly head: Uint8Array },
): { readonly extension: string } | { readonly why: string } {
  if (!isBounded) return { why: 'does not say where it ends' };
  if (length !== undefined && length !== size) return { why: `has ${size} bytes, and ${length} were announced` };
  if (size === 0) return { why: 'is empty' };
  const text = Buffer.from(head).toString('latin1');
  const found = typesOf(format).find(({ fits }) => fits(text, type));
  return found ?? { why: `is not a file of the format ${format}` };
}

function typesOf(format: string): readonly FileType[] {
  return Object.hasOwn(fileTypes, format) ? fileTypes[format as keyof typeof fileTypes] : [];
}

// A download that is looked at and never kept: its bytes are in memory only, and no more of them than a limit.

/** Thrown for a file that is too large to be looked at. */
export class TooLarge extends Failure {
  constructor(limit: number, what: string) {
    super('refused', `${what} has more than ${limit / 1024 / 1024} MiB, so it was not looked at.`);
  }
}

interface MemorySink extends BodySink {
  bytes(): Buffer;
}

/** `write` throws TooLarge where more than `most` bytes come. */
export function openMemory(most: number): MemorySink {
  let pieces: Uint8Array[] = [];
  let size = 0;
  const restart = () => {
    pieces = [];
    size = 0;
  };
  return {
    restart,
    write: (piece) => {
      size += piece.length;
      if (size > most) {
        restart();
        throw new TooLarge(most, 'What Omni sent');
      }
      // The connection uses its own again.
      pieces.push(Uint8Array.from(piece));
    },
    bytes: () => Buffer.concat(pieces),
  };
}
