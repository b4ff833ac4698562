// Detects friction between agent and tools in a trace. Every finding cites its lines and states
// whether it is measured or a hypothesis.
import { oneLine } from '@zee/core/errors'
import { cutToBytes } from '@zee/core/bounded'
import { asObject, asText } from '../json/json.ts'
import type { CallFacts } from '../events/events.ts'
import { argvOf, type SignatureState } from './metrics.ts'
import type { classifications } from '../schema/vocabulary.ts'

export type FrictionKind =
  | 'repeated_failing_call'
  | 'unknown_flag_corrected'
  | 'help_loop'
  | 'truncated_then_asked_again'
  | 'command_not_found'
  | 'timeout'

export interface Finding {
  kind: FrictionKind
  basis: 'measured' | 'hypothesis'
  classification?: (typeof classifications)[number] | undefined
  message: string
  /** 1-based lines of the trace, at most the first 32. */
  lines: number[]
  linesTotal: number
}

const maxLines = 32
const maxFindings = 100
/** Number of unknown flags that are watched for a correction. */
const maxPendingFlags = 16
/** A call within this many lines of cut output counts as a repeat. */
const repeatWindowLines = 3

class Lines {
  readonly kept: number[] = []
  total = 0

  add(line: number): void {
    if (this.kept.length < maxLines) this.kept.push(line)
    this.total++
  }
}

interface HelpCalls {
  lines: Lines
  seen: Set<SignatureState>
  repeated: boolean
}

interface PendingFlag {
  line: number
  command: string
  flag: string
}

interface CutCall {
  line: number
  signature: SignatureState
  command: string | undefined
}

export class FrictionPass {
  readonly #found: Finding[] = []
  readonly #failing = new Map<SignatureState, Lines>()
  readonly #help = new Map<string, HelpCalls>()
  readonly #timeouts = new Lines()
  readonly #missing = new Map<string, Lines>()
  #pending: PendingFlag[] = []
  #cut: CutCall | undefined

  add(facts: CallFacts, signature: SignatureState): void {
    this.#countFailures(facts, signature)
    this.#detectRepeatAfterCut(facts, signature)
    // Parsing arguments is expensive, and most calls cannot produce a finding.
    const isFlagSuspected = !facts.ok && mayNameFlag(facts)
    const isCorrection = facts.ok && this.#pending.length > 0
    const isCandidate = isFlagSuspected || isCorrection || mayBeHelp(facts.input)
    const argv = isCandidate ? argvOf(signature) : undefined
    if (argv === undefined) return
    if (isCorrection) this.#correctFlag(facts, argv)
    if (isFlagSuspected) this.#unknownFlag(facts, argv)
    this.#countHelp(facts, signature, argv)
  }

  findings(): Finding[] {
    for (const [signature, lines] of this.#failing) this.#closeFailing(signature, lines)
    this.#failing.clear()
    for (const [command, calls] of this.#help) this.#closeHelp(command, calls)
    this.#help.clear()
    for (const [command, lines] of this.#missing) {
      const message = `${command} could not be started ${countWord(lines.total)}`
      this.#report('command_not_found', 'measured', message, lines, 'missing_primitive')
    }
    this.#missing.clear()
    if (this.#timeouts.total > 0) {
      const message = `the deadline ended ${this.#timeouts.total} call(s)`
      this.#report('timeout', 'measured', message, this.#timeouts)
    }
    const order = (finding: Finding) => finding.lines[0] ?? 0
    this.#found.sort((a, b) => order(a) - order(b) || (a.kind < b.kind ? -1 : 1))
    return this.#found.slice(0, maxFindings)
  }

  #countFailures(facts: CallFacts, signature: SignatureState): void {
    const run = this.#failing.get(signature)
    if (facts.ok) {
      if (run === undefined) return
      this.#closeFailing(signature, run)
      this.#failing.delete(signature)
      return
    }
    const lines = run ?? new Lines()
    if (run === undefined) this.#failing.set(signature, lines)
    lines.add(facts.line)
    if (facts.code === 'ZCL_E_TIMEOUT') this.#timeouts.add(facts.line)
    if (facts.code !== 'ZCL_E_SPAWN') return
    const command = describe(argvOf(signature)?.slice(0, 1))
    const missing = this.#missing.get(command) ?? new Lines()
    this.#missing.set(command, missing)
    missing.add(facts.line)
  }

  #closeFailing(signature: SignatureState, lines: Lines): void {
    if (lines.total < 2) return
    const message = `the same call failed ${countWord(lines.total)}: ${describeCall(signature)}`
    this.#report('repeated_failing_call', 'measured', message, lines)
  }

