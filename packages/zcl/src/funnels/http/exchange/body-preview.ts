// What the trace shows of a body: its beginning as text. A compressed one is opened for that, since
// secrets inside it would otherwise pass the redaction unseen; binary data is not shown at all.
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { previewCaptureBytes } from '@zee/evidence/trace'

const empty = Buffer.alloc(0)

/** `head` is the beginning of the body as it went over the wire. */
export function bodyPreview(head: Buffer, contentEncoding: string | undefined): Buffer {
  const text = decoded(head, (contentEncoding ?? '').trim().toLowerCase())
  return text === undefined || text.includes(0) ? empty : text.subarray(0, previewCaptureBytes)
}

function decoded(head: Buffer, encoding: string): Buffer | undefined {
  // The head may end anywhere; what it gives up to there is enough.
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

/** A head that opens into more than this is not worth a preview. */
const maxDecodedBytes = 8 * 1024 * 1024
