// A session as Markdown, section by section.
import type { SessionRecord } from '@zee/agent'
import { cutCharacters } from '../render/cut-characters.ts'

/** Undefined for what has nothing to show. `resultCharacters` bounds what is shown of a result. */
export function sectionOf(
  record: SessionRecord,
  resultCharacters: number = Infinity,
): string | undefined {
  switch (record.type) {
    case 'meta':
      return `### Session (schema v${record.schema_version})\n`
    case 'message':
      return `### ${record.role === 'user' ? 'You' : 'Assistant'}\n\n${record.text}\n`
    case 'tool_use':
      return `### Tool: ${record.name}\n\n${fenced(pretty(record.input))}`
    case 'tool_result': {
      const { text, truncated } = cutCharacters(pretty(record.output), resultCharacters)
      return `### Result ${record.ok ? '✓' : '✗'}\n\n${fenced(truncated ? `${text}...` : text)}`
    }
    case 'interrupted':
      return '### Interrupted\n'
    case 'thinking':
      return record.text === '' ? undefined : `### Thinking\n\n${record.text}\n`
    case 'undo':
      return `### Undone\n\n${record.files.map((file) => `- ${file}\n`).join('')}`
  }
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/** The fence is longer than any in the text, so that nothing can close it. */
export function fenced(text: string, language = 'json'): string {
  let longest = 2
  for (const [ticks] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, ticks.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}\n`
}
