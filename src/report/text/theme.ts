// Colour by role. Renderers lay text out first and colour finished pieces, so a theme never changes a width.

// Only the sixteen basic colours: the terminal's palette decides how they look on its background.
const sgr = {
  create: '32',
  update: '33',
  replace: '31',
  delete: '31',
  forget: '35',
  move: '36',
  adopt: '36',
  run: '34',
  added: '32',
  removed: '31',
  changed: '33',
  dim: '2',
  strong: '1',
  error: '1;31',
  warning: '1;33',
  note: '1;36',
} as const;

export type Role = keyof typeof sgr;

export const roles = Object.keys(sgr) as readonly Role[];

export type Theme = Readonly<Record<Role, (text: string) => string>>;

export const plainTheme: Theme = themeOf(() => (text) => text);

export const colourTheme: Theme = themeOf((role) => paint(`\u001b[${sgr[role]}m`));

const reset = '\u001b[0m';

/** Opens again after each reset of an inner piece, and at each new line, so that styles nest and no line leaks. */
function paint(open: string): (text: string) => string {
  return (text) => {
    if (text === '') return '';
    const reopened = text.replaceAll(reset, reset + open).replaceAll('\n', `${reset}\n${open}`);
    return open + reopened + reset;
  };
}

function themeOf(styleOf: (role: Role) => (text: string) => string): Theme {
  return Object.fromEntries(roles.map((role) => [role, styleOf(role)])) as Theme;
}

export interface Page {
  readonly theme: Theme;
  /** The columns for wrapped text. */
  readonly width: number;
  /** The columns for a line that would otherwise be cut: endless where nothing has an edge. By default `width`. */
  readonly room?: number;
  /** True if nothing is folded: each of many similar things is listed. */
  readonly showsAll?: boolean;
  /** The run's form of each text; by default without credentials. */
  readonly wording?: (text: string) => string;
}
