// The command line as data: what a shell can complete.

/** What the shell asks Almanac for while a person types: `almanac complete-words addresses`. */
export type AskedWords = 'addresses' | 'selectors' | 'schedules' | 'aiJobs' | 'environments' | 'schemas';

/** The value of an option or an argument. */
export type ValueKind =
  | { readonly type: 'file' | 'folder' | 'text' }
  | { readonly type: 'asked'; readonly asked: AskedWords }
  | { readonly type: 'choice'; readonly choices: readonly string[] };

export interface OptionNode {
  /** `--chdir`, `-C`. */
  readonly names: readonly string[];
  readonly words: string;
  /** Undefined for a flag. */
  readonly value: ValueKind | undefined;
  /** Whether the value may be left out. */
  readonly optional: boolean;
  /** Whether several values may follow. */
  readonly several: boolean;
}

export interface CommandNode {
  readonly name: string;
  readonly words: string;
  readonly options: readonly OptionNode[];
  readonly argument: ValueKind | undefined;
  readonly commands: readonly CommandNode[];
}

/** Options that choose the workspace, which its words are asked with. */
export const workspaceOptions = ['-C', '--chdir', '--config', '--env', '--state'] as const;

export interface PathNode {
  /** Empty for the program, else `state list`. */
  readonly path: string;
  readonly command: CommandNode;
  /** Its own options and those of the program. */
  readonly options: readonly OptionNode[];
}

/** Every command with its path, the program first. */
export function pathsOf(program: CommandNode): readonly PathNode[] {
  const below = (command: CommandNode, path: string): readonly PathNode[] => {
    const options = command === program ? program.options : distinct([...command.options, ...program.options]);
    const children = command.commands.flatMap((child) =>
      below(child, path === '' ? child.name : `${path} ${child.name}`),
    );
    return [{ path, command, options }, ...children];
  };
  return below(program, '');
}

/** `--help` belongs to the program and to each command. */
function distinct(options: readonly OptionNode[]): readonly OptionNode[] {
  return options.filter(({ names }, index) => options.findIndex((other) => other.names[0] === names[0]) === index);
}
