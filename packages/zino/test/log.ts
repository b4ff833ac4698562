// A log that keeps its lines for a test to look at.
import type { Logger } from '@zee/core/log'

export function recordingLog(): Logger & { lines: string[] } {
  const lines: string[] = []
  const at = (level: string) => (message: string) => void lines.push(`${level} ${message}`)
  return {
    lines,
    debug: at('DEBUG'),
    info: at('INFO'),
    warn: at('WARNING'),
    error: at('ERROR'),
  } as Logger & { lines: string[] }
}
