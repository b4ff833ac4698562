// Runs the commands that the user hooks into a conversation. A hook reads JSON on standard input. Exit 0
// goes on, exit 2 blocks with stderr as the reason, anything else is reported as a warning.
import { cutToBytes } from '@zee/core/bounded'
import { oneLine } from '@zee/core/errors'
import { parseObject } from '@zee/core/json'
import type { ProcessResult } from '@zee/core/process'

export const hookEvents = ['before_tool', 'after_tool', 'turn_end', 'session_start'] as const

export type HookEvent = (typeof hookEvents)[number]

export interface HookContext {
  /** The working folder of the hook. */
  root: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  /** The time that a hook may take; default 60 s. */
  limitMs?: number | undefined
  /** Called for every started hook, so that an exit can kill it. */
  onCommand?: (command: { kill(signal: NodeJS.Signals): boolean }) => void
}

export interface HookOutcome {
  /** The reason of the hook that blocked. */
  blocked?: string
  /** Texts for the model. */
  context: string[]
  notices: string[]
}

export const defaultLimitMs = 60_000
const captureBytes = 1024 * 1024
const maxContextBytes = 64 * 1024
const maxReasonBytes = 8 * 1024

/** Runs the commands in order, until one blocks. */
export async function runHooks(
  commands: readonly string[],
  event: HookEvent,
  payload: Readonly<Record<string, unknown>>,
  context: HookContext,
): Promise<HookOutcome> {
  const outcome: HookOutcome = { context: [], notices: [] }
  const input = Buffer.from(`${JSON.stringify({ event, ...payload })}\n`)
  for (const command of commands) {
    if (context.signal.aborted) return outcome
    const result = await runHook(command, input, context)
    if (result.aborted) return outcome
    if (result.outcome === 'exited' && result.exitCode === 2) {
      const reason = cutToBytes(result.stderr.text().trim(), maxReasonBytes).text
      return { ...outcome, blocked: reason || `the ${event} hook gave no reason` }
    }
    if (result.outcome === 'exited' && result.exitCode === 0 && !result.timedOut) {
      const text = parseObject(result.stdout.text().trim())?.context
      if (typeof text === 'string' && text !== '') {
        outcome.context.push(cutToBytes(text, maxContextBytes).text)
      }
    } else outcome.notices.push(warningOf(event, command, result, context))
  }
  return outcome
}

async function runHook(
  command: string,
  input: Buffer,
  { root, env, signal, limitMs = defaultLimitMs, onCommand }: HookContext,
): Promise<ProcessResult> {
  const { runProcess } = await import('@zee/core/process')
  return runProcess({
    command: 'sh',
    args: ['-c', command],
    cwd: root,
    env,
    isMarked: true,
    stdin: input,
    captureBytes,
    signal,
    deadlineMs: limitMs,
    onStart: onCommand,
  })
}

function warningOf(
  event: HookEvent,
  command: string,
  result: ProcessResult,
  { limitMs = defaultLimitMs }: HookContext,
): string {
  const name = `${event} hook '${cutToBytes(oneLine(command), 80).text}'`
  if (result.timedOut) return `${name} was stopped after ${limitMs / 1000} s`
  const words = cutToBytes(oneLine(result.stderr.text()), 500).text
  const end =
    result.outcome === 'exited'
      ? `failed with exit ${result.exitCode}`
      : `failed: ${result.error ?? result.signal ?? result.outcome}`
  return words === '' ? `${name} ${end}` : `${name} ${end}: ${words}`
}
