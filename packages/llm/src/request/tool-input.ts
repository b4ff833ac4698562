// Parses the JSON text of a tool call when the call ends.
import { oneLine } from '@zee/core/errors'
import { asRecord, jsonErrorReason } from '../json/json.ts'
import type { ToolCallEndEvent } from './request.ts'

/** Empty text and `null` mean a call without arguments; other invalid input is reported as such. */
export function endOfToolCall(id: string, name: string, json: string): ToolCallEndEvent {
  const fail = (reason: string): ToolCallEndEvent => ({
    type: 'tool_call_end',
    id,
    name,
    invalid: { message: `Invalid tool input JSON for ${oneLine(name)}: ${reason}`, raw: json },
  })
  if (json.trim() === '') return { type: 'tool_call_end', id, name, input: {} }
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    return fail(jsonErrorReason(error))
  }
  const input = value === null ? {} : asRecord(value)
  if (input === undefined) return fail('expected an object')
  return { type: 'tool_call_end', id, name, input }
}
