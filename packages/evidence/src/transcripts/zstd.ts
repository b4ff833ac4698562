// Decompresses zstd: with Node from 22.15 on, with a decoder in JavaScript before. A small file can hold
// content of any size, so that each call has a limit.
import zlib from 'node:zlib'

/** Throws for damaged data, and for content of more than `maxBytes`. */
export type Decompress = (bytes: Buffer, maxBytes: number) => Buffer

type OwnDecoder = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer

/** Loads the decoder only where Node has none. */
export async function zstdDecoder(): Promise<Decompress> {
  const own = (zlib as { zstdDecompressSync?: OwnDecoder }).zstdDecompressSync
  if (own !== undefined) return (bytes, maxOutputLength) => own(bytes, { maxOutputLength })
  const { Decompress } = await import('fzstd')
  return (bytes, maxBytes) => {
    const chunks: Uint8Array[] = []
    let total = 0
    const stream = new Decompress((chunk) => {
      total += chunk.length
      if (total > maxBytes) throw new Error(`its content is larger than ${maxBytes} bytes`)
      chunks.push(chunk)
    })
    stream.push(bytes, true)
    return Buffer.concat(chunks)
  }
}
