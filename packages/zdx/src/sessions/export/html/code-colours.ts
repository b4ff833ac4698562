// Adds syntax colours to the code of a page: blocks of code in answers, and the lines of diffs.
import path from 'node:path'
import { codeLines } from '@zee/core/markdown'
import type { Block, ColourRun, DiffLine, ToolTexts, TurnFacts } from '@zee/web/data'

/** Characters of a page that get colours. More cost time: highlight.js reads about 1 MB per second. */
const maxPageLength = 256 * 1024
/** Longer lines are not coloured: highlight.js takes too long. */
const maxLineLength = 2000

export function addCodeColours(turns: readonly TurnFacts[], calls: readonly ToolTexts[]): void {
  const colours = new Colours()
  for (const { entries } of turns) {
    for (const entry of entries) {
      if (entry.type === 'answer') addToBlocks(entry.blocks, colours)
      else if (entry.type === 'tool' && entry.diff !== undefined)
        addToDiff(calls[entry.number]?.lines ?? [], entry.diff.path, colours)
    }
  }
}

class Colours {
  #left = maxPageLength

  /** The runs of each line; undefined if the language is unknown or the page has enough colours. */
  of(code: string, language: string): ColourRun[][] | undefined {
    if (code.length > this.#left || language === '') return undefined
    if (code.split('\n').some((line) => line.length > maxLineLength)) return undefined
    const lines = codeLines(code, language)
    if (lines === undefined) return undefined
    this.#left -= code.length
    return lines.map((runs) => runs.map(({ text, colour }) => [text.length, colour ?? '']))
  }
}

function addToBlocks(blocks: readonly Block[], colours: Colours): void {
  for (const block of blocks) {
    if (block.type === 'quote') addToBlocks(block.blocks, colours)
    else if (block.type === 'list')
      for (const item of block.items) addToBlocks(item.blocks, colours)
    else if (block.type === 'code') {
      const lines = colours.of(block.text, block.language.toLowerCase())
      if (lines !== undefined) block.colours = joinLines(lines)
    }
  }
}

/** The runs of a whole text, with its newlines. */
function joinLines(lines: readonly ColourRun[][]): ColourRun[] {
  return lines.flatMap((runs, index): ColourRun[] => (index === 0 ? runs : [[1, ''], ...runs]))
}

/** Each side of the diff is coloured as one text, so that a comment may span lines. */
function addToDiff(lines: readonly DiffLine[], file: string, colours: Colours): void {
  const language = path.extname(file).slice(1).toLowerCase()
  for (const side of ['-', '+'] as const) {
    const own = lines.filter(({ mark }) => mark === side || mark === ' ')
    if (!own.some(({ mark }) => mark === side)) continue
    const runs = colours.of(own.map(({ text }) => text).join('\n'), language)
    if (runs === undefined) return
    for (const [index, line] of own.entries()) line.colours = runs[index] ?? []
  }
}
