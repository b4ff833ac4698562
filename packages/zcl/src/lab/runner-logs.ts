// Stores what runners print, one redacted file per attempt beside the attempts of the run, and quotes the
// end of it. The terminal stays free for the progress of the run.
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { BoundedCapture, decodeUtf8 } from '@zee/core/bounded'
import type { Redactor } from '@zee/core/redact'
import type { OutputSink } from './attempt/attempt.ts'

const headBytes = 1 << 20
const tailBytes = 256 << 10
const newline = 0x0a

export class RunnerLogs {
  readonly #folder: string
  readonly #redactor: Redactor
  readonly #lastLines = new Map<string, string>()

  /** `runFolder` is absolute. */
  constructor(runFolder: string, redactor: Redactor) {
    this.#folder = path.join(runFolder, 'runner-output')
    this.#redactor = redactor
  }

  file(attemptId: string): string {
    return path.join(this.#folder, `${attemptId}.log`)
  }

  /** Captures the output in bounded memory and writes the file when the runner ends. */
  open(attemptId: string): OutputSink {
    const capture = new BoundedCapture(headBytes, tailBytes)
    return {
      write: (chunk) => {
        capture.push(chunk)
        const line = lastCompleteLine(chunk)
        if (line !== '') this.#lastLines.set(attemptId, line)
      },
      end: () => this.#store(attemptId, capture),
    }
  }

  /** The latest complete line of a running runner, redacted. */
  lastLine(attemptId: string): string {
    return this.#redactor.text(this.#lastLines.get(attemptId) ?? '').text
  }

  /** The last lines of the output of an attempt; empty if there is none. */
  quote(attemptId: string, count: number): string[] {
    let text: string
    try {
      text = readFileSync(this.file(attemptId), 'utf8')
    } catch {
      return []
    }
    return text.trimEnd().split('\n').slice(-count)
  }

  async #store(attemptId: string, capture: BoundedCapture): Promise<void> {
    this.#lastLines.delete(attemptId)
    if (capture.bytes === 0) return
    mkdirSync(this.#folder, { recursive: true })
    const text = this.#redactor.text(storedText(capture)).text
    await writeFileAtomic(this.file(attemptId), text, { mode: 0o600 })
  }
}

/** Cuts only between lines: a secret that a cut divides would not be recognised. */
function storedText(capture: BoundedCapture): string {
  if (!capture.truncated) return decodeUtf8(Buffer.concat([capture.head(), capture.tail()]))
  const head = capture.head()
  const tail = capture.tail()
  const first = head.subarray(0, head.lastIndexOf(newline) + 1)
  const last = tail.subarray(tail.indexOf(newline) + 1)
  const omitted = capture.bytes - first.length - last.length
  return `${decodeUtf8(first)}... ${omitted} bytes omitted ...\n${decodeUtf8(last)}`
}

function lastCompleteLine(chunk: Buffer): string {
  const end = chunk.lastIndexOf(newline)
  if (end < 0) return ''
  const start = chunk.lastIndexOf(newline, end - 1) + 1
  return end === 0 ? '' : decodeUtf8(chunk.subarray(Math.max(start, end - 500), end)).trim()
}
