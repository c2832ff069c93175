// Dashboards as a test says they are: each tile is a function from the filters in effect to rows. Which filters are in effect
// for a tile is decided here, by the text of the service alone: what is sent is laid over the dashboard's own filter by filter,
// a condition whose keys do not fit its type is dropped without a word, and a control may leave a tile out or point the filter
// at another field of it.

export type Cell = string | number | null;
/** By field. */
export type Fact = Readonly<Record<string, Cell>>;

export interface Filter {
  readonly field: string;
  readonly type?: 'string' | 'number';
  /** What the dashboard shows where nobody says otherwise; nothing: everything. */
  readonly values?: readonly (string | number)[];
  readonly hidden?: boolean;
  /** By the key of a tile: another field, or false where the filter does not reach the tile. */
  readonly map?: Readonly<Record<string, string | false>>;
}

/** What reaches a tile. */
export interface Condition {
  readonly id: string;
  readonly field: string;
  readonly values: readonly string[];
  readonly isNegative: boolean;
}

export interface Tile {
  /** As `queryIdentifierMapKey` names it. */
  readonly key: string;
  readonly name: string;
  /** The first line of its file. */
  readonly columns: readonly string[];
  readonly fields: readonly string[];
  readonly pivots?: readonly string[];
  /** Hand-written. */
  readonly sql?: string;
  /** Of a dashboard with several; the first one is 1. */
  readonly page?: number;
  /** As Omni writes numbers with enableFormatting; otherwise they stand as they are. */
  readonly format?: (number: number) => string;
  readonly rows: (inEffect: readonly Condition[]) => readonly (readonly Cell[])[];
}

export interface Dashboard {
  readonly identifier: string;
  readonly name?: string;
  readonly filters: Readonly<Record<string, Filter>>;
  readonly tiles: readonly Tile[];
}

/** Where two filters have one field, whatever passes one of them passes. */
export function passes(fact: Fact, inEffect: readonly Condition[]): boolean {
  const fields = new Set(inEffect.map(({ field }) => field).filter((field) => field in fact));
  return [...fields].every((field) =>
    inEffect
      .filter((condition) => condition.field === field)
      .some(({ values, isNegative }) => values.includes(String(fact[field])) !== isNegative),
  );
}

export function conditionsFor(
  { key }: Tile,
  { filters }: Dashboard,
  sent: Readonly<Record<string, unknown>>,
): readonly Condition[] {
  return Object.entries(filters).flatMap(([id, filter]) => {
    const field = filter.map?.[key] ?? filter.field;
    if (field === false) return [];
    const { type = 'string', values = [] } = filter;
    const given = sent[id] ?? { type, kind: 'EQUALS', values };
    const condition = wholeOf(given, type);
    return condition === undefined || condition.values.length === 0 ? [] : [{ id, field, ...condition }];
  });
}

/** Undefined for what the service drops. */
function wholeOf(given: unknown, type: string): Pick<Condition, 'values' | 'isNegative'> | undefined {
  const condition = Object(given) as Record<string, unknown>;
  if (condition['type'] !== type || condition['kind'] !== 'EQUALS' || !Array.isArray(condition['values']))
    return undefined;
  const values = condition['values'].map(String);
  if (type === 'number' && values.some((value) => Number.isNaN(Number(value)))) return undefined;
  const same = type === 'number' ? values.map((value) => String(Number(value))) : values;
  return { values: same, isNegative: condition['is_negative'] === true };
}

export function csvOf({ columns, rows, format }: Tile, inEffect: readonly Condition[], isFormatted: boolean): string {
  const written = (cell: Cell) => {
    if (typeof cell === 'number' && isFormatted && format !== undefined) return format(cell);
    return cell === null ? '' : String(cell);
  };
  const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [columns, ...rows(inEffect).map((row) => row.map(written))];
  return lines.map((line) => `${line.map(quoted).join(',')}\n`).join('');
}
