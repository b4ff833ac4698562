// Makes the preview of a body for the trace. Compressed bodies are decompressed first, so that redaction
// sees their secrets; binary data gives an empty preview.
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import type { Redactor } from '@zee/core/redact'
import { limits } from '@zee/evidence/limits'
import { previewCaptureBytes, storedText } from '@zee/evidence/trace'

const empty = Buffer.alloc(0)

/** The preview; `head` holds the first bytes of the body as sent. */
export function bodyPreview(head: Buffer, contentEncoding: string | undefined): Buffer {
  const text = decoded(head, (contentEncoding ?? '').trim().toLowerCase())
  return text === undefined || text.includes(0) ? empty : text.subarray(0, previewCaptureBytes)
}

/** The body of a request as the trace stores it; undefined for a binary body. */
export function bodyText(
  { bytes, head }: { bytes: number; head: Buffer },
  contentEncoding: string | undefined,
  redactor: Redactor,
): string | undefined {
  const text = bodyPreview(head, contentEncoding)
  if (text.length === 0 && bytes > 0) return undefined
  const isWhole = head.length >= bytes && text.length < previewCaptureBytes
  const stream = { bytes, head: text, isWhole }
  return storedText(stream, limits.previewBytes, redactor).text
}

export function decoded(head: Buffer, encoding: string): Buffer | undefined {
  // The head may be cut anywhere; Z_SYNC_FLUSH decodes what is there.
  const partial = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxDecodedBytes }
  try {
    switch (encoding) {
      case '':
      case 'identity':
        return head
      case 'gzip':
      case 'x-gzip':
        return gunzipSync(head, partial)
      case 'deflate':
        return (head[0] ?? 0) % 16 === 8
          ? inflateSync(head, partial)
          : inflateRawSync(head, partial)
      case 'br':
        return brotliDecompressSync(head, {
          finishFlush: constants.BROTLI_OPERATION_FLUSH,
          maxOutputLength: maxDecodedBytes,
        })
      default:
        return undefined
    }
  } catch {
    return undefined
  }
}

/** Larger output (a decompression bomb) gives no preview. */
const maxDecodedBytes = 8 * 1024 * 1024
