// The handover from the supervisor to a service: the configuration, validated once for all seven, as
// one line of JSON on stdin. stdin then stays open as a lifeline. The API key is handed over here, not
// in the environment: executed code can read the environment of exc through /proc.
import { readSync } from 'node:fs'
import { ZeeError } from '@zee/core/errors'
import type { ZinoConfig } from '../config/config.ts'

export interface Handover {
  config: ZinoConfig
  /** The file that the configuration was read from. */
  file: string
  /** The value of LLM_API_KEY. */
  key?: string | undefined
}

/** A supervised service writes this to stdout once it listens. */
export const readyLine = 'ready\n'

const lineFeed = 0x0a

export function handoverLine({ config, file, key }: Handover): string {
  return `${JSON.stringify({ config, file, key })}\n`
}

/** Blocks until the line is read; the supervisor writes it right after the start. */
export function readHandover(descriptor: number): Handover {
  const pieces: Buffer[] = []
  for (;;) {
    const piece = Buffer.allocUnsafe(64 * 1024)
    const size = readSync(descriptor, piece)
    if (size === 0)
      throw new ZeeError(
        'no_supervisor',
        'no configuration on stdin: --supervised is only for zino up',
      )
    pieces.push(piece.subarray(0, size))
    if (piece[size - 1] === lineFeed) break
  }
  return JSON.parse(Buffer.concat(pieces).toString()) as Handover
}
