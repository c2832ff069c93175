// Data kept between runs to save requests. It may disappear at any time, and contains no secrets.

export interface Cache {
  /** As it was written, or undefined: if there is nothing, or it cannot be read or was damaged. Never throws. */
  read(key: string): Promise<string | undefined>;
  /** Never throws: data that cannot be kept is requested again. */
  write(key: string, text: string): Promise<void>;
}
