// The bearer token of a server: created once in a private file, compared in constant time.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { constants, promises } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { errnoOf, fileError, oneLine, ZeeError } from '../errors/errors.ts'
import { createFileExclusive } from '../files/atomic-file.ts'
import { assertRegularFile } from '../files/files.ts'
import { ensureDurableFolder } from '../files/folders.ts'

const tokenBytes = 32
const maxLength = 4096

/** The token in `file`. A missing file is created with mode 0600 and a random token. */
export async function openTokenFile(file: string): Promise<string> {
  try {
    return await readToken(file)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error instanceof ZeeError ? error : readFailure(error)
  }
  try {
    ensureDurableFolder(path.dirname(path.resolve(file)), 0o700)
  } catch (error) {
    throw fileError('create', path.dirname(file), error)
  }
  const token = randomBytes(tokenBytes).toString('base64url')
  try {
    await createFileExclusive(file, `${token}\n`, { mode: 0o600 })
    return token
  } catch (error) {
    // Another process created it first.
    if (!(error instanceof ZeeError) || error.code !== 'eexist') throw error
    return readToken(file)
  }

  function readFailure(error: unknown): ZeeError {
    return fileError('read', file, error)
  }
}

/** Throws the system error of a file that cannot be opened. */
async function readToken(file: string): Promise<string> {
  // O_NONBLOCK: opening a named pipe would wait for its writer.
  const handle = await promises.open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = await handle.stat()
    assertRegularFile('read', file, stats)
    assertPrivateMode(file, stats.mode)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxLength + 1), 0)
    return checkedToken(buffer.toString('latin1', 0, bytesRead).trim(), file)
  } finally {
    await handle.close()
  }
}

function assertPrivateMode(file: string, mode: number): void {
  if ((mode & 0o077) === 0) return
  const shown = oneLine(file)
  const message = `other users may read the token in ${shown}: run \`chmod 600 ${shown}\``
  throw new ZeeError('token_file_mode', message)
}

/** Throws if a file with tokens in another format does not exist, or if other users may read it. */
export async function assertPrivateFile(file: string): Promise<void> {
  const stats = await promises.stat(file).catch((error: unknown) => {
    throw fileError('read', file, error)
  })
  assertRegularFile('read', file, stats)
  assertPrivateMode(file, stats.mode)
}

function checkedToken(token: string, file: string): string {
  if (/^[\x21-\x7e]+$/.test(token) && token.length <= maxLength) return token
  const message = `${oneLine(file)} must hold one token: ASCII characters without spaces`
  throw new ZeeError('token_file', message)
}

/** Compares in constant time, also for texts of different lengths. */
export function isSameToken(candidate: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(candidate), digest(token))
}

/** The token of the Authorization header; empty if there is none. */
export function bearerOf({ headers }: IncomingMessage): string {
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? ''
}
