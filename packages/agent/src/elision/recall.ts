// The `recall` tool: returns a stored tool result that was elided from the request, as lines.
import type { Envelope } from '../envelope/envelope.ts'
import { failure, success } from '../envelope/envelope.ts'
import type { BuiltInTool, ToolInput } from '../tools/tools.ts'
import { createWindowReader, requestedWindow, windowFields } from '../tools/tools.ts'
import type { ResultStore } from './result-store.ts'

export function recallTool(results: ResultStore): BuiltInTool {
  return {
    name: 'recall',
    description: 'Return an elided tool result by its event; offset and limit are lines.',
    schema: {
      type: 'object',
      properties: {
        event: { type: 'integer' },
        offset: { type: 'integer' },
        limit: { type: 'integer' },
      },
      required: ['event'],
    },
    run: (input) => recall(input, results),
  }
}

async function recall(input: ToolInput, results: ResultStore): Promise<Envelope> {
  const range = requestedWindow(input)
  if (typeof range === 'string') {
    return failure('invalid_input', `Invalid input for recall tool: ${range}`)
  }
  const event = Number(input.event)
  const result = await results.find(event)
  if (result === undefined) {
    return failure('event_not_found', `Event ${event} of this session is not a tool result`)
  }
  const reader = createWindowReader(range ?? { offset: 1, limit: Number.MAX_SAFE_INTEGER })
  reader.add(Buffer.from(resultText(result.output)))
  const window = reader.finish()
  return success({
    event,
    tool: result.tool,
    content: window.bytes.toString('utf8'),
    truncated: window.truncated,
    ...windowFields(window),
  })
}

/** The result as lines: texts as they are, other values as JSON. */
function resultText(output: Envelope): string {
  if (!output.ok) return `${output.error.code}: ${output.error.message}\n`
  const entries = Object.entries(output.data)
  const texts = entries.filter(([, value]) => typeof value === 'string' && value.includes('\n'))
  const short = Object.fromEntries(entries.filter((entry) => !texts.includes(entry)))
  const head = entries.length === texts.length ? '' : `${JSON.stringify(short)}\n`
  const label = (key: string) => (texts.length > 1 ? `[${key}]\n` : '')
  return head + texts.map(([key, value]) => `${label(key)}${String(value)}`).join('\n')
}
