// The format of a journal record: one JSON object on one line.
import { ZeeError } from '../errors/errors.ts'

/** Writers reject and readers skip longer lines, so that a damaged file cannot exhaust memory. */
export const maxLineBytes = 256 * 1024 * 1024

const openBrace = 0x7b
const closeBrace = 0x7d

/** Encodes a record as a line without its newline. */
export function recordLine(record: object): string {
  let line: string | undefined
  try {
    line = JSON.stringify(record)
  } catch (error) {
    throw notRecord('it is not JSON', error)
  }
  if (line === undefined || line.charCodeAt(0) !== openBrace) {
    throw notRecord('it is not an object')
  }
  return line
}

/** Returns `json` if it looks like one object on one line. Tail repair relies on the braces. */
export function validatedLine(json: string): string {
  const first = json.charCodeAt(0)
  const last = json.charCodeAt(json.length - 1)
  if (first !== openBrace || last !== closeBrace) throw notRecord('it is not an object')
  if (json.includes('\n')) throw notRecord('it contains a line break')
  return json
}

function notRecord(why: string, cause?: unknown): ZeeError {
  return new ZeeError('not_a_record', `invalid journal record: ${why}`, { cause })
}
