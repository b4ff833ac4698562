// Decodes the bytes of a terminal in raw mode into keys, typed text and pastes. A paste is one event, so
// that its size does not matter.
import { StringDecoder } from 'node:string_decoder'

export type Key =
  | { type: 'text'; text: string }
  | { type: 'paste'; text: string }
  | { type: 'key'; name: string }

const pasteStart = '\u001b[200~'
const pasteEnd = '\u001b[201~'
/** A lone escape is the Esc key if nothing follows within this time. */
const escapeWaitMs = 30

/** Sequences after an escape; `alt+` is added for an escape before a plain key. */
const sequences: Readonly<Record<string, string>> = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  '[H': 'home',
  '[F': 'end',
  '[1~': 'home',
  '[7~': 'home',
  '[4~': 'end',
  '[8~': 'end',
  '[3~': 'delete',
  '[5~': 'pageup',
  '[6~': 'pagedown',
  '[Z': 'shift+tab',
  OA: 'up',
  OB: 'down',
  OC: 'right',
  OD: 'left',
  OH: 'home',
  OF: 'end',
  OM: 'enter',
  // Alt and Ctrl with arrows move by words.
  '[1;3C': 'alt+f',
  '[1;3D': 'alt+b',
  '[1;5C': 'alt+f',
  '[1;5D': 'alt+b',
  '[1;5A': 'up',
  '[1;5B': 'down',
  // Shift, Alt or Ctrl with Enter, in the two encodings that terminals use.
  '[13;2u': 'alt+enter',
  '[13;3u': 'alt+enter',
  '[13;5u': 'alt+enter',
  '[27;2;13~': 'alt+enter',
  '[27;3;13~': 'alt+enter',
  '[27;5;13~': 'alt+enter',
}

const controls: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\n': 'alt+enter',
  '\t': 'tab',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u001b': 'escape',
}

export class KeyDecoder {
  readonly #decoder = new StringDecoder('utf8')
  readonly #onKey: (key: Key) => void
  #rest = ''
  /** The pieces of a paste that has not ended. */
  #paste: string[] | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(onKey: (key: Key) => void) {
    this.#onKey = onKey
  }

  write(chunk: Uint8Array | string): void {
    clearTimeout(this.#timer)
    let text =
      this.#rest + (typeof chunk === 'string' ? chunk : this.#decoder.write(Buffer.from(chunk)))
    this.#rest = ''
    while (text !== '') {
      const used = this.#paste === undefined ? this.#readKey(text) : this.#readPaste(text)
      if (used === 0) {
        this.#rest = text
        break
      }
      text = text.slice(used)
    }
    if (this.#paste === undefined && this.#rest !== '') {
      this.#timer = setTimeout(() => this.#flushEscape(), escapeWaitMs)
    }
  }

  /** Forgets an incomplete sequence. */
  reset(): void {
    clearTimeout(this.#timer)
    this.#rest = ''
    this.#paste = undefined
  }

  /** The length of the key at the start of `text`; 0 if it is incomplete. */
  #readKey(text: string): number {
    const first = text.charAt(0)
    if (first === '\u001b') return this.#readEscape(text)
    if (first < ' ' || first === '\u007f') {
      this.#key(controls[first] ?? `ctrl+${controlLetter(first)}`)
      return 1
    }
    const length = /^[^\u0000-\u001f\u007f]+/.exec(text)?.[0].length ?? 1
    this.#onKey({ type: 'text', text: text.slice(0, length) })
    return length
  }

  #readEscape(text: string): number {
    if (text.startsWith(pasteStart)) {
      this.#paste = []
      return pasteStart.length
    }
    // oxlint-disable-next-line no-control-regex
    const sequence = /^\u001b(\[[0-9;:<=>?]*[ -/]*[@-~]|O[A-Za-z])/.exec(text)?.[1]
    if (sequence !== undefined) {
      const name = sequences[sequence]
      if (name !== undefined) this.#key(name)
      return sequence.length + 1
    }
    // oxlint-disable-next-line no-control-regex
    if (/^\u001b(\[[0-9;:<=>?]*[ -/]*|O)?$/.test(text)) return 0
    const next = text.charAt(1)
    if (next === '\u001b') {
      this.#key('escape')
      return 1
    }
    this.#key(`alt+${controls[next] ?? next.toLowerCase()}`.replace('alt+alt+', 'alt+'))
    return 2
  }

  #readPaste(text: string): number {
    const end = text.indexOf(pasteEnd)
    if (end === -1) {
      // The end mark may be split between two chunks.
      const kept = partialEnd(text)
      if (text.length === kept) return 0
      this.#paste?.push(text.slice(0, text.length - kept))
      return text.length - kept
    }
    const pasted = [...(this.#paste ?? []), text.slice(0, end)].join('')
    this.#paste = undefined
    this.#onKey({ type: 'paste', text: pasted.replace(/\r\n?/g, '\n') })
    return end + pasteEnd.length
  }

  #flushEscape(): void {
    const rest = this.#rest
    this.#rest = ''
    if (rest.startsWith('\u001b')) this.#key('escape')
    if (rest.length > 1) this.write(rest.slice(1))
  }

  #key(name: string): void {
    this.#onKey({ type: 'key', name })
  }
}

function controlLetter(character: string): string {
  return String.fromCharCode(character.charCodeAt(0) + 0x60)
}

/** The length of the longest end of `text` that starts the end mark. */
function partialEnd(text: string): number {
  for (let length = Math.min(pasteEnd.length - 1, text.length); length > 0; length--) {
    if (pasteEnd.startsWith(text.slice(-length))) return length
  }
  return 0
}
