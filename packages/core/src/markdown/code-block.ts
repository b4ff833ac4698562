// A fenced code block while it arrives. New lines are coloured together with the lines before them, so
// that a comment or a string that spans lines keeps its colour.
import { highlightCode } from './highlight.ts'
import type { InlineStyle } from './inline.ts'

/** Lines before the new ones that are highlighted again. More cost time; fewer lose long strings. */
const contextLines = 40
/** Longer lines are not coloured: highlight.js takes too long. */
const maxColouredLength = 2000

export interface Fence {
  mark: string
  indent: string
  language: string
}

export function openingFence(line: string): Fence | undefined {
  const found = /^(\s*)(`{3,}|~{3,})\s*([^\s`{]*)[^`]*$/.exec(line)
  if (found === null) return undefined
  const [, indent = '', mark = '', language = ''] = found
  return { mark, indent, language: language.toLowerCase() }
}

export class CodeBlock {
  readonly #fence: Fence
  readonly #style: InlineStyle
  #context: string[] = []
  #fresh: string[] = []

  constructor(fence: Fence, style: InlineStyle) {
    this.#fence = fence
    this.#style = style
  }

  /** Adds a line; false if the line closes the block. */
  add(line: string): boolean {
    const { mark, indent } = this.#fence
    const text = line.trim()
    if (text.startsWith(mark) && text === mark.charAt(0).repeat(text.length)) return false
    this.#fresh.push(line.startsWith(indent) ? line.slice(indent.length) : line.trimStart())
    return true
  }

  /** The rows of the lines added since the last call. */
  takeRows(): string[] {
    const fresh = this.#fresh
    if (fresh.length === 0) return []
    this.#fresh = []
    const rows = this.#coloured(fresh) ?? fresh.map((line) => this.#style.paint.cyan(line))
    this.#context = [...this.#context, ...fresh].slice(-contextLines)
    return rows.map((row) => `  ${row}`)
  }

  #coloured(fresh: readonly string[]): string[] | undefined {
    if (!this.#style.hasColour) return undefined
    const lines = [...this.#context, ...fresh]
    if (lines.some((line) => line.length > maxColouredLength)) return undefined
    const rows = highlightCode(lines.join('\n'), this.#fence.language, this.#style.paint)
    return rows?.slice(-fresh.length)
  }
}
