// Converts the result of an MCP server to an envelope.
import type { CallToolResult } from '@modelcontextprotocol/client'
import type { Envelope } from '../envelope/envelope.ts'
import { failure, success } from '../envelope/envelope.ts'

/** The text of the result. Images and other data are named; structured content is the fallback. */
export function resultEnvelope(result: CallToolResult): Envelope {
  const text = result.content.map(contentText).join('\n')
  if (result.isError === true) return failure('mcp_tool_error', text || 'The tool failed')
  const { structuredContent } = result
  if (text === '' && structuredContent !== undefined) return success({ result: structuredContent })
  return success({ text })
}

type Content = CallToolResult['content'][number]

function contentText(content: Content): string {
  switch (content.type) {
    case 'text':
      return content.text
    case 'image':
    case 'audio':
      return `[${content.type} ${content.mimeType}, ${base64Bytes(content.data)} bytes]`
    case 'resource_link':
      return `[${content.name}: ${content.uri}]`
    case 'resource':
      if ('text' in content.resource) return content.resource.text
      return `[${content.resource.uri}, ${base64Bytes(content.resource.blob)} bytes]`
  }
}

function base64Bytes(data: string): number {
  return Buffer.byteLength(data, 'base64')
}
