// Reports the progress of a run: one JSON line per step for programs, one line per finished attempt for
// people, and on a terminal one line per running attempt that is redrawn in place.
import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import { coloursFor } from '@zee/core/colour'
import { rfc3339 } from '@zee/core/clock'
import { fileError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { fitLines } from '@zee/core/fit-lines'
import { ensureFolder } from '@zee/core/folders'
import { openJournal, type Journal } from '@zee/core/journal'
import { formatMilliseconds, LiveLines, printable } from '../../output/output.ts'
import { zclError } from '../../errors/errors.ts'
import type { TryResult } from '../attempt/attempt.ts'

export type ProgressKind = 'run_started' | 'attempt_started' | 'attempt_finished' | 'run_finished'

export interface ProgressOptions {
  /** A file, or `-` for stdout. */
  jsonl: string | undefined
  /** Stdout is reserved for the JSON answer. */
  json: boolean
  runId: string
  suiteId: string
  total: number
  /** What the runner of an attempt printed last. */
  lastLine: (attemptId: string) => string
}

/** Throws if the file of `--progress-jsonl` cannot be written; creates nothing. */
export function checkProgressFile(jsonl: string | undefined, cwd: string): void {
  if (jsonl === undefined || jsonl === '-') return
  const file = path.resolve(cwd, jsonl)
  let place = file
  let stats = statSync(place, { throwIfNoEntry: false })
  while (stats === undefined) {
    place = path.dirname(place)
    stats = statSync(place, { throwIfNoEntry: false })
  }
  if (stats.isDirectory() === (place === file)) {
    const what = place === file ? 'is a folder' : `cannot be created: ${place} is not a folder`
    throw zclError('ZCL_E_USAGE', `--progress-jsonl ${jsonl} ${what}`)
  }
  try {
    accessSync(place, constants.W_OK)
  } catch (error) {
    throw fileError('write', jsonl, error)
  }
}

const redrawMs = 200

export class RunProgress {
  readonly #host: Host
  readonly #options: ProgressOptions
  readonly #journal: Journal | undefined
  readonly #live: LiveLines
  readonly #startMs: number
  /** The running attempts by worker; a worker takes the lowest free line. */
  readonly #workers: ({ attemptId: string; startMs: number } | undefined)[] = []
  readonly #counts = { passed: 0, failed: 0, infra: 0, abandoned: 0 }
  readonly #ticker: NodeJS.Timeout | undefined

  constructor(host: Host, options: ProgressOptions) {
    this.#host = host
    this.#options = options
    this.#live = new LiveLines(host.stderr)
    this.#startMs = host.clock.monotonicMs()
    const { jsonl } = options
    if (jsonl !== undefined && jsonl !== '-') {
      const file = path.resolve(host.cwd, jsonl)
      ensureFolder(path.dirname(file))
      this.#journal = openJournal(file)
    }
    if (!this.#live.isShown) return
    this.#ticker = setInterval(() => this.#redraw(), redrawMs)
    this.#ticker.unref()
  }

  elapsedMs(): number {
    return Math.round(this.#host.clock.monotonicMs() - this.#startMs)
  }

  emit(kind: ProgressKind, details: object = {}): void {
    const { jsonl, json, runId, suiteId } = this.#options
    if (jsonl === undefined) return
    const record = { v: 1, ts: rfc3339(this.#host.clock.now()), kind, runId, suiteId, ...details }
    if (this.#journal !== undefined) return this.#journal.append(record)
    const stream = json ? this.#host.stderr : this.#host.stdout
    stream.write(`${JSON.stringify(record)}\n`)
  }

  started(attemptId: string, missionId: string, slot: number): void {
    const free = this.#workers.indexOf(undefined)
    const line = free === -1 ? this.#workers.length : free
    this.#workers[line] = { attemptId, startMs: this.#host.clock.monotonicMs() }
    this.emit('attempt_started', { attemptId, missionId, slot })
    this.#redraw()
  }

  finished(result: TryResult): void {
    const { attemptId, missionId, slot, outcome, code, durationMs } = result
    const line = this.#workers.findIndex((each) => each?.attemptId === attemptId)
    if (line !== -1) this.#workers[line] = undefined
    this.#counts[outcome]++
    const ok = outcome === 'passed'
    this.#live.clear()
    this.emit('attempt_finished', { attemptId, missionId, slot, ok, outcome, code, durationMs })
    this.#print(result)
    this.#redraw()
  }

  end(): void {
    clearInterval(this.#ticker)
    this.#live.clear()
    this.#journal?.close()
  }

  /** `001-one-r1  failed  1.2 s  the agent reported a failure`. */
  #print({ attemptId, outcome, code, message, durationMs }: TryResult): void {
    const stream = this.#linesStream()
    if (stream === undefined) return
    const paint = coloursFor(stream, this.#host.env)
    const labels = {
      passed: paint.green('passed'),
      failed: paint.red('failed'),
      infra: paint.yellow('infra '),
      abandoned: paint.dim('stopped'),
    }
    const why = outcome === 'passed' ? undefined : (message ?? code)
    const head = [attemptId, labels[outcome], formatMilliseconds(durationMs)].join('  ')
    const lines = why === undefined ? [head] : fitLines([`${head}  ${printable(why)}`], stream)
    stream.write(lines.map((each) => `${each}\n`).join(''))
  }

  /** Stdout, unless it carries JSON; then only a terminal gets the lines. */
  #linesStream(): NodeJS.WriteStream | undefined {
    const { json, jsonl } = this.#options
    if (!json && jsonl !== '-') return this.#host.stdout
    return this.#live.isShown ? this.#host.stderr : undefined
  }

  #redraw(): void {
    if (!this.#live.isShown) return
    const { passed, failed, infra } = this.#counts
    const now = this.#host.clock.monotonicMs()
    const since = (startMs: number) => `${Math.floor((now - startMs) / 1000)} s`
    const running = this.#workers.flatMap((worker, index) => {
      if (worker === undefined) return []
      const { attemptId, startMs } = worker
      const said = this.#options.lastLine(attemptId)
      return [`  ${index + 1}  ${attemptId}  ${since(startMs)}${said === '' ? '' : `  ${said}`}`]
    })
    const counts = `${passed} passed, ${failed} failed, ${infra} infra`
    const done = passed + failed + infra
    const head = `${done}/${this.#options.total}  ${counts}  ${since(this.#startMs)}`
    this.#live.show([...running, head])
  }
}
