// What may be kept between runs to spare requests, and may be gone at any time. Nothing in it is secret.

export interface Cache {
  /** Undefined where there is nothing, or it can't be read. Never throws. */
  read(key: string): Promise<string | undefined>;
  /** Never throws: what can't be kept is looked up again. */
  write(key: string, text: string): Promise<void>;
}
