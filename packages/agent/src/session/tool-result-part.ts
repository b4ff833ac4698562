// A tool's envelope as the model receives it. The session keeps all of it; a very large one goes out
// as its two ends, so that a single output cannot make every later request fail.
import { headTail } from '@zee/core/bounded'
import type { ToolResultPart } from '@zee/llm'
import type { Envelope } from '../envelope.ts'

const sentBytes = 64 * 1024

export function toolResultPart(id: string, envelope: Envelope): ToolResultPart {
  const content = headTail(
    JSON.stringify(envelope),
    sentBytes / 2,
    sentBytes / 2,
    (omitted) => `\n[... ${omitted} bytes left out ...]\n`,
  ).text
  return { type: 'tool_result', id, content, isError: !envelope.ok }
}
