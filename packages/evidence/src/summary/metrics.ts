// Computes the metrics of a report in one pass over the trace. Memory grows with the number of
// distinct calls, not with the number of lines.
import { hash } from 'node:crypto'
import { asObject } from '../json/json.ts'
import type { CallFacts, CallKind } from '../events/events.ts'
import type { Metrics } from '../schema/schema.ts'
import { Spread } from './spread.ts'

/** State shared by all calls with the same tool, operation and input. */
export interface SignatureState {
  /** Whether the latest call of this signature failed. */
  failed: boolean
  /** Command and arguments of a `cli exec`: canonical input, or only the program of a long one. */
  command: string | readonly string[] | undefined
  /** The tool of an MCP `tools/call`. */
  mcpTool: string | undefined
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

/** MCP events that end a session. */
const sessionEnds: ReadonlySet<string> = new Set(['timeout', 'idle-timeout', 'limit'])

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
  readonly #protocol = new Map<string, number>()
  /** Programs of nested and ignored calls. */
  readonly #programsApart = new Set<string>()
  readonly #apart = { nested: 0, protocol: 0, ignored: 0 }
  /** End of the call that ends last. */
  #lastEnd = Number.NEGATIVE_INFINITY

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

  /** Adds an event that is not a call of its own; only its time and a timeout count. */
  addApart(facts: CallFacts, kind: Exclude<CallKind, 'call'>): void {
    this.#apart[kind]++
    this.#addTime(facts)
    if (kind !== 'protocol') return this.#addProgramApart(facts)
    this.#protocol.set(facts.op, (this.#protocol.get(facts.op) ?? 0) + 1)
    // A deadline or a limit that ends a session is a failure, whatever it interrupted.
    if (!facts.ok && sessionEnds.has(facts.op)) this.#addFailure(facts)
  }

  #addProgramApart(facts: CallFacts): void {
    if (facts.tool !== 'cli') return
    const program = plainCommand.exec(facts.input)?.[1] ?? parseArgv(facts.input)?.[0]
    if (program !== undefined) this.#programsApart.add(program)
  }

  /** Whether the trace has a call of this program, by its bare name; nested calls count too. */
  hasProgram(name: string): boolean {
    const isIt = (program: string) => program === name || program.endsWith(`/${name}`)
    return [...this.#commands].some(isIt) || [...this.#programsApart].some(isIt)
  }

  /** When the last call ended, in milliseconds; undefined without a call that has a time. */
  lastEndMs(): number | undefined {
    return Number.isFinite(this.#lastEnd) ? this.#lastEnd : undefined
  }

  /** When the last call started. */
  lastStartMs(): number | undefined {
    return Number.isFinite(this.#lastTs) ? this.#lastTs : undefined
  }

  firstStartMs(): number | undefined {
    return Number.isFinite(this.#firstTs) ? this.#firstTs : undefined
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

  /** Without an attempt, the wall time runs from the first call to the end of the last. */
  metrics({ wallTimeMs, openCalls } = { wallTimeMs: this.#spanMs(), openCalls: 0 }): Metrics {
    const durations = this.#durations.summary()
    return {
      toolCallsTotal: this.#total,
      toolCallsByTool: this.#callsBy((op) => op.tool),
      toolCallsByOp: this.#callsBy((op) => op.op),
      failuresTotal: this.#failed,
      failuresByCode: sortedCounts(this.#failures),
      timeoutsTotal: this.#timeouts,
      retriesTotal: this.#retries,
      wallTimeMs,
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
      nestedCallsTotal: this.#apart.nested,
      protocolEventsTotal: this.#apart.protocol,
      protocolEventsByOp: sortedCounts(this.#protocol),
      ignoredCallsTotal: this.#apart.ignored,
      openCallsTotal: openCalls,
    }
  }

  signals(): Signals {
    let distinct = 0
    for (const op of this.#ops.values()) distinct += op.signatures.size
    return {
      repeatMaxStreak: this.#longestStreak,
      distinctCommandSignatures: distinct,
      failureRateBps:
        this.#total === 0 ? 0 : Math.min(10_000, Math.floor((10_000 * this.#failed) / this.#total)),
      noProgressSuspected: this.#total >= 20 && distinct <= 3 && this.#longestStreak >= 10,
      commandNamesSeen: [...this.#commands].sort(),
    }
  }

  #spanMs(): number {
    return Number.isFinite(this.#lastEnd) ? Math.max(0, this.#lastEnd - this.#firstTs) : 0
  }

  #addTime(facts: CallFacts): void {
    if (Number.isNaN(facts.ts)) return
    if (facts.ts < this.#firstTs) this.#firstTs = facts.ts
    if (facts.ts + facts.durationMs > this.#lastEnd) this.#lastEnd = facts.ts + facts.durationMs
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
    const input = facts.tool === 'mcp' ? mcpSignature(facts.input) : facts.input
    const name = input.length <= maxKeyLength ? input : hash('sha256', input)
    const existing = op.signatures.get(name)
    if (existing !== undefined) return existing
    const mcpTool = mcpToolOf(facts)
    const signature: SignatureState = { failed: false, command: commandOf(facts), mcpTool }
    op.signatures.set(name, signature)
    this.#addCommand(signature)
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

/** The input without what differs between tries of one call: the JSON-RPC id and `_meta`. */
function mcpSignature(input: string): string {
  const { id: _id, params, ...message } = asObject(input === '' ? {} : JSON.parse(input))
  if (params === undefined) return JSON.stringify(message)
  const { _meta, ...rest } = asObject(params)
  return JSON.stringify([message, Array.isArray(params) ? params : rest])
}

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
