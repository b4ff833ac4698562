// A session as Markdown, section by section.
import type { SessionRecord } from '@zee/agent'
import { cutCharacters } from '../../text/text.ts'
import { fenced } from '../../text/text.ts'

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
