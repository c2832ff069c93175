// Almanac prints no secret. That what was given to the job leaves it nowhere is held here once more, for the log, the
// reports, the summary and the comment.

const nameOfSecret = /TOKEN|KEY|SECRET|PASSWORD|PASSPHRASE|CREDENTIAL/i;
/** Shorter ones would blot out words that are none. */
const shortest = 8;
const mask = '***';

/** The values that look secret by the name of their variable; of a list or a text of several lines, each part too. */
export function secretValues(env = process.env) {
  const values = Object.entries(env).flatMap(([name, value = '']) => (nameOfSecret.test(name) ? [value] : []));
  const parts = values.flatMap((value) => [value, ...value.split(/[,\n]/)]).map((value) => value.trim());
  return [...new Set(parts)].filter((value) => value.length >= shortest).sort((a, b) => b.length - a.length);
}

/** A function that blots out these values. */
export function redactor(values) {
  return (text) => values.reduce((left, value) => left.replaceAll(value, mask), text);
}

/** Asks the runner to blot them out as well, in all that the job prints from now on. It prints none of these lines. */
export function maskInLog(values, write = (text) => process.stdout.write(text)) {
  for (const value of values) {
    for (const line of value.split(/\r?\n/)) {
      if (line.length >= shortest) write(`::add-mask::${escapeData(line)}\n`);
    }
  }
}

/** For what follows the second `::` of a workflow command. */
export function escapeData(text) {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
