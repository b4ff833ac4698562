// The line editor of a chat: turns keys into edits of a text and into requests to the chat. It draws
// nothing; the chat shows its view in the live region.
import { withoutControls } from '@zee/core/colour'
import { displayWidth } from '@zee/core/styled-text'
import { fitRow, type Key, type RegionPart } from '../../terminal/terminal.ts'
import { Buffer } from './buffer.ts'
import type { CompletionSources } from './complete.ts'
import { commonStart, complete } from './complete.ts'
import { History } from './history.ts'
import { layoutText } from './layout.ts'

export { appendHistory, loadHistory } from './history.ts'
export type { CompletionSources } from './complete.ts'

export type EditorRequest =
  | { type: 'submit'; text: string; shown: string }
  /** Ctrl+C without text. */
  | { type: 'interrupt' }
  /** Ctrl+D without text. */
  | { type: 'end' }
  /** Ctrl+Z */
  | { type: 'suspend' }
  /** Ctrl+G: edit the text in another program. */
  | { type: 'open_editor' }
  /** Ctrl+L */
  | { type: 'clear_screen' }

const continuationPrompt = '   > '
const maxCandidates = 40

interface Search {
  query: string
  skip: number
  found: string | undefined
}

export class Editor {
  readonly #buffer = new Buffer()
  readonly #history: History
  readonly #sources: CompletionSources
  #search: Search | undefined
  #candidates: readonly string[] = []

  constructor(history: readonly string[], sources: CompletionSources) {
    this.#history = new History(history)
    this.#sources = sources
  }

  get text(): string {
    return this.#buffer.expanded()
  }

  isEmpty(): boolean {
    return this.#buffer.isEmpty() && this.#search === undefined
  }

  setText(text: string): void {
    this.#buffer.set('')
    this.#buffer.paste(text)
  }

  /** Puts text before what is typed, for example queued lines of a stopped turn. */
  prepend(text: string): void {
    const typed = this.#buffer.text
    this.setText(text)
    if (typed !== '') {
      this.#buffer.insert('\n')
      this.#buffer.set(this.#buffer.text + typed)
    }
  }

  addHistory(entry: string): void {
    this.#history.add(entry)
  }

  /** The text as it is shown, with pastes as words. */
  shown(): string {
    return this.#buffer.shown(this.#buffer.text)
  }

