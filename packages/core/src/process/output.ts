// One output stream of a child: counted, kept within bounds, copied to our own descriptor, shown.
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
  /** The caller's callback failed, which is the caller's error and not the child's. */
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
      ...(this.#failure === undefined || readerGone ? {} : { writeError: this.#failure }),
    }
  }

  #consume(chunk: Buffer): Promise<void> | undefined {
    this.#capture.push(chunk)
    const written = this.#plan.passthrough ? this.#pass(chunk) : undefined
    const shown = this.#plan.onOutput === undefined ? undefined : this.#show(chunk)
    if (written === undefined) return shown
    return shown === undefined ? written : Promise.all([written, shown]).then(() => {})
  }

  #pass(chunk: Buffer): Promise<void> | undefined {
    // Most commands are silent on one stream: its target is only opened when there is need.
    this.#target ??= openPassthrough(this.#plan.name === 'stdout' ? 1 : 2)
    const written = this.#target.write(chunk)
    if (written !== undefined) return written.then(() => this.#noticeFailure())
    this.#noticeFailure()
    return undefined
  }

  /** Nobody takes the output any more, so the child's next write must fail as it would without us. */
  #noticeFailure(): void {
    if (this.#failure !== undefined || this.#target?.failure === undefined) return
    if (this.source.isEnded) return
    this.#failure = this.#target.failure
    this.source.close()
  }

  #show(chunk: Buffer): Promise<void> | undefined {
    try {
      // A copy: the buffer itself is read into again.
      const shown = this.#plan.onOutput?.(this.#plan.name, Buffer.from(chunk))
      return shown?.catch((error: unknown) => this.#plan.onCallbackError(error))
    } catch (error) {
      this.#plan.onCallbackError(error)
      return undefined
    }
  }
}
