// Runs one command once per operation and fault, and judges each run: what was acknowledged is present, a
// failure is said in one line, the evidence from before is intact, and the next command works.
import { existsSync } from 'node:fs'
import type { ProgramName, Ran } from '../../support/run-program.ts'
import type { Fault, Operation } from '../files/operations.ts'
import { describeFault, faultsFor } from './plan.ts'
import type { Outcome, Scene, UseService } from './scene.ts'

export interface SweptCommand {
  program: ProgramName
  /** Words that name the command in reports. */
  name: string
  args: readonly string[]
  input?: string
  /** The command is a service: what a client does while it runs. */
  use?: UseService
  /** Brings the scene into the state in which the command runs. */
  prepare(scene: Scene): Promise<void>
  /** Whether the effect is visible to other commands. Commands that only read have none. */
  isDone?(scene: Scene): Promise<boolean>
  /** What a power loss must leave after exit code 0; default `isDone`. */
  isDurable?(scene: Scene): Promise<boolean>
  /** Throws when something from before the command is gone or unreadable. */
  checkKept(scene: Scene): Promise<void>
  /** The command may be repeated after a failure. */
  isRepeatable?: boolean
  /** Only kills need a process; commands that start children or read descriptors always do. */
  needsProcess?: true
  /** An error is the answer on stdout. */
  answersErrors?: true
  /** More than one line on stderr is allowed. */
  printsEvents?: true
  /** Exit codes of a run without faults; default 0. */
  code?: number
}

export interface PlannedRun {
  operation: Operation
  fault: Fault
}

/** Counts the operations of a run without faults. */
export async function planRuns(scene: Scene, command: SweptCommand): Promise<PlannedRun[]> {
  await command.prepare(scene)
  scene.keep()
  const outcome = await scene.hooked(command.program, command.args, {}, command.input, command.use)
  if (outcome.code !== (command.code ?? 0)) {
    throw new Error(`${command.name} exits with ${outcome.code} without a fault: ${outcome.stderr}`)
  }
  await command.checkKept(scene)
  if (command.isDone !== undefined && !(await command.isDone(scene))) {
    throw new Error(`${command.name} has no effect without a fault`)
  }
  normalOutput.set(command, outcome.stdout)
  const asProcess = runsOf(scene.logged<Operation>())
  if (runsInProcess(command)) return asProcess
  // The same command makes fewer operations here: it does not load itself.
  scene.restore()
  await scene.hookedHere(command.program as HereProgram, command.args, {}, command.input)
  const here = runsOf(scene.logged<Operation>())
  return [
    ...here.filter(({ fault }) => !isKill(fault)),
    ...asProcess.filter(({ fault }) => isKill(fault)),
  ]
}

function runsOf(operations: readonly Operation[]): PlannedRun[] {
  return operations.flatMap((operation) =>
    faultsFor(operation).map((fault) => ({ operation, fault })),
  )
}

/** Warnings, the label of a scripted model, and lines of the log of a service. */
const isNote = /^(?:Warning|Note): |^Answers come from .* \(scripted\)$|^zino\.\w+ [A-Z]+ /

type HereProgram = Exclude<ProgramName, 'zee'>

const isKill = ({ how }: Fault) => how.startsWith('kill')
const runsInProcess = ({ program, needsProcess }: SweptCommand) =>
  program === 'zee' || needsProcess === true

const normalOutput = new WeakMap<SweptCommand, string>()

/** Runs the command with one fault; returns what is wrong, or undefined. */
export async function judgeRun(
  scene: Scene,
  command: SweptCommand,
  { operation, fault }: PlannedRun,
): Promise<string | undefined> {
  scene.restore()
  const outcome = await runWith(scene, command, fault)
  // A run may take another path and not reach the operation.
  if (!existsSync(scene.log)) return undefined
  const [hit = operation] = scene.logged<Operation>()
  const where = `${command.program} ${command.name}: ${describeFault(fault, hit)}`
  try {
    const wrong =
      judgeOutcome(command, outcome, fault, hit) ??
      (await judgeState(scene, command, outcome, fault))
    return wrong === undefined ? undefined : `${where}: ${wrong}\n${describe(outcome)}`
  } catch (error) {
    return `${where}: ${error instanceof Error ? error.message : String(error)}\n${describe(outcome)}`
  }
}

export function runWith(scene: Scene, command: SweptCommand, fault: Fault): Promise<Outcome> {
  const { program, args, input, use } = command
  return runsInProcess(command) || isKill(fault)
    ? scene.hooked(program, args, { fault }, input, use)
    : scene.hookedHere(program as HereProgram, args, { fault }, input)
}

function judgeOutcome(
  command: SweptCommand,
  outcome: Outcome,
  fault: Fault,
  hit: Operation,
): string | undefined {
  if (outcome.isTimedOut) return 'it hangs'
  if (isKill(fault)) return undefined
  if (outcome.code === null) return `it ended by ${outcome.signal}`
  if (/^ {4}at .*:\d+/m.test(outcome.stderr)) return 'a stack trace on stderr'
  if (fault.how === 'delay' && outcome.code !== (command.code ?? 0))
    return 'it fails when a file operation is slow'
  if (outcome.code === (command.code ?? 0)) {
    if (command.isDone !== undefined || outcome.stderr !== '') return undefined
    return outcome.stdout.length >= (normalOutput.get(command)?.length ?? 0) * 0.9
      ? undefined
      : 'exit 0 without a word, but a part of the output is missing'
  }
  if (command.answersErrors === true && outcome.stdout.includes('"error"')) return undefined
  if (outcome.stderr.trim() === '') return 'it failed without a word'
  const errors = outcome.stderr
    .trim()
    .split('\n')
    .filter((line) => !isNote.test(line))
  if (hit.kind === 'folder' && fault.errno === 'ENOSPC' && !/disk is full/.test(outcome.stderr))
    return 'it does not say that the disk is full'
  if (errors.length > 1 && command.printsEvents !== true) return 'more than one line on stderr'
  return undefined
}

async function judgeState(
  scene: Scene,
  command: SweptCommand,
  outcome: Outcome,
  fault: Fault,
): Promise<string | undefined> {
  await command.checkKept(scene)
  if (command.isDone === undefined) return undefined
  const done = await command.isDone(scene)
  if (outcome.code === 0 && !done) return 'exit 0, but the effect is missing'
  // After a late error, "the disk reported an error" says that the effect is unknown.
  const isSaidUnknown =
    (command.answersErrors === true && outcome.stdout.includes('"error"')) ||
    /\bmay\b|restored \d+ file|was (?:written|stored|rotated|recorded)|[1-9]\d* runs were deleted/.test(
      outcome.stderr,
    ) ||
    fault.how === 'late-error'
  if (done && (outcome.code ?? 0) !== 0 && !isSaidUnknown) {
    return 'it failed and does not say that the effect may be there'
  }
  if (done || command.isRepeatable === false) return undefined
  const again = await repeat(scene, command)
  if (again.code !== 0) return `the next run fails: ${again.stderr.trim()}`
  if (!(await command.isDone(scene))) return 'the next run has no effect'
  await command.checkKept(scene)
  return undefined
}

function repeat(scene: Scene, { program, args, input, use }: SweptCommand): Promise<Ran> {
  return use === undefined
    ? scene.try(program, [...args], input)
    : scene.hooked(program, args, {}, input, use)
}

function describe({ code, signal, stderr }: Outcome): string {
  const lines = stderr.trim().split('\n').slice(0, 4)
  return lines.map((line) => `    exit ${code ?? signal}: ${line}`).join('\n')
}
