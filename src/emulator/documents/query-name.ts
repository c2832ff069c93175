// The name of a dashboard's query. The store keeps only its key.

export function queryName(key: string): string {
  return `Query ${key}`;
}
