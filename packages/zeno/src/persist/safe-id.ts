// Turns thread and turn ids of any program into safe file names.
import { createHash } from 'node:crypto'

const maxChars = 120

/** Replaces all but letters, digits, `_`, `.` and `-`. A name of dots alone cannot leave its folder. */
export function safeId(id: unknown): string {
  const text = typeof id === 'string' || typeof id === 'number' ? String(id) : ''
  const safe = text.replace(/[^A-Za-z0-9_.-]/g, '_')
  if (safe === '') return 'unknown'
  if (/^\.+$/.test(safe)) return '_'.repeat(Math.min(safe.length, maxChars))
  if (safe.length <= maxChars) return safe
  return `${safe.slice(0, maxChars - 13)}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}`
}
