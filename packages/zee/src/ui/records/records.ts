// The rows of the dashboard: finds sessions, runs and traces, reads new and changed ones in slices, newest
// first, and answers which rows changed since a version.
import { createHash } from 'node:crypto'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { listSessions, type SessionEntry } from '@zee/agent'
import { readTitles, summarizeSession } from '@zee/agent/sessions'
import { cutToBytes } from '@zee/core/bounded'
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { createRedactor, type Redactor } from '@zee/core/redact'
import { readJsonArtifact, type EvidenceFolder } from '@zee/evidence/artifact'
import { artifactName } from '@zee/evidence/layout'
import { runFolders } from '@zee/evidence/runs'
import type { RowsUpdate, RunRow, SessionRow, TraceRow } from '@zee/web/data'
import { findTraces, projectPlaces, sessionFolders } from '../../places/places.ts'
import { runDetails, runFingerprint } from './run-details.ts'
import { sessionDetails } from './session-details.ts'

type Row = SessionRow | RunRow | TraceRow

interface Stored {
  fingerprint: string
  version: number
  row: Row
}

interface StoredRun {
  folder: EvidenceFolder
  outRoot: string
}

/** Time of one slice of reading; requests are answered between slices. */
const sliceMs = 20
const maxTitleBytes = 160
/** Larger sessions are listed without details. */
const maxSessionBytes = 64 << 20

export class Records {
  readonly #host: Host
  readonly #redactor: Redactor
  readonly #stored = new Map<string, Stored>()
  readonly #removed: { version: number; key: string }[] = []
  #runs = new Map<string, StoredRun>()
  #traces = new Map<string, string>()
  #version = 0
  #pending = 0
  #refreshing: Promise<void> | undefined
  #isClosed = false

  constructor(host: Host) {
    this.#host = host
    this.#redactor = createRedactor({ environment: host.env })
  }

  get version(): number {
    return this.#version
  }

  /** Records whose details are not read yet. */
  get pending(): number {
    return this.#pending
  }

  /** The folders of a run that has a row. */
  run(key: string): StoredRun | undefined {
    return this.#runs.get(key)
  }

  /** The file of a trace that has a row. */
  trace(key: string): string | undefined {
    return this.#traces.get(key)
  }

  session(id: string): SessionRow | undefined {
    return this.#stored.get(`s:${id}`)?.row as SessionRow | undefined
  }

  changesSince(version: number): RowsUpdate {
    const update: RowsUpdate = {
      version: this.#version,
      sessions: [],
      runs: [],
      traces: [],
      removed: this.#removed.flatMap((each) => (each.version > version ? [each.key] : [])),
      pending: this.#pending,
    }
    for (const [key, stored] of this.#stored) {
      if (stored.version <= version) continue
      if (key.startsWith('s:')) update.sessions.push(stored.row as SessionRow)
      else if (key.startsWith('r:')) update.runs.push(stored.row as RunRow)
      else update.traces.push(stored.row as TraceRow)
    }
    return update
  }

  /** Looks for changes. A call during a refresh waits for the current one. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  /** Ends a refresh, which may have thousands of records left to read. */
  close(): void {
    this.#isClosed = true
  }

