// Runs the verifiers of a mission in the workspace, after the agent ended. The exit code and the JSON
// that a verifier prints decide; its output is stored as evidence.
import { oneLine } from '@zee/core/errors'
import { runProcess, shellExitCode, type ProcessResult } from '@zee/core/process'
import { redactionMargin, type Redactor } from '@zee/core/redact'
import { storedText } from '@zee/evidence/trace'
import type { Verification } from '@zee/evidence/suite'
import { printedVerdict, type PrintedVerdict } from './printed-verdict.ts'
import type { GradingRoom } from './room.ts'

export interface VerifyStep {
  /** Redacted. */
  command: string[]
  ok: boolean
  exitCode?: number
  timedOut?: true
  /** From the printed JSON. */
  score?: number
  message?: string
  /** The verifier itself could not be run: says nothing about the work. */
  isError?: true
  durationMs: number
  /** Redacted and cut. */
  stdout: string
  stderr: string
}

const defaultTimeoutMs = 600_000
const maxOutputBytes = 64 * 1024

/** Runs every verifier, also after one has rejected the work. */
export async function verifyWork(
  verifications: readonly Verification[],
  room: GradingRoom,
): Promise<VerifyStep[]> {
  const steps: VerifyStep[] = []
  for (const { command, timeoutMs } of verifications) {
    steps.push(await runVerifier(command, timeoutMs ?? defaultTimeoutMs, room))
  }
  return steps
}

/** Runs one command of the suite against the work. */
export async function runVerifier(
  command: string | readonly string[],
  timeoutMs: number,
  room: GradingRoom,
): Promise<VerifyStep> {
  const words = typeof command === 'string' ? ['sh', '-c', command] : [...command]
  const [program = '', ...args] = room.sandbox(words)
  const ran = await runProcess({
    command: program,
    args,
    cwd: room.workspace,
    env: room.env,
    isMarked: true,
    stdin: Buffer.from(`${JSON.stringify(room.subject)}\n`),
    captureBytes: maxOutputBytes + redactionMargin,
    tailBytes: maxOutputBytes,
    deadlineMs: timeoutMs,
    signal: room.signal,
  })
  const shown = room.redactor.value(words).value as string[]
  return { command: shown, ...verdictOf(ran, timeoutMs), ...outputOf(ran, room.redactor) }
}

type StepVerdict = Pick<
  VerifyStep,
  'ok' | 'exitCode' | 'timedOut' | 'score' | 'message' | 'isError'
>

function verdictOf(ran: ProcessResult, timeoutMs: number): StepVerdict {
  if (ran.timedOut) {
    const message = `the verifier did not end within ${timeoutMs} ms`
    return { ok: false, timedOut: true, message }
  }
  if (ran.outcome !== 'exited' && ran.outcome !== 'signalled') {
    const message = ran.error ?? 'the verifier could not be started'
    return { ok: false, isError: true, message: oneLine(message) }
  }
  const exitCode = shellExitCode(ran)
  const printed = printedVerdict(ran.stdout.text(() => '\n')) ?? {}
  const { ok: said, score } = printed
  // Both must agree: a verifier that crashes after it printed its verdict accepts nothing.
  const ok = exitCode === 0 && (said ?? (score === undefined || score >= 1))
  const message = ok ? undefined : oneLine(rejectionReason(printed, exitCode)).slice(0, 300)
  return {
    ok,
    exitCode,
    score,
    message,
  }
}

function rejectionReason({ message, score }: PrintedVerdict, exitCode: number): string {
  if (message !== undefined) return message
  if (exitCode !== 0) return `exit code ${exitCode}`
  return score === undefined ? 'it printed "ok": false' : `score ${score}`
}

function outputOf(ran: ProcessResult, redactor: Redactor) {
  const stored = ({ bytes, capture }: ProcessResult['stdout']): string =>
    storedText({ bytes, head: capture }, maxOutputBytes, redactor).text
  return {
    durationMs: Math.round(ran.durationMs),
    stdout: stored(ran.stdout),
    stderr: stored(ran.stderr),
  }
}