  /** Remembers a flag of this call that the tool reports as unknown. */
  #unknownFlag(facts: CallFacts, argv: readonly string[]): void {
    const flags = argv.slice(1).filter((word) => /^--?[A-Za-z]/.test(word))
    if (flags.length === 0) return
    const io = asObject(facts.record().io)
    const output = `${asText(io.errPreview)}\n${asText(io.outPreview)}`.slice(0, 8192)
    if (!unknownFlagWords.test(output)) return
    const flag = flags
      .map((word) => word.split('=', 1)[0] ?? word)
      .find((word) => output.includes(word) || output.includes(word.replace(/^-+/, '')))
    if (flag === undefined) return
    this.#pending.push({ line: facts.line, command: argv[0] ?? '', flag })
    if (this.#pending.length > maxPendingFlags) this.#pending.shift()
  }

  #correctFlag(facts: CallFacts, argv: readonly string[]): void {
    const corrected = this.#pending.find(
      ({ command, flag }) =>
        command === argv[0] && !argv.some((word) => word === flag || word.startsWith(`${flag}=`)),
    )
    if (corrected === undefined || isHelp(argv)) return
    this.#pending = this.#pending.filter((pending) => pending !== corrected)
    const lines = new Lines()
    lines.add(corrected.line)
    lines.add(facts.line)
    const message = `${describe([corrected.command])} does not know ${corrected.flag}; a call without it worked`
    this.#report('unknown_flag_corrected', 'measured', message, lines, 'naming_ux')
  }

  #countHelp(facts: CallFacts, signature: SignatureState, argv: readonly string[]): void {
    if (!isHelp(argv)) return
    const command = (argv[0] === 'man' ? argv[1] : argv[0]) ?? ''
    let calls = this.#help.get(command)
    if (calls === undefined) {
      calls = { lines: new Lines(), seen: new Set(), repeated: false }
      this.#help.set(command, calls)
    }
    calls.lines.add(facts.line)
    if (calls.seen.has(signature)) calls.repeated = true
    calls.seen.add(signature)
  }

  #closeHelp(command: string, { lines, repeated }: HelpCalls): void {
    if (lines.total < 2 || (!repeated && lines.total < 3)) return
    const message = `help of ${describe([command])} was asked for ${countWord(lines.total)}`
    const basis = repeated ? 'measured' : 'hypothesis'
    this.#report('help_loop', basis, message, lines, 'naming_ux')
  }

  /** Reports a call that repeats the command of a recent call with cut output. */
  #detectRepeatAfterCut(facts: CallFacts, signature: SignatureState): void {
    const cut = this.#cut
    if (cut !== undefined && facts.line - cut.line <= repeatWindowLines) {
      const same = cut.signature === signature
      if (same || (cut.command !== undefined && cut.command === argvOf(signature)?.[0])) {
        this.#cut = undefined
        this.#reportRepeatAfterCut(cut, facts.line, same, signature)
      }
    }
    if (!facts.outCut && !facts.errCut) return
    this.#cut = { line: facts.line, signature, command: argvOf(signature)?.[0] }
  }

  #reportRepeatAfterCut(cut: CutCall, line: number, same: boolean, repeat: SignatureState): void {
    const lines = new Lines()
    lines.add(cut.line)
    lines.add(line)
    const how = same ? 'the same call was made again' : 'the command was asked again differently'
    const message = `output over the preview cap, then ${how}: ${describeCall(repeat)}`
    const basis = same ? 'measured' : 'hypothesis'
    this.#report('truncated_then_asked_again', basis, message, lines, 'output_shape')
  }

  #report(
    kind: FrictionKind,
    basis: Finding['basis'],
    message: string,
    lines: Lines,
    classification?: Finding['classification'],
  ): void {
    if (this.#found.length >= maxFindings * 2) return
    this.#found.push({
      kind,
      basis,
      classification,
      message,
      lines: lines.kept,
      linesTotal: lines.total,
    })
  }
}

/** Words that tools use for flags in error messages. */
const flagWords = ['option', 'flag', 'argument', 'switch', 'parameter']

const unknownFlagWords = new RegExp(
  `\\b(?:unknown|unrecogni[sz]ed|invalid|illegal|unexpected|unsupported|no such|not a valid)\\s+(?:\\w+\\s+)?(?:${flagWords.join('|')})`,
  'i',
)

/** Whether the call has a flag and its output may complain about one: false is certain, true is not. */
function mayNameFlag(facts: CallFacts): boolean {
  return facts.input.includes(',"-') && facts.mayContain?.(flagWords) !== false
}

/** A cheap prefilter of `isHelp`: false is certain, true is not. */
function mayBeHelp(input: string): boolean {
  return input.includes('help"') || input.includes('["man"')
}

function isHelp(argv: readonly string[]): boolean {
  return argv[0] === 'man' || argv[1] === 'help' || argv.includes('--help')
}

function describe(argv: readonly string[] | undefined): string {
  if (argv === undefined) return 'a call that is no command'
  return cutToBytes(oneLine(argv.join(' ')), 120).text
}

/** A command line, or the tool of an MCP call. */
function describeCall(signature: SignatureState): string {
  const { mcpTool } = signature
  return mcpTool === undefined ? describe(argvOf(signature)) : describe(['mcp', mcpTool])
}

function countWord(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
