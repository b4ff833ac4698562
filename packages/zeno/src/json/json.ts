// Writes JSON as plain ASCII, because some readers treat a raw U+2028 or U+0085 as a line end.

const nonAscii = /[\u007f-\uffff]/
const nonAsciiRuns = /[\u007f-\uffff]+/g

/** Serializes `value` as ASCII; astral characters become escaped surrogate pairs. */
export function asciiJson(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, null, indent) ?? 'null'
  return nonAscii.test(json) ? json.replace(nonAsciiRuns, escapeRun) : json
}

function escapeRun(run: string): string {
  let escaped = ''
  for (let index = 0; index < run.length; index++) {
    escaped += `\\u${run.charCodeAt(index).toString(16).padStart(4, '0')}`
  }
  return escaped
}