  async #refresh(): Promise<void> {
    const { base, folder: sessions } = sessionFolders(this.#host)
    const titles = readTitles(base)
    const slice = new Slices()
    const seen = new Set<string>()
    const late: (() => void | Promise<void>)[] = []
    const roots = new Set<string>()
    for (const entry of listSessions(sessions)) {
      if (this.#isClosed) return
      seen.add(`s:${entry.id}`)
      const print = `${entry.modifiedMs} ${entry.bytes} ${titles.get(entry.id) ?? ''}`
      const before = this.#stored.get(`s:${entry.id}`)
      const isKnown = before?.fingerprint === print
      const row = isKnown
        ? (before.row as SessionRow)
        : this.#sessionRow(sessions, entry, titles.get(entry.id))
      if (row.project !== '') roots.add(row.project)
      if (isKnown) continue
      // The first pass reads heads only, so that the list is there quickly.
      this.#store(`s:${entry.id}`, `${print} head`, row)
      late.push(() => this.#addSessionDetails(sessions, entry, row, print))
      await slice.pause()
    }
    const places = projectPlaces(this.#host, [...roots])
    const runs = new Map<string, StoredRun>()
    for (const outRoot of places.outRoots) {
      for (const folder of runFolders(outRoot)) {
        if (this.#isClosed) return
        const key = stableKey(path.basename(folder.path), outRoot)
        runs.set(key, { folder, outRoot })
        seen.add(`r:${key}`)
        const print = runFingerprint(folder)
        const before = this.#stored.get(`r:${key}`)
        const isRunning = (before?.row as RunRow | undefined)?.details?.isRunning === true
        if (before?.fingerprint === print && !isRunning) continue
        const row = this.#runRow(key, folder, outRoot, before?.row as RunRow | undefined)
        if (before === undefined) this.#store(`r:${key}`, 'head', row)
        late.push(() => this.#addRunDetails(key, folder, outRoot, row, print))
        await slice.pause()
      }
    }
    this.#runs = runs
    this.#addTraces(places.projects, seen)
    for (const key of [...this.#stored.keys()]) if (!seen.has(key)) this.#remove(key)
    this.#pending = late.length
    for (const work of late) {
      if (this.#isClosed) return
      await work()
      this.#pending--
      await slice.pause()
    }
  }

  #store(key: string, fingerprint: string, row: Row): void {
    const before = this.#stored.get(key)
    const isSame = before !== undefined && JSON.stringify(before.row) === JSON.stringify(row)
    const version = isSame ? before.version : ++this.#version
    this.#stored.set(key, { fingerprint, version, row })
  }

  #remove(key: string): void {
    this.#stored.delete(key)
    this.#removed.push({ version: ++this.#version, key })
    if (this.#removed.length > 1000) this.#removed.shift()
  }

  #sessionRow(folder: string, entry: SessionEntry, title: string | undefined): SessionRow {
    const before = this.session(entry.id)
    const summary = summaryOrEmpty(folder, entry)
    return {
      id: entry.id,
      title: this.#text(title ?? summary.title ?? ''),
      project: summary.root ?? '',
      model: this.#text(summary.model ?? ''),
      modifiedMs: entry.modifiedMs,
      tokens: summary.tokens,
      details: before?.details,
    }
  }

  async #addSessionDetails(
    folder: string,
    entry: SessionEntry,
    row: SessionRow,
    print: string,
  ): Promise<void> {
    if (entry.bytes > maxSessionBytes) return this.#store(`s:${entry.id}`, print, row)
    try {
      const details = await sessionDetails(folder, entry.id, this.#redactor)
      this.#store(`s:${entry.id}`, print, { ...row, details })
    } catch {
      // A session that cannot be read is listed without details.
      this.#store(`s:${entry.id}`, print, row)
    }
  }

  #runRow(key: string, folder: EvidenceFolder, outRoot: string, before?: RunRow): RunRow {
    const read = readJsonArtifact(folder, artifactName.run)
    const file = read.failure === undefined ? read.value : {}
    return {
      key,
      runId: path.basename(folder.path),
      suiteId: typeof file.suiteId === 'string' ? this.#text(file.suiteId) : '',
      project: path.dirname(outRoot),
      createdMs: Date.parse(String(file.createdAt)) || 0,
      details: before?.details,
    }
  }

  #addRunDetails(
    key: string,
    folder: EvidenceFolder,
    outRoot: string,
    row: RunRow,
    print: string,
  ): void {
    const details = runDetails(folder, outRoot, this.#host.clock.now().getTime())
    const failedCalls = details.failedCalls.map((call) => ({
      ...call,
      page: call.page.replace(row.runId, key),
    }))
    this.#store(`r:${key}`, print, { ...row, details: { ...details, failedCalls } })
  }

  #addTraces(projects: readonly string[], seen: Set<string>): void {
    const traces = new Map<string, string>()
    const found = findTraces(projects, this.#host)
    for (const { file, modifiedMs, bytes } of found) {
      const key = stableKey(path.basename(file, '.jsonl').replaceAll(/[^\w.-]/g, '-'), file)
      traces.set(key, file)
      seen.add(`t:${key}`)
      this.#store(`t:${key}`, '', { key, file, modifiedMs, bytes })
    }
    this.#traces = traces
  }

  #text(text: string): string {
    return this.#redactor.text(oneLine(cutToBytes(text, maxTitleBytes).text)).text
  }
}

/** Yields to the event loop after each slice of time. */
class Slices {
  #startMs = performance.now()

  async pause(): Promise<void> {
    if (performance.now() - this.#startMs < sliceMs) return
    await nextTurn()
    this.#startMs = performance.now()
  }
}

/** Records of one name in two places differ; the key stays the same while other records come and go. */
function stableKey(name: string, place: string): string {
  return `${name}.${createHash('sha256').update(place).digest('hex').slice(0, 8)}`
}

function summaryOrEmpty(folder: string, entry: SessionEntry): ReturnType<typeof summarizeSession> {
  try {
    return summarizeSession(folder, entry)
  } catch {
    return {}
  }
}
