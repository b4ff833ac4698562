// Decompresses zstd: with Node from 22.15 on, with a decoder in JavaScript before.
import zlib from 'node:zlib'

export type Decompress = (bytes: Buffer) => Buffer

/** Loads the decoder only where Node has none. */
export async function zstdDecoder(): Promise<Decompress> {
  const own = (zlib as { zstdDecompressSync?: (bytes: Buffer) => Buffer }).zstdDecompressSync
  if (own !== undefined) return (bytes) => own(bytes)
  const { decompress } = await import('fzstd')
  return (bytes) => Buffer.from(decompress(bytes))
}
