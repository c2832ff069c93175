// The standard output and the standard error, which may be a terminal.

const defaultWidth = 80;

export interface StandardOutput {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Columns. */
  readonly width: number;
  /** Aborts when the reader has gone. */
  readonly closed: AbortSignal;
}

/** Node opens a stream when it is first asked for, which takes longer than to print a version. */
export function standardOutput(name: 'stdout' | 'stderr'): StandardOutput {
  const reading = new AbortController();
  let opened: NodeJS.WriteStream | undefined;
  const stream = (): NodeJS.WriteStream => {
    // A reader may go away (`almanac plan | head`); that is not an error.
    opened ??= process[name].on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      reading.abort();
    });
    return opened;
  };
  return {
    write: (text) => {
      stream().write(text);
    },
    get isTerminal() {
      return stream().isTTY === true;
    },
    // A terminal that doesn't know its width says 0.
    get width() {
      return (stream().isTTY && stream().columns) || defaultWidth;
    },
    closed: reading.signal,
  };
}
