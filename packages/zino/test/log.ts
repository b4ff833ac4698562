// A logger that records its lines.
import type { Logger } from '@zee/core/log'

export function recordingLog(): Logger & { lines: string[] } {
  const lines: string[] = []
  const record = (level: string) => (message: string) => void lines.push(`${level} ${message}`)
  return {
    lines,
    debug: record('DEBUG'),
    info: record('INFO'),
    warn: record('WARNING'),
    error: record('ERROR'),
  } as Logger & { lines: string[] }
}
