// The tools of servers for models: their names, and their results as text.
import type { CallToolResult } from '@modelcontextprotocol/client'

export { nameForModel } from './tool-names.ts'

/** The text of a result. Images and other data are named. */
export function resultText({ content }: CallToolResult): string {
  return content.map(contentText).join('\n')
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