  view(prompt: string, columns: number, maxRows: number): RegionPart {
    if (this.#search !== undefined) return searchView(this.#search, columns)
    const part = layoutText(this.#buffer.text, this.#buffer.cursor, {
      prompt,
      continuation: continuationPrompt,
      columns,
      maxRows,
      shown: (text) => this.#buffer.shown(text),
    })
    return { ...part, rows: [...part.rows, ...candidateRows(this.#candidates, columns)] }
  }

  /** Applies a key; returns what the chat has to do. */
  handle(key: Key): EditorRequest | undefined {
    this.#candidates = []
    if (this.#search !== undefined) {
      const isDone = this.#handleSearch(this.#search, key)
      if (!isDone) return undefined
    }
    if (key.type === 'text') this.#buffer.insert(key.text)
    else if (key.type === 'paste') this.#buffer.paste(key.text)
    else return this.#handleKey(key.name)
    return undefined
  }

  #handleKey(name: string): EditorRequest | undefined {
    switch (name) {
      case 'enter':
        return this.#enter()
      case 'ctrl+c':
        if (this.#buffer.isEmpty()) return { type: 'interrupt' }
        this.#buffer.set('')
        return undefined
      case 'ctrl+d':
        if (this.#buffer.isEmpty()) return { type: 'end' }
        this.#buffer.delete()
        return undefined
      case 'ctrl+z':
        return { type: 'suspend' }
      case 'ctrl+g':
        return { type: 'open_editor' }
      case 'ctrl+l':
        return { type: 'clear_screen' }
      case 'ctrl+r':
        this.#search = { query: '', skip: 0, found: undefined }
        return undefined
      case 'tab':
        this.#complete()
        return undefined
      case 'up':
      case 'ctrl+p':
        if (!this.#buffer.moveLine(-1)) this.#recall(1)
        return undefined
      case 'down':
      case 'ctrl+n':
        if (!this.#buffer.moveLine(1)) this.#recall(-1)
        return undefined
      default:
        edits[name]?.(this.#buffer)
        return undefined
    }
  }

  /** A backslash before the cursor at the end adds a line; otherwise Enter sends the text. */
  #enter(): EditorRequest | undefined {
    const { text, cursor } = this.#buffer
    if (cursor === text.length && /(^|[^\\])(\\\\)*\\$/.test(text)) {
      this.#buffer.backspace()
      this.#buffer.insert('\n')
      return undefined
    }
    const request = { type: 'submit', text: this.text, shown: this.shown() } as const
    this.#buffer.set('')
    return request
  }

  #recall(step: 1 | -1): void {
    const entry = this.#history.move(step, this.#buffer.text)
    if (entry !== undefined) this.#buffer.set(entry)
  }

  #complete(): void {
    const { text, cursor } = this.#buffer
    const [candidates, word] = complete(this.#sources, text.slice(0, cursor))
    if (candidates.length === 0) return
    const start = commonStart(candidates)
    const isUnique = candidates.length === 1
    const ending = isUnique && !start.endsWith('/') ? ' ' : ''
    if (start.length > word.length || isUnique) {
      this.#buffer.replaceRange(cursor - word.length, cursor, start + ending)
    }
    if (!isUnique) this.#candidates = candidates
  }

  /** True if the key also has its usual effect, after the search has ended. */
  #handleSearch(search: Search, key: Key): boolean {
    if (key.type !== 'key') {
      this.#searchFor(search.query + key.text, 0)
      return false
    }
    switch (key.name) {
      case 'ctrl+r':
        this.#searchFor(search.query, search.skip + 1)
        return false
      case 'backspace':
        this.#searchFor(search.query.slice(0, -1), 0)
        return false
      case 'ctrl+c':
      case 'ctrl+g':
        this.#search = undefined
        return false
      case 'escape':
      case 'tab':
        this.#endSearch(search)
        return false
      default:
        this.#endSearch(search)
        return true
    }
  }

  #searchFor(query: string, skip: number): void {
    const found = query === '' ? undefined : this.#history.search(query, skip)
    // The oldest match stays when there is no older one.
    const kept = found ?? (skip > 0 ? this.#search?.found : undefined)
    this.#search = { query, skip: found === undefined ? Math.max(0, skip - 1) : skip, found: kept }
  }

  #endSearch({ found }: Search): void {
    this.#search = undefined
    if (found !== undefined) this.#buffer.set(found)
  }
}

const edits: Readonly<Record<string, (buffer: Buffer) => void>> = {
  'alt+enter': (buffer) => buffer.insert('\n'),
  left: (buffer) => buffer.left(),
  'ctrl+b': (buffer) => buffer.left(),
  right: (buffer) => buffer.right(),
  'ctrl+f': (buffer) => buffer.right(),
  'alt+b': (buffer) => buffer.wordLeft(),
  'alt+f': (buffer) => buffer.wordRight(),
  home: (buffer) => buffer.lineStart(),
  'ctrl+a': (buffer) => buffer.lineStart(),
  end: (buffer) => buffer.lineEnd(),
  'ctrl+e': (buffer) => buffer.lineEnd(),
  backspace: (buffer) => buffer.backspace(),
  delete: (buffer) => buffer.delete(),
  'ctrl+u': (buffer) => buffer.killToLineStart(),
  'ctrl+k': (buffer) => buffer.killToLineEnd(),
  'ctrl+w': (buffer) => buffer.killWordLeft(),
  'alt+backspace': (buffer) => buffer.killWordLeft(),
  'alt+d': (buffer) => buffer.killWordRight(),
  'ctrl+y': (buffer) => buffer.yank(),
}

function searchView({ query, found }: Search, columns: number): RegionPart {
  const label = found === undefined && query !== '' ? 'no match' : 'search'
  const start = `(${label}) ${withoutControls(query)}`
  const match = withoutControls(found ?? '').replaceAll('\n', ' ⏎ ')
  const width = Math.max(8, columns - 1)
  const row = fitRow(`${start}: ${match}`, width)
  return { rows: [row], cursor: { row: 0, column: Math.min(displayWidth(start), width) } }
}

function candidateRows(candidates: readonly string[], columns: number): string[] {
  if (candidates.length === 0) return []
  const shown = candidates.slice(0, maxCandidates)
  const rows: string[] = []
  let row = ''
  for (const candidate of shown) {
    if (row !== '' && displayWidth(row) + 2 + displayWidth(candidate) >= columns) {
      rows.push(row)
      row = ''
    }
    row += (row === '' ? '' : '  ') + fitRow(candidate, columns - 1)
  }
  rows.push(row)
  const hidden = candidates.length - shown.length
  return hidden > 0 ? [...rows, `and ${hidden} more`] : rows
}
