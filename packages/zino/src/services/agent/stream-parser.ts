// Finds interrupt blocks (`<tool_call>`, `<task>`) in model text that arrives in pieces. Text passes
// immediately; only a possible start of an opening tag is held back. Collected answers use the same
// parser. It runs in time linear in the length of the text.

import type { BlockTag } from '../../turns/turns.ts'

export type { BlockTag } from '../../turns/turns.ts'

export type Segment =
  | { kind: 'text'; text: string }
  /** A complete block; `content` is the unchanged text between its tags. */
  | { kind: 'block'; tag: BlockTag; content: string }

interface Tag {
  name: BlockTag
  open: string
  close: string
}

interface Capture {
  tag: Tag
  /** The text since the opening tag; joined once, when the block closes. */
  pieces: string[]
  /** The end of that text, which may hold the start of a closing tag. */
  tail: string
  length: number
}

const tags: readonly Tag[] = (['tool_call', 'task'] as const).map((name) => ({
  name,
  open: `<${name}>`,
  close: `</${name}>`,
}))

export class StreamParser {
  #held = ''
  #capture: Capture | undefined

  /** Returns the segments that this piece completes, in order. */
  push(piece: string): Segment[] {
    const segments: Segment[] = []
    let rest = piece
    while (rest !== '') {
      rest =
        this.#capture === undefined ? this.#forward(rest, segments) : this.#collect(rest, segments)
    }
    return segments
  }

  /** Ends the text: held-back text and an unclosed block become plain text. */
  end(): Segment[] {
    const { tag, pieces } = this.#capture ?? { tag: undefined, pieces: [] }
    const text = this.#held + (tag?.open ?? '') + pieces.join('')
    this.#held = ''
    this.#capture = undefined
    return text === '' ? [] : [{ kind: 'text', text }]
  }

  /** Emits text up to an opening tag; returns the text after the tag. */
  #forward(piece: string, segments: Segment[]): string {
    const text = this.#held + piece
    this.#held = ''
    for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
      const tag = tags.find(({ open }) => text.startsWith(open, at))
      if (tag !== undefined) {
        pushText(segments, text.slice(0, at))
        this.#capture = { tag, pieces: [], tail: '', length: 0 }
        return text.slice(at + tag.open.length)
      }
      if (mayBecomeTag(text, at)) {
        pushText(segments, text.slice(0, at))
        this.#held = text.slice(at)
        return ''
      }
    }
    pushText(segments, text)
    return ''
  }

  /** Collects block content up to the closing tag; returns the text after the tag. */
  #collect(piece: string, segments: Segment[]): string {
    const capture = this.#capture as Capture
    const { close, name } = capture.tag
    const recent = capture.tail + piece
    const at = recent.indexOf(close)
    const end = capture.length - capture.tail.length + at
    capture.pieces.push(piece)
    capture.length += piece.length
    if (at === -1) {
      capture.tail = recent.slice(-(close.length - 1))
      return ''
    }
    const collected = capture.pieces.join('')
    this.#capture = undefined
    segments.push({ kind: 'block', tag: name, content: collected.slice(0, end) })
    return collected.slice(end + close.length)
  }
}

/** Whether `text` from `at` on is a proper prefix of an opening tag. */
function mayBecomeTag(text: string, at: number): boolean {
  const length = text.length - at
  return tags.some(({ open }) => length < open.length && open.startsWith(text.slice(at)))
}

function pushText(segments: Segment[], text: string): void {
  if (text !== '') segments.push({ kind: 'text', text })
}
