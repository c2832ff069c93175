// What a query of a dashboard is called. The store keeps its key alone.

export function queryName(key: string): string {
  return `Query ${key}`;
}
