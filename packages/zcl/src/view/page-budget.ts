// Limits the evidence on a page, so that a browser can open it whatever the size of the trace.
// The page reports what it omits; the trace has everything.
import { cutToBytes } from '@zee/core/bounded'
import type { PageText } from '@zee/web/data'

const maxPreviewBytes = 64 * 1024 * 1024
const maxCalls = 100_000

export class PageBudget {
  #bytes = 0
  #calls = 0

  /** Reserves one call; false when the budget is used up. */
  reserveCall(): boolean {
    this.#calls++
    return this.#calls <= maxCalls
  }

  /** Reserves `bytes` for a preview; false when they do not fit. */
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
