// Decompresses zstd: with Node from 22.15 on, with a decoder in JavaScript before.
import zlib from 'node:zlib'

/** Throws if the content is damaged or has more than `maxBytes`. */
export type Decompress = (bytes: Buffer, maxBytes: number) => Buffer

type Own = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer

/** Loads the decoder only where Node has none. */
export async function zstdDecoder(): Promise<Decompress> {
  const own = (zlib as { zstdDecompressSync?: Own }).zstdDecompressSync
  if (own !== undefined)
    return (bytes, maxBytes) => own(bytes, { maxOutputLength: Math.max(maxBytes, 1) })
  const { Decompress: Decoder } = await import('fzstd')
  return (bytes, maxBytes) => {
    const pieces: Uint8Array[] = []
    let size = 0
    const decoder = new Decoder((piece) => {
      size += piece.length
      if (size > maxBytes) throw tooLarge()
      pieces.push(piece)
    })
    decoder.push(bytes, true)
    return Buffer.concat(pieces, size)
  }
}

/** As the decoder of Node reports it. */
function tooLarge(): Error {
  return Object.assign(new Error('the content is too large'), { code: 'ERR_BUFFER_TOO_LARGE' })
}
