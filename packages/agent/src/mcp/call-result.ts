// Converts the result of an MCP server to an envelope.
import type { CallToolResult } from '@modelcontextprotocol/client'
import { resultText } from '@zee/mcp'
import type { Envelope } from '../envelope/envelope.ts'
import { failure, success } from '../envelope/envelope.ts'

/** The text of the result; structured content is the fallback. */
export function resultEnvelope(result: CallToolResult): Envelope {
  const text = resultText(result)
  if (result.isError === true) return failure('mcp_tool_error', text || 'The tool failed')
  const { structuredContent } = result
  if (text === '' && structuredContent !== undefined) return success({ result: structuredContent })
  return success({ text })
}
