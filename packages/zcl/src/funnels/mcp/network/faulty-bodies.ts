// Faults in the answers of MCP over HTTP: a JSON document, or the events of a stream.
import type { AnswerRewriter } from '../../http/http.ts'
import type { AnswerFaults } from '../faults/faults.ts'
import { InOrder } from './in-order.ts'

/** Rewrites the body of one answer; `emit` receives what the client gets. */
export function rewriteBody(
  type: string,
  faults: AnswerFaults,
  emit: (bytes: Buffer) => void,
): AnswerRewriter {
  return type.startsWith('text/event-stream')
    ? new EventRewriter(faults, emit)
    : new DocumentRewriter(faults, emit)
}

class DocumentRewriter implements AnswerRewriter {
  readonly #faults: AnswerFaults
  readonly #emit: (bytes: Buffer) => void
  readonly #pieces: Buffer[] = []

  constructor(faults: AnswerFaults, emit: (bytes: Buffer) => void) {
    this.#faults = faults
    this.#emit = emit
  }

  push(content: Buffer): void {
    this.#pieces.push(content)
  }

  end(then: () => void): void {
    const body = Buffer.concat(this.#pieces)
    void this.#faults.rewrite(body).then((faulty) => {
      this.#emit(faulty === undefined ? body : Buffer.from(faulty))
      then()
    })
  }
}

class EventRewriter implements AnswerRewriter {
  readonly #order: InOrder
  readonly #faults: AnswerFaults
  readonly #emit: (bytes: Buffer) => void
  #rest = Buffer.alloc(0)

  constructor(faults: AnswerFaults, emit: (bytes: Buffer) => void) {
    this.#faults = faults
    this.#emit = emit
    this.#order = new InOrder()
  }

  push(content: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, content])
    for (let end = eventEnd(this.#rest); end > 0; end = eventEnd(this.#rest)) {
      const event = this.#rest.subarray(0, end)
      this.#rest = this.#rest.subarray(end)
      this.#order.add(() => this.#event(event))
    }
  }

  end(then: () => void): void {
    const rest = this.#rest
    this.#order.add(async () => {
      if (rest.length > 0) this.#emit(rest)
      then()
    })
  }

  async #event(event: Buffer): Promise<void> {
    const lines = event.toString('utf8').split(/\r?\n/)
    const data = lines.flatMap((line) => /^data: ?(.*)$/s.exec(line)?.[1] ?? [])
    const faulty =
      data.length === 0 ? undefined : await this.#faults.rewrite(Buffer.from(data.join('\n')))
    if (faulty === undefined) return this.#emit(event)
    const others = lines.filter((line) => line !== '' && !line.startsWith('data:'))
    return this.#emit(Buffer.from([...others, `data: ${faulty}`, '', ''].join('\n')))
  }
}

/** Where the first event ends, after its empty line; 0 if it is incomplete. */
function eventEnd(bytes: Buffer): number {
  const ends = ['\n\n', '\r\n\r\n'].flatMap((mark) => {
    const at = bytes.indexOf(mark)
    return at < 0 ? [] : [at + mark.length]
  })
  return ends.length === 0 ? 0 : Math.min(...ends)
}
