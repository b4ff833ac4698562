// JSON that zeno writes, in plain ASCII because a raw U+2028 or U+0085 would end the line for some readers,
// and JSON that others wrote, where only an object is of use.

const nonAscii = /[\u007f-\uffff]/
const nonAsciiRuns = /[\u007f-\uffff]+/g

/** Astral characters become surrogate pairs, as every JSON reader expects them. */
export function asciiJson(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, null, indent) ?? 'null'
  return nonAscii.test(json) ? json.replace(nonAsciiRuns, escapeRun) : json
}

function escapeRun(run: string): string {
  let escaped = ''
  for (let at = 0; at < run.length; at++) {
    escaped += `\\u${run.charCodeAt(at).toString(16).padStart(4, '0')}`
  }
  return escaped
}
