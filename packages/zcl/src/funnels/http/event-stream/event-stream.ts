// Reads a streamed answer of a model (server-sent events of the four wire formats). Deltas of one field
// are joined into its first event, so that redaction sees a secret that was cut into deltas. The joined
// stream is a valid event stream with the same meaning.
import { parseObject } from '@zee/core/json'
import { LineSplitter } from '@zee/core/line-splitter'
import { previewCaptureBytes } from '@zee/evidence/trace'
import { carriesMore, deltaFields, type DeltaField } from './deltas.ts'
import { StreamUsage } from './usage.ts'

export { jsonUsage } from './usage.ts'

/** Longer lines are left out. */
const maxLineBytes = 4 * 1024 * 1024
/** Kept text; the preview is shorter. */
const maxKeptChars = 4 * previewCaptureBytes

interface KeptEvent {
  name: string | undefined
  /** Parsed JSON, or text that is not a JSON object. */
  data: Record<string, unknown> | string
}

export class EventStream {
  readonly #lines: LineSplitter
  readonly #kept: KeptEvent[] = []
  readonly #fields = new Map<string, DeltaField>()
  readonly #usage = new StreamUsage()
  #name: string | undefined
  #data: string[] = []
  #keptChars = 0
  #isCut = false

  constructor() {
    this.#lines = new LineSplitter(maxLineBytes, {
      line: (bytes, start, end) => {
        this.#line(bytes.toString('utf8', start, end).replace(/\r$/, ''))
        return true
      },
      tooLong: () => {
        this.#isCut = true
        return true
      },
    })
  }

  push(chunk: Buffer): void {
    this.#lines.push(chunk)
  }

  /** The joined stream, whether a part of it is missing, and the tokens that it reports. */
  end(): { text: string; isCut: boolean; usage: Record<string, unknown> | undefined } {
    this.#lines.end()
    this.#dispatch()
    const text = this.#kept.map(eventText).join('')
    return { text, isCut: this.#isCut, usage: this.#usage.numbers() }
  }

  #line(line: string): void {
    if (line === '') {
      this.#dispatch()
      return
    }
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') this.#name = value
    else if (field === 'data') this.#data.push(value)
  }

  #dispatch(): void {
    const [name, lines] = [this.#name, this.#data]
    this.#name = undefined
    this.#data = []
    if (lines.length === 0) return
    const text = lines.join('\n')
    const data = parseObject(text)
    if (data !== undefined) this.#usage.add(data)
    if (data === undefined) this.#keep({ name, data: text }, text.length)
    else this.#join(name, data, text.length)
  }

  /** Moves deltas of known fields to their first event; an event without anything else is dropped. */
  #join(name: string | undefined, data: Record<string, unknown>, chars: number): void {
    const fields = deltaFields(data)
    const fresh = fields.filter(({ key }) => !this.#fields.has(key))
    for (const field of fields) {
      const first = this.#fields.get(field.key)
      if (first === undefined) continue
      const delta = String(field.holder[field.name])
      field.holder[field.name] = ''
      if (!this.#hasRoom(delta.length)) continue
      first.holder[first.name] = String(first.holder[first.name]) + delta
    }
    const isDropped = fields.length > 0 && fresh.length === 0 && !carriesMore(data)
    if (isDropped || !this.#keep({ name, data }, chars)) return
    for (const field of fresh) this.#fields.set(field.key, field)
  }

  #keep(event: KeptEvent, chars: number): boolean {
    if (!this.#hasRoom(chars)) return false
    this.#kept.push(event)
    return true
  }

  #hasRoom(chars: number): boolean {
    if (this.#keptChars + chars > maxKeptChars) this.#isCut = true
    else this.#keptChars += chars
    return !this.#isCut
  }
}

function eventText({ name, data }: KeptEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  const lines = text.split('\n').map((line) => `data: ${line}\n`)
  return `${name === undefined ? '' : `event: ${name}\n`}${lines.join('')}\n`
}
