// One output stream of a child: counts bytes, captures within bounds, copies to our own stream, calls
// the caller's `onOutput`.
import { BoundedCapture } from '../text/text.ts'
import { OutputSource, type PipeEnd } from './output-source.ts'
import { openPassthrough, type Passthrough } from './passthrough.ts'
import type { OutputName, ProcessOutput } from './types.ts'

export interface OutputPlan {
  name: OutputName
  passthrough: boolean
  captureBytes: number
  tailBytes: number
  onOutput: ((stream: OutputName, chunk: Buffer) => void | Promise<void>) | undefined
  /** Called when `onOutput` throws or rejects. */
  onCallbackError(error: unknown): void
}

const readerGoneErrors = new Set(['EPIPE', 'ECONNRESET'])
const nothing = Buffer.alloc(0)

export class ChildOutput {
  readonly #plan: OutputPlan
  readonly #capture: BoundedCapture
  readonly source: OutputSource
  #target: Passthrough | undefined
  #failure: string | undefined

  constructor(plan: OutputPlan, end: PipeEnd) {
    this.#plan = plan
    this.#capture = new BoundedCapture(plan.captureBytes, plan.tailBytes)
    this.source = new OutputSource(end, (chunk) => this.#consume(chunk))
  }

  close(): void {
    this.source.close()
    this.#target?.close()
  }

  result(): ProcessOutput {
    const readerGone = this.#failure !== undefined && readerGoneErrors.has(this.#failure)
    return {
      bytes: this.#capture.bytes,
      capture: this.#capture.bytes === 0 ? nothing : this.#capture.head(),
      tail: this.#capture.bytes === 0 ? nothing : this.#capture.tail(),
      truncated: this.#capture.truncated,
      text: (mark) => this.#capture.text(mark),
      readerGone,
      writeError: readerGone ? undefined : this.#failure,
    }
  }

  #consume(chunk: Buffer): Promise<void> | undefined {
    this.#capture.push(chunk)
    const written = this.#plan.passthrough ? this.#pass(chunk) : undefined
    const handled = this.#plan.onOutput === undefined ? undefined : this.#notify(chunk)
    if (written === undefined) return handled
    return handled === undefined ? written : Promise.all([written, handled]).then(() => {})
  }

  #pass(chunk: Buffer): Promise<void> | undefined {
    // Opened lazily: most commands write to one stream only.
    this.#target ??= openPassthrough(this.#plan.name === 'stdout' ? 1 : 2)
    const written = this.#target.write(chunk)
    if (written !== undefined) return written.then(() => this.#closeOnFailure())
    this.#closeOnFailure()
    return undefined
  }

  /** If our own stream failed, closes the pipe: the child's next write fails as it would without us. */
  #closeOnFailure(): void {
    if (this.#failure !== undefined || this.#target?.failure === undefined) return
    if (this.source.isEnded) return
    this.#failure = this.#target.failure
    this.source.close()
  }

  #notify(chunk: Buffer): Promise<void> | undefined {
    try {
      // A copy, because the buffer is reused.
      const handled = this.#plan.onOutput?.(this.#plan.name, Buffer.from(chunk))
      return handled?.catch((error: unknown) => this.#plan.onCallbackError(error))
    } catch (error) {
      this.#plan.onCallbackError(error)
      return undefined
    }
  }
}
