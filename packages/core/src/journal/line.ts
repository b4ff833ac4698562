// What counts as one record of a journal: a JSON object on a line of its own.
import { ZeeError } from '../errors/errors.ts'

/** Writers refuse and readers skip what is longer; a damaged file must not fill the memory. */
export const maxLineBytes = 256 * 1024 * 1024

const openBrace = 0x7b
const closeBrace = 0x7d

/** The line for a record, without its newline. */
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

/** A line that was made elsewhere. It starts and ends as an object, which tail repair relies on. */
export function validatedLine(json: string): string {
  const first = json.charCodeAt(0)
  const last = json.charCodeAt(json.length - 1)
  if (first !== openBrace || last !== closeBrace) throw notRecord('it is not an object')
  if (json.includes('\n')) throw notRecord('it holds a line break')
  return json
}

function notRecord(why: string, cause?: unknown): ZeeError {
  return new ZeeError('not_a_record', `a journal record was refused: ${why}`, { cause })
}
