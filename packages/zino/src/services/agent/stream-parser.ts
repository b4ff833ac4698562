// Finds interrupt blocks (`<tool_call>`, `<task>`) in the model's text while it arrives, cut
// anywhere. Text passes at once; only what may still become an opening tag is held back.
// The same parser reads collected answers. Its work is linear in the length of the text.

export type BlockTag = 'tool_call' | 'task'

export type Segment =
  | { kind: 'text'; text: string }
  /** A complete block; `content` is what stood between its tags, untouched. */
  | { kind: 'block'; tag: BlockTag; content: string }

interface Tag {
  name: BlockTag
  open: string
  close: string
}

interface Capture {
  tag: Tag
  /** What came since the opening tag, in pieces: joined once, when the block closes. */
  pieces: string[]
  /** The last characters of it, in which a closing tag may have begun. */
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

  /** What the next piece of text completes, in order. */
  push(piece: string): Segment[] {
    const segments: Segment[] = []
    let rest = piece
    while (rest !== '') {
      rest =
        this.#capture === undefined ? this.#forward(rest, segments) : this.#collect(rest, segments)
    }
    return segments
  }

  /** The text ends: what is held or was never closed is plain text after all. */
  end(): Segment[] {
    const { tag, pieces } = this.#capture ?? { tag: undefined, pieces: [] }
    const text = this.#held + (tag?.open ?? '') + pieces.join('')
    this.#held = ''
    this.#capture = undefined
    return text === '' ? [] : [{ kind: 'text', text }]
  }

  /** Passes text on up to an opening tag; returns what stands behind it. */
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

  /** Collects block content up to the closing tag; returns what stands behind it. */
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
    const whole = capture.pieces.join('')
    this.#capture = undefined
    segments.push({ kind: 'block', tag: name, content: whole.slice(0, end) })
    return whole.slice(end + close.length)
  }
}

/** Whether the end of `text` from `at` on is the beginning of an opening tag. */
function mayBecomeTag(text: string, at: number): boolean {
  const length = text.length - at
  return tags.some(({ open }) => length < open.length && open.startsWith(text.slice(at)))
}

function pushText(segments: Segment[], text: string): void {
  if (text !== '') segments.push({ kind: 'text', text })
}
