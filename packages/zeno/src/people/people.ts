// Requests from a shell for people: sends operations to the shared server of the root, or answers them in
// this process, and prints text.
import type { Colours } from '@zee/core/colour'
import { coloursFor, terminalSafeText } from '@zee/core/colour'
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { isObject } from '@zee/core/json'
import type { Write } from '@zee/core/lossless'
import { streamWriter } from '@zee/core/lossless'
import { openService } from '../service/service.ts'
import type { ServiceSettings } from '../service/service.ts'

/** The options that every command for people has. */
export interface ReadingOptions extends ServiceSettings {
  rev: string | undefined
  json: boolean
}

export type Fields = Record<string, unknown>

export interface Reader {
  /** The pages of an answer: follows `next_cursor`. Ends after an error, which it prints. */
  pages(op: string, args: Fields): AsyncGenerator<Fields>
  /** Prints text that contains recorded text only through `safe`. */
  print: Write
  /** Removes control characters from the text of files on a terminal. */
  safe: (text: string) => string
  paint: Colours
  /** Prints a note that is not part of the answer. */
  note(text: string): void
  /** Prints that nothing was found, unless a request failed or files could not be read. */
  noteNothing(text: string): void
}

/** Opens the service for `work`. Returns 1 if a request failed or the trace is incomplete, else the result of `work`. */
export async function withReader(
  options: ReadingOptions,
  host: Host,
  work: (reader: Reader) => Promise<number>,
): Promise<number> {
  const { service, isTraceIncomplete, close } = await openService(options, host)
  const note = (text: string) => void host.stderr.write(`zeno: ${oneLine(text)}\n`)
  let [hasFailed, unreadable] = [false, 0]
  async function* pages(op: string, args: Fields): AsyncGenerator<Fields> {
    const rev = options.rev === undefined ? {} : { rev: options.rev }
    for (let cursor: unknown, page = 1; cursor !== undefined || page === 1; page++) {
      const paging = cursor === undefined ? {} : { cursor }
      const answer = await service.answer({ id: op, op, args: { ...args, ...rev, ...paging } })
      answer.writeTrace()
      if (!answer.outcome.ok) {
        hasFailed = true
        return note(answer.outcome.error.message.replace(/^\[Errno \d+\] /, ''))
      }
      const { result } = JSON.parse(answer.json) as { result: Fields }
      unreadable += typeof result.unreadable === 'number' ? result.unreadable : 0
      yield result
      cursor = result.next_cursor
    }
  }
  try {
    const print = streamWriter(host.stdout)
    const safe = terminalSafeText(host.stdout)
    const noteNothing = (text: string) => {
      if (!hasFailed && unreadable === 0) note(text)
    }
    const paint = coloursFor(host.stdout, host.env)
    const code = await work({ pages, print, safe, paint, note, noteNothing })
    if (unreadable > 0) {
      note(`${unreadable} ${unreadable === 1 ? 'file' : 'files'} could not be read`)
    }
    return hasFailed || isTraceIncomplete() ? 1 : code
  } finally {
    await close()
  }
}

export function objectsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
