// File names of channels. A plain id is its own file name. Any other id becomes a readable prefix and a
// hash, joined by a character that plain ids cannot contain. Two ids never share a file.
import { createHash } from 'node:crypto'

const plainId = /^[A-Za-z0-9_-]{1,100}$/
const extension = '.json'
const separator = '~'
const prefixLength = 40
const hashLength = 32

export function isPlainId(id: string): boolean {
  return plainId.test(id)
}

export function channelFileName(id: string): string {
  if (isPlainId(id)) return id + extension
  const prefix = id.slice(0, prefixLength).replace(/[^A-Za-z0-9_-]/g, '_')
  // UTF-16, because all unpaired surrogates have the same UTF-8 encoding.
  const hash = createHash('sha256').update(Buffer.from(id, 'utf16le')).digest('hex')
  return prefix + separator + hash.slice(0, hashLength) + extension
}

/** The id of a file with a plain name; undefined for other files. */
export function plainIdOfFile(fileName: string): string | undefined {
  if (!fileName.endsWith(extension)) return undefined
  const id = fileName.slice(0, -extension.length)
  return isPlainId(id) ? id : undefined
}
