// Formats session records as Markdown sections. Text and code of tools are printed as text.
import type { SessionRecord } from '@zee/agent'
import { cutToCharacters, fenced } from '../../text/text.ts'

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
      return `### Tool: ${record.name}\n\n${inputBlock(record.name, record.input)}`
    case 'tool_result': {
      const { output } = record
      const fields = fieldsText(output.ok ? output.data : output.error)
      const { text, truncated } = cutToCharacters(fields, resultCharacters)
      return `### Result ${record.ok ? '✓' : '✗'}\n\n${fenced(truncated ? `${text}...` : text, '')}`
    }
    case 'interrupted':
      return '### Interrupted\n'
    case 'thinking':
      return record.text === '' ? undefined : `### Thinking\n\n${record.text}\n`
    case 'receipt':
    case 'elided':
      return undefined
    case 'redo':
      return `### Redone\n\n${record.files.map((file) => `- ${file}\n`).join('')}`
    case 'undo':
      return `### Undone\n\n${record.files.map((file) => `- ${file}\n`).join('')}`
    default:
      return undefined
  }
}

type Fields = Readonly<Record<string, unknown>>

function inputBlock(name: string, input: Fields): string {
  const { command, old, new: replacement, ...rest } = input
  if (name === 'bash' && typeof command === 'string' && Object.keys(input).length === 1) {
    return fenced(command, 'sh')
  }
  if (name === 'edit' && typeof old === 'string' && typeof replacement === 'string') {
    const marked = (mark: string, text: string) => text.split('\n').map((line) => mark + line)
    const lines = [...marked('-', old), ...marked('+', replacement)]
    return fenced([fieldsText(rest), ...lines].join('\n'), 'diff')
  }
  return fenced(fieldsText(input), '')
}

/** One line per field; a text of several lines follows the name of its field. */
function fieldsText(fields: Fields): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([key, value]) => {
      const text = typeof value === 'string' ? value.replace(/\n$/, '') : prettyJson(value)
      return text.includes('\n') ? `${key}:\n${text}` : `${key}: ${text}`
    })
    .join('\n')
}

function prettyJson(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? ''
}
