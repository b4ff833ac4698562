// How much of the evidence a page may carry: it has to open in a browser, whatever was traced. What is
// left out is said on the page; the trace has it.
import { cutToBytes } from '@zee/core/bounded'
import type { PageText } from '@zee/web/data'

const maxPreviewBytes = 64 * 1024 * 1024
const maxCalls = 100_000

export class PageBudget {
  #bytes = 0
  #calls = 0

  /** Whether one more call has room. */
  reserveCall(): boolean {
    this.#calls++
    return this.#calls <= maxCalls
  }

  /** Whether a preview of so many bytes has room. */
  reserveBytes(bytes: number): boolean {
    if (this.#bytes + bytes > maxPreviewBytes) return false
    this.#bytes += bytes
    return true
  }
}

export function pageText(text: string, maxBytes: number): PageText {
  const cut = cutToBytes(text, maxBytes)
  if (!cut.truncated) return { text }
  return { text: cut.text, cutBytes: cut.bytes - Buffer.byteLength(cut.text) }
}
