// Formats session records as Markdown sections.
import type { SessionRecord } from '@zee/agent'
import { cutToCharacters } from '../../text/text.ts'
import { fenced } from '../../text/text.ts'

/** Undefined for a record without text; `resultCharacters` truncates tool results. */
export function markdownSection(
  record: SessionRecord,
  resultCharacters: number = Infinity,
): string | undefined {
  switch (record.type) {
    case 'meta':
      return `### Session (schema v${record.schema_version})\n`
    case 'message':
      return `### ${record.role === 'user' ? 'You' : 'Assistant'}\n\n${record.text}\n`
    case 'tool_use':
      return `### Tool: ${record.name}\n\n${fenced(prettyJson(record.input))}`
    case 'tool_result': {
      const { text, truncated } = cutToCharacters(prettyJson(record.output), resultCharacters)
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

function prettyJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
