// What an editor sends as a prompt, as the text that a model is asked.
import type { ContentBlock } from '@agentclientprotocol/sdk'
import { RequestError } from '@agentclientprotocol/sdk'
import { fenced } from '../text/text.ts'

/** Text stands as it is; files that are mentioned keep their address, and their text when it is sent along. */
export function promptText(blocks: readonly ContentBlock[]): string {
  const said = blocks.map(inlineText).join('')
  const attached = blocks.flatMap(attachment)
  return attached.length === 0 ? said : [said, ...attached].join('\n\n')
}

function inlineText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'resource_link':
      return addressOf(block.uri)
    case 'resource':
      return addressOf(block.resource.uri)
    default:
      throw RequestError.invalidParams(undefined, `a prompt cannot hold ${block.type}`)
  }
}

function attachment(block: ContentBlock): string[] {
  if (block.type !== 'resource' || !('text' in block.resource)) return []
  const { uri, text } = block.resource
  return [`${addressOf(uri)}:\n\n${fenced(text, '')}`.trimEnd()]
}

/** Tools take paths. */
function addressOf(uri: string): string {
  if (!uri.startsWith('file://')) return uri
  try {
    return decodeURIComponent(new URL(uri).pathname)
  } catch {
    return uri
  }
}
