// Completes a prompt before it is sent: `@path` attaches a file, an image or the listing of a folder, and
// the output of `!!command` follows in a fenced block. The text of the user stays as it is.
import { attach } from './attachment.ts'

export interface ExpandedPrompt {
  text: string
  warnings: string[]
}

/** A path may stand in quotes. It follows the start, a space or an opening bracket. */
const references = /(?<=^|[\s([{])@(?:"([^"\n]+)"|([^\s"]+))/g

export async function expandPrompt(
  text: string,
  root: string,
  shellOutput: readonly string[] = [],
): Promise<ExpandedPrompt> {
  const blocks: string[] = []
  const warnings: string[] = []
  const seen = new Set<string>()
  for (const [, quoted, plain] of text.matchAll(references)) {
    const found = attach(root, quoted ?? plain ?? '')
    if (found === undefined || seen.has(found.path)) continue
    seen.add(found.path)
    if ('block' in found) blocks.push(found.block)
    else warnings.push(found.warning)
  }
  const added = [...blocks, ...shellOutput].map((block) => block.trimEnd())
  return { text: [text, ...added].join('\n\n'), warnings }
}
