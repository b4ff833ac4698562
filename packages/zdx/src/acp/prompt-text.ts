// Converts the content blocks of an editor's prompt into the text for the model.
import type { ContentBlock } from '@agentclientprotocol/sdk'
import { RequestError } from '@agentclientprotocol/sdk'
import { fenced } from '../text/text.ts'

/** Joins the text as it is; a file becomes its path, and an embedded file is appended as a fenced block. */
export function promptText(blocks: readonly ContentBlock[]): string {
  const inline = blocks.map(inlineText).join('')
  const attached = blocks.flatMap(attachment)
  return attached.length === 0 ? inline : [inline, ...attached].join('\n\n')
}

function inlineText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'resource_link':
      return pathOrUri(block.uri)
    case 'resource':
      return pathOrUri(block.resource.uri)
    default:
      throw RequestError.invalidParams(undefined, `a prompt cannot hold ${block.type}`)
  }
}

function attachment(block: ContentBlock): string[] {
  if (block.type !== 'resource' || !('text' in block.resource)) return []
  const { uri, text } = block.resource
  return [`${pathOrUri(uri)}:\n\n${fenced(text, '')}`.trimEnd()]
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
