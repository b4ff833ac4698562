// Completes a prompt before it is sent: `@path` attaches a file, an image or the listing of a folder, and
// the output of `!!command` follows in a fenced block. The text of the user stays as it is.
import type { PromptPart } from '@zee/agent'
import { attach } from './attachment.ts'

export interface ExpandedPrompt {
  text: string
  /** Images that follow the text. */
  images: readonly PromptPart[]
  warnings: string[]
}

/** The prompt of a turn: a text, or a text and its images. */
export function promptOf({ text, images }: ExpandedPrompt): string | PromptPart[] {
  return images.length === 0 ? text : [{ type: 'text', text }, ...images]
}

/** A path may stand in quotes. It follows the start, a space or an opening bracket. */
const references = /(?<=^|[\s([{])@(?:"([^"\n]+)"|([^\s"]+))/g

export async function expandPrompt(
  text: string,
  root: string,
  shellOutput: readonly string[] = [],
): Promise<ExpandedPrompt> {
  const blocks: string[] = []
  const images: PromptPart[] = []
  const warnings: string[] = []
  const seen = new Set<string>()
  for (const [, quoted, plain] of text.matchAll(references)) {
    const found = attach(root, quoted ?? plain ?? '')
    if (found === undefined || seen.has(found.path)) continue
    seen.add(found.path)
    if ('warning' in found) {
      warnings.push(found.warning)
      continue
    }
    blocks.push(found.block)
    if (found.image !== undefined) images.push(found.image)
  }
  const added = [...blocks, ...shellOutput].map((block) => block.trimEnd())
  return { text: [text, ...added].join('\n\n'), images, warnings }
}
