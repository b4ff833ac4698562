// The system prompt of conversations without a configured one: role, working folder, operating system,
// date and four rules, in at most 480 bytes, because every request carries it.
import { rfc3339 } from '@zee/core/clock'

const maxBytes = 480

export function defaultPrompt(root: string, now: Date): string {
  const parts = (folder: string) =>
    [
      'You are zdx, a coding agent.',
      `Folder: ${folder}`,
      `System: ${process.platform}`,
      `Date: ${rfc3339(now, 0).slice(0, 10)}`,
      '- Read before you edit.',
      '- Change only what the task needs.',
      '- Run the tests after a change.',
      '- Claim only what tool results show.',
    ].join('\n')
  const rest = maxBytes - Buffer.byteLength(parts(''))
  return parts(endOfPath(root, rest))
}

/** The path, or its last folders after `...` if it has more than `maxPathBytes`. */
function endOfPath(folder: string, maxPathBytes: number): string {
  let shown = folder
  while (Buffer.byteLength(shown) > maxPathBytes) {
    const slash = shown.indexOf('/', shown.startsWith('.../') ? 4 : 1)
    if (slash === -1) return '.'
    shown = `...${shown.slice(slash)}`
  }
  return shown
}
