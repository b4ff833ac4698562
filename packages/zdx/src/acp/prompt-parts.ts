// Converts the content blocks of an editor's prompt into the parts of a prompt for the model. Text, links
// and embedded files stay separate blocks.
import type { ContentBlock } from '@agentclientprotocol/sdk'
import { RequestError } from '@agentclientprotocol/sdk'
import type { PromptPart } from '@zee/agent'
import { fenced } from '../text/text.ts'

export function promptParts(blocks: readonly ContentBlock[]): PromptPart[] {
  return blocks.flatMap((block): PromptPart[] => {
    const part = promptPart(block)
    return part.type === 'text' && part.text === '' ? [] : [part]
  })
}

/** Whether the prompt has neither text nor an image. */
export function isEmptyPrompt(parts: readonly PromptPart[]): boolean {
  return parts.every((part) => part.type === 'text' && part.text.trim() === '')
}

/** A file becomes its path, and an embedded file a fenced block below its path. */
function promptPart(block: ContentBlock): PromptPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'image':
      return { type: 'image', mediaType: block.mimeType, data: block.data }
    case 'resource_link':
      return { type: 'text', text: pathOrUri(block.uri) }
    case 'resource': {
      const name = pathOrUri(block.resource.uri)
      if (!('text' in block.resource)) return { type: 'text', text: name }
      const text = `${name}:\n\n${fenced(block.resource.text, '')}`.trimEnd()
      return { type: 'text', text }
    }
    default:
      throw RequestError.invalidParams(undefined, `a prompt cannot hold ${block.type}`)
  }
}

/** The path of a `file://` URI, because tools take paths; any other URI as it is. */
function pathOrUri(uri: string): string {
  if (!uri.startsWith('file://')) return uri
  try {
    return decodeURIComponent(new URL(uri).pathname)
  } catch {
    return uri
  }
}
