// Computes the metrics of a report in one pass over the trace. Memory grows with the number of
// distinct calls, not with the number of lines.
import { hash } from 'node:crypto'
import { asObject } from '../json/json.ts'
import type { CallFacts } from '../events/events.ts'
import type { Metrics } from '../schema/schema.ts'
import { Spread } from './spread.ts'

/** State shared by all calls with the same tool, operation and input. */
export interface SignatureState {
  /** Whether the latest call of this signature failed. */
  failed: boolean
  /** Command and arguments of a `cli exec`: canonical input, or only the program of a long one. */
  command: string | readonly string[] | undefined
}

export interface Signals {
  repeatMaxStreak: number
  distinctCommandSignatures: number
  failureRateBps: number
  noProgressSuspected: boolean
  commandNamesSeen: string[]
}

interface OpState {
  tool: string
  op: string
  calls: number
  /** Shared by operations of the same name across tools. */
  durations: Spread
  signatures: Map<string, SignatureState>
}

type SlowCall = {
  index: number
  tool: string
  op: string
  durationMs: number
  ok: boolean
  code: string | undefined
}

const maxSlowestCalls = 5
/** Longer inputs are identified by their hash. */
const maxKeyLength = 256

export class MetricsPass {
  readonly #ops = new Map<string, OpState>()
  readonly #byOp = new Map<string, Spread>()
  readonly #durations = new Spread()
  readonly #failures = new Map<string, number>()
  readonly #commands = new Set<string>()
  /** Start of the canonical input of the last plain command. */
  #lastCommand = ''
  readonly #mcpTools = new Set<string>()
  readonly #slowest: SlowCall[] = []
  #lastOp: OpState | undefined
  #total = 0
  #failed = 0
  #timeouts = 0
  #retries = 0
  #firstTs = Number.POSITIVE_INFINITY
  #lastTs = Number.NEGATIVE_INFINITY
  #lastTsText: string | undefined
  #outBytes = 0
  #errBytes = 0
  #outCuts = 0
  #errCuts = 0
  #inputBytes = 0
  #streak = 0
  #longestStreak = 0
  #streakOf: SignatureState | undefined

  /** Adds a call and returns the state of its signature, including this call. */
  add(facts: CallFacts): SignatureState {
    this.#total++
    this.#outBytes += facts.outBytes
    this.#errBytes += facts.errBytes
    if (facts.outCut) this.#outCuts++
    if (facts.errCut) this.#errCuts++
    this.#inputBytes += facts.inputBytes
    this.#addTime(facts)
    if (!facts.ok) this.#addFailure(facts)
    const op = this.#opOf(facts)
    op.calls++
    this.#addDuration(facts, op)
    const signature = this.#signatureOf(facts, op)
    if (signature.failed) this.#retries++
    signature.failed = !facts.ok
    this.#addToStreak(signature)
    return signature
  }

  get total(): number {
    return this.#total
  }

  get failures(): number {
    return this.#failed
  }

  get timeouts(): number {
    return this.#timeouts
  }

