// The harness's own record of an attempt. Funnels and `zcl feedback` announce what they write; a trace
// or an outcome that was written in any other way differs from this record.
import { createHash } from 'node:crypto'
import { mkdtempSync, promises, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { artifactName } from '@zee/evidence/layout'
import { witnessLinkName } from '@zee/evidence/trace'
import { readFrames } from './frames.ts'
import { HarnessFiles, readRegularFile } from './harness-files.ts'

export interface WitnessRecord {
  /** Events that the funnels announced. */
  events: number
  /** Lines of the trace that no funnel announced. */
  added: number
  /** Announced events that are not in the trace any more, or not as announced. */
  removed: number
  /** feedback.json is not what `zcl feedback` wrote. */
  feedbackForged: boolean
  /** Files of the harness that the attempt changed or planted. */
  changed: string[]
  /** Of the trace and of feedback.json, when the attempt ended. */
  traceSha256: string | null
  feedbackSha256: string | null
}

const prefix = 'zcl-witness-'
const settleMs = 2000
const pollMs = 10

export class Witness {
  /** The folder of the socket; an isolated attempt needs it. */
  readonly folder: string
  readonly #attemptFolder: string
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** Announced and confirmed events, by hash. */
  readonly #announced = new Map<string, number>()
  readonly #confirmed = new Map<string, number>()
  readonly #feedback = new Set<string>()
  readonly #files: HarnessFiles
  /** What `restore` found. */
  #restored: readonly string[] = []

  private constructor(folder: string, attemptFolder: string) {
    this.folder = folder
    this.#attemptFolder = attemptFolder
    this.#files = new HarnessFiles(attemptFolder)
    this.#server = createServer((socket) => this.#listen(socket))
    this.#server.on('error', () => undefined)
    this.#server.unref()
  }

  /** Listens on a socket in the folder for temporary files: its path must be short. */
  static async open(attemptFolder: string): Promise<Witness> {
    const folder = mkdtempSync(path.join(os.tmpdir(), `${prefix}${process.pid}-`))
    const witness = new Witness(folder, attemptFolder)
    const address = path.join(folder, 's')
    await new Promise<void>((resolve) => {
      witness.#server.once('listening', resolve)
      witness.#server.once('error', () => resolve())
      witness.#server.listen(address)
    })
    symlinkSync(address, path.join(attemptFolder, witnessLinkName))
    return witness
  }

  #listen(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => this.#sockets.delete(socket))
    const open: string[] = []
    readFrames(socket, (kind, body) => {
      const hash = hashOf(body)
      if (kind === 'event') {
        open.push(hash)
        count(this.#announced, hash)
      } else if (kind === 'feedback') this.#feedback.add(hash)
      else for (const each of open.splice(0)) count(this.#confirmed, each)
    })
  }

  /** Call this when the runner has ended: undoes what it did to the files of the harness. */
  restore(): void {
    this.#restored = this.#files.restore()
  }

  /** Stops listening and compares the evidence with the record. */
  async compare(): Promise<WitnessRecord> {
    let record = this.#compareNow()
    // Announcements of a process that has just ended may still be in the socket.
    for (let waited = 0; isPending(record) && waited < settleMs; waited += pollMs) {
      await new Promise((resolve) => setTimeout(resolve, pollMs))
      if (this.#sockets.size === 0 && waited > 100) break
      record = this.#compareNow()
    }
    return record
  }

  #compareNow(): WitnessRecord {
    const trace = readRegularFile(path.join(this.#attemptFolder, artifactName.trace))
    const feedback = readRegularFile(path.join(this.#attemptFolder, artifactName.feedback))
    const present = new Map<string, number>()
    for (const line of traceLines(trace)) count(present, hashOf(line))
    const feedbackHash = feedback === undefined ? null : hashOf(feedback)
    return {
      events: total(this.#announced),
      added: excess(present, this.#announced),
      removed: excess(this.#confirmed, present),
      feedbackForged: feedbackHash !== null && !this.#feedback.has(feedbackHash),
      changed: [...new Set([...this.#restored, ...this.#files.changed()])],
      traceSha256: trace === undefined ? null : hashOf(trace),
      feedbackSha256: feedbackHash,
    }
  }

  async close(): Promise<void> {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await promises.rm(path.join(this.#attemptFolder, witnessLinkName), { force: true })
    await promises.rm(this.folder, { recursive: true, force: true })
  }
}

export function isForged(record: WitnessRecord): boolean {
  return isPending(record) || record.changed.length > 0
}

/** What late announcements could still explain. */
function isPending({ added, removed, feedbackForged }: WitnessRecord): boolean {
  return added > 0 || removed > 0 || feedbackForged
}

/** Why the evidence is not what the harness saw, in words. */
export function describeForgery(record: WitnessRecord): string {
  const { added, removed, feedbackForged, changed } = record
  const parts = [
    added > 0 ? `${added} trace lines that no funnel reported` : '',
    removed > 0 ? `${removed} reported calls missing from the trace` : '',
    feedbackForged ? `a ${artifactName.feedback} that zcl feedback did not write` : '',
    changed.length > 0 ? `changed files of the harness (${changed.join(', ')})` : '',
  ]
  return `the evidence differs from the record of the harness: ${parts.filter(Boolean).join(', ')}`
}

/** Removes the sockets of killed harnesses. */
export function sweepWitnesses(): void {
  let names: string[]
  try {
    names = readdirSync(os.tmpdir()).filter((name) => name.startsWith(prefix))
  } catch {
    return
  }
  for (const name of names) {
    const pid = Number(name.slice(prefix.length).split('-')[0])
    if (!Number.isSafeInteger(pid) || pid <= 0 || isAlive(pid)) continue
    rmSync(path.join(os.tmpdir(), name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const newline = 10
const chainEnd = /"chain":"[0-9a-f]{64}"\}$/

/** The complete lines without their link to the previous line, as they are announced. */
function* traceLines(trace: Buffer | undefined): Generator<string> {
  if (trace === undefined) return
  for (let start = 0; start < trace.length;) {
    const found = trace.indexOf(newline, start)
    const end = found < 0 ? trace.length : found
    const line = trace.toString('utf8', start, end)
    if (line !== '' && isJson(line)) yield line.replace(chainEnd, '"chain":""}')
    start = end + 1
  }
}

/** A line that a killed writer left torn is no event. */
function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

function hashOf(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, each) => sum + each, 0)
}

/** How many of `counts` are not in `others`. */
function excess(counts: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const [key, each] of counts) sum += Math.max(0, each - (others.get(key) ?? 0))
  return sum
}
