// The configuration on its way from the supervisor to a service: read and checked once, used by
// seven. One line of JSON on stdin, which stays open behind it as the lifeline. The key goes this way
// too: what executed code could read of the environment of exc must not hold it.
import { readSync } from 'node:fs'
import { ZeeError } from '@zee/core/errors'
import type { ZinoConfig } from '../config/config.ts'

export interface Handover {
  config: ZinoConfig
  /** Where it was read from. */
  file: string
  /** LLM_API_KEY, when it is set. */
  key?: string | undefined
}

/** What a supervised service writes to stdout once it listens. */
export const readyLine = 'ready\n'

const lineFeed = 0x0a

export function handoverLine({ config, file, key }: Handover): string {
  return `${JSON.stringify({ config, file, key })}\n`
}

/** Waits for the line; the supervisor writes it as soon as the process is there. */
export function readHandover(descriptor: number): Handover {
  const pieces: Buffer[] = []
  for (;;) {
    const piece = Buffer.allocUnsafe(64 * 1024)
    const size = readSync(descriptor, piece)
    if (size === 0) throw new ZeeError('no_supervisor', 'no configuration came from a supervisor')
    pieces.push(piece.subarray(0, size))
    if (piece[size - 1] === lineFeed) break
  }
  return JSON.parse(Buffer.concat(pieces).toString()) as Handover
}