  /** The latest time of the trace, as written. */
  latestTs(): string | undefined {
    if (this.#lastTs === Number.NEGATIVE_INFINITY) return undefined
    return this.#lastTsText ?? new Date(this.#lastTs).toISOString()
  }

  /** Estimates one token per four bytes of input and output. */
  estimateTokens(): { inputTokens: number; outputTokens: number; totalTokens: number } {
    const inputTokens = Math.ceil(this.#inputBytes / 4)
    const outputTokens = Math.ceil((this.#outBytes + this.#errBytes) / 4)
    return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }
  }

  /** Every distinct command line of the trace; only the program of a very long one. */
  *commandLines(): Generator<readonly string[]> {
    for (const op of this.#ops.values()) {
      for (const signature of op.signatures.values()) {
        const argv = argvOf(signature)
        if (argv !== undefined) yield argv
      }
    }
  }

  /** Names of the MCP tools that were called. */
  mcpToolsSeen(): ReadonlySet<string> {
    return this.#mcpTools
  }

  metrics(): Metrics {
    const durations = this.#durations.summary()
    return {
      toolCallsTotal: this.#total,
      toolCallsByTool: this.#callsBy((op) => op.tool),
      toolCallsByOp: this.#callsBy((op) => op.op),
      failuresTotal: this.#failed,
      failuresByCode: sortedCounts(this.#failures),
      timeoutsTotal: this.#timeouts,
      retriesTotal: this.#retries,
      wallTimeMs: this.#lastTs >= this.#firstTs ? this.#lastTs - this.#firstTs : 0,
      durationMsTotal: durations.total,
      durationMsMin: durations.min,
      durationMsMax: durations.max,
      durationMsAvg: durations.avg,
      durationMsP50: durations.p50,
      durationMsP95: durations.p95,
      latencyMsByOp: recordOf(
        [...this.#byOp].sort(byName).map(([op, spread]) => [op, spread.summary()]),
      ),
      slowestCalls: this.#slowest,
      outBytesTotal: this.#outBytes,
      errBytesTotal: this.#errBytes,
      outPreviewTruncations: this.#outCuts,
      errPreviewTruncations: this.#errCuts,
      previewTruncations: this.#outCuts + this.#errCuts,
    }
  }

  signals(): Signals {
    let distinct = 0
    for (const op of this.#ops.values()) distinct += op.signatures.size
    return {
      repeatMaxStreak: this.#longestStreak,
      distinctCommandSignatures: distinct,
      failureRateBps: this.#total === 0 ? 0 : Math.floor((10_000 * this.#failed) / this.#total),
      noProgressSuspected: this.#total >= 20 && distinct <= 3 && this.#longestStreak >= 10,
      commandNamesSeen: [...this.#commands].sort(),
    }
  }

  #addTime(facts: CallFacts): void {
    if (Number.isNaN(facts.ts)) return
    if (facts.ts < this.#firstTs) this.#firstTs = facts.ts
    if (facts.ts > this.#lastTs) {
      this.#lastTs = facts.ts
      this.#lastTsText = facts.tsText
    }
  }

  #addDuration(facts: CallFacts, op: OpState): void {
    const { durationMs } = facts
    this.#durations.add(durationMs)
    op.durations.add(durationMs)
    const slowest = this.#slowest
    const last = slowest.at(-1)
    if (slowest.length === maxSlowestCalls && last !== undefined && last.durationMs >= durationMs)
      return
    // Lines arrive in order, so the earlier of two equal calls stays first.
    const index = slowest.findIndex((call) => call.durationMs < durationMs)
    slowest.splice(index < 0 ? slowest.length : index, 0, {
      index: facts.line - 1,
      tool: facts.tool,
      op: facts.op,
      durationMs,
      ok: facts.ok,
      code: facts.code === '' ? undefined : facts.code,
    })
    if (slowest.length > maxSlowestCalls) slowest.pop()
  }

  #addFailure(facts: CallFacts): void {
    const code = facts.code === '' ? 'ZCL_E_TOOL_FAILED' : facts.code
    this.#failed++
    if (code === 'ZCL_E_TIMEOUT') this.#timeouts++
    this.#failures.set(code, (this.#failures.get(code) ?? 0) + 1)
  }

  #signatureOf(facts: CallFacts, op: OpState): SignatureState {
    const name = facts.input.length <= maxKeyLength ? facts.input : hash('sha256', facts.input)
    const existing = op.signatures.get(name)
    if (existing !== undefined) return existing
    const signature: SignatureState = { failed: false, command: commandOf(facts) }
    op.signatures.set(name, signature)
    this.#addCommand(signature)
    const mcpTool = mcpToolOf(facts)
    if (mcpTool !== undefined) this.#mcpTools.add(mcpTool)
    return signature
  }

  #addCommand(signature: SignatureState): void {
    const { command } = signature
    const isText = typeof command === 'string'
    // Fast path: consecutive calls mostly use the same command.
    if (isText && this.#lastCommand !== '' && command.startsWith(this.#lastCommand)) return
    const plain = isText ? plainCommand.exec(command) : null
    const name = plain?.[1] ?? argvOf(signature)?.[0]
    if (name !== undefined) this.#commands.add(name)
    if (plain !== null) this.#lastCommand = plain[0]
  }

  #opOf(facts: CallFacts): OpState {
    const last = this.#lastOp
    if (last !== undefined && last.tool === facts.tool && last.op === facts.op) return last
    const name = JSON.stringify([facts.tool, facts.op])
    let op = this.#ops.get(name)
    if (op === undefined) {
      let durations = this.#byOp.get(facts.op)
      if (durations === undefined) this.#byOp.set(facts.op, (durations = new Spread()))
      op = { tool: facts.tool, op: facts.op, calls: 0, durations, signatures: new Map() }
      this.#ops.set(name, op)
    }
    this.#lastOp = op
    return op
  }

  #addToStreak(signature: SignatureState): void {
    this.#streak = signature === this.#streakOf ? this.#streak + 1 : 1
    this.#streakOf = signature
    if (this.#streak > this.#longestStreak) this.#longestStreak = this.#streak
  }

  #callsBy(nameOf: (op: OpState) => string): Record<string, number> {
    const calls = new Map<string, number>()
    for (const op of this.#ops.values()) {
      calls.set(nameOf(op), (calls.get(nameOf(op)) ?? 0) + op.calls)
    }
    return sortedCounts(calls)
  }
}

/** Command and arguments of a `cli exec`; only the program of a very long call. */
export function argvOf({ command }: SignatureState): readonly string[] | undefined {
  return typeof command === 'string' ? parseArgv(command) : command
}

function commandOf(facts: CallFacts): SignatureState['command'] {
  if (facts.tool !== 'cli' || facts.op !== 'exec' || facts.input === '') return undefined
  // Long inputs are not stored, because agents may paste large texts into arguments.
  return facts.input.length <= maxKeyLength ? facts.input : parseArgv(facts.input)?.slice(0, 1)
}

function parseArgv(input: string): string[] | undefined {
  const { argv } = asObject(JSON.parse(input))
  return Array.isArray(argv) ? argv.filter((word) => typeof word === 'string') : undefined
}

const plainCommand = /^\{"argv":\["([^"\\]*)"/

function mcpToolOf(facts: CallFacts): string | undefined {
  if (facts.tool !== 'mcp' || facts.op !== 'tools/call' || facts.input === '') return undefined
  const name = asObject(asObject(JSON.parse(facts.input)).params).name
  return typeof name === 'string' ? name : undefined
}

export function sortedCounts(counts: ReadonlyMap<string, number>): Record<string, number> {
  return recordOf([...counts].sort(byName))
}

/** Keys come from traces; `Object.fromEntries` treats `__proto__` as an ordinary key. */
function recordOf<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries)
}

function byName(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0
}
