// Tells the harness about a record before and after it is written, over a socket that the folder of the
// attempt links to. The harness keeps its own copy, so that a forged record is found by comparison.
// Loads Node built-ins only, and nothing at all without a harness.
import { readlinkSync } from 'node:fs'
import type * as net from 'node:net'
import path from 'node:path'

/** A link in the folder of a running attempt to the socket of its harness. */
export const witnessLinkName = '.witness'

export type WitnessedKind = 'event' | 'feedback'

export interface WitnessedWrite {
  /** Call this when the records are on disk. */
  confirm(): Promise<void>
}

/** A harness that does not answer for this long is treated as gone. */
const maxWaitMs = 5000
const retryMs = 10

const unwitnessed: WitnessedWrite = { confirm: async () => undefined }

/** Announces records. Never fails: without a harness, the records are written all the same. */
export async function announceWrite(
  folder: string,
  kind: WitnessedKind,
  records: readonly string[],
): Promise<WitnessedWrite> {
  const address = witnessAddress(folder)
  if (address === undefined) return unwitnessed
  const socket = await connect(address)
  if (socket === undefined) return unwitnessed
  const frames = records.map((record) => {
    const body = Buffer.from(record)
    return Buffer.concat([Buffer.from(`${kind} ${body.length}\n`), body])
  })
  await send(socket, Buffer.concat(frames))
  return {
    confirm: async () => {
      await send(socket, Buffer.from('done 0\n'))
      socket.end()
      socket.unref()
    },
  }
}

function witnessAddress(folder: string): string | undefined {
  try {
    return readlinkSync(path.join(folder, witnessLinkName))
  } catch {
    return undefined
  }
}

/** A full queue of connections (EAGAIN) is tried again. */
async function connect(address: string): Promise<net.Socket | undefined> {
  const { connect: open } = process.getBuiltinModule('node:net')
  for (let waitedMs = 0; waitedMs < maxWaitMs; waitedMs += retryMs) {
    const socket = open(address)
    const failure = await new Promise<string | undefined>((resolve) => {
      socket.once('connect', () => resolve(undefined))
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
    })
    // Later errors mean that the harness is gone.
    socket.on('error', () => undefined)
    if (failure === undefined) return socket
    if (failure !== 'EAGAIN') return undefined
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
  return undefined
}

function send(socket: net.Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, maxWaitMs)
    timer.unref()
    const done = (): void => {
      clearTimeout(timer)
      resolve()
    }
    socket.once('close', done)
    socket.write(bytes, done)
  })
}
