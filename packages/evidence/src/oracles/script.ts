// An oracle that is a program. It reads the result and the path of the oracle from stdin and prints
// one JSON object: `{"ok": true|false, "mismatches"?: [...]}`.
import { oneLine } from '@zee/core/errors'
import { runProcess } from '@zee/core/process'
import type { MismatchClass } from './rules.ts'
import type { OracleMismatch, OraclePolicy, OracleVerdict } from './oracles.ts'
import { isObject } from '@zee/core/json'

export interface ScriptRequest {
  command: readonly string[]
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  timeoutMs: number
  /** Written to stdin as JSON. */
  subject: Record<string, unknown>
}

const maxOutputBytes = 256 * 1024
const classes: readonly MismatchClass[] = ['format', 'type', 'semantic']

/** Runs the script and returns its verdict, or the reason why there is none. */
export async function runOracleScript(
  request: ScriptRequest,
  policy: OraclePolicy,
): Promise<OracleVerdict | { error: string }> {
  const [command = '', ...args] = request.command
  const ran = await runProcess({
    command,
    args,
    cwd: request.cwd,
    env: { ...request.env },
    isMarked: true,
    stdin: Buffer.from(`${JSON.stringify(request.subject)}\n`),
    captureBytes: maxOutputBytes,
    deadlineMs: request.timeoutMs,
  })
  if (ran.timedOut) return { error: `${command} did not answer in time` }
  if (ran.outcome !== 'exited') return { error: ran.error ?? `${command} was ended` }
  if (ran.exitCode !== 0) {
    const stderr = oneLine(ran.stderr.text()).slice(0, 200)
    return { error: `${command} ended with ${ran.exitCode}${stderr === '' ? '' : `: ${stderr}`}` }
  }
  let answer: unknown
  try {
    answer = JSON.parse(ran.stdout.text())
  } catch {
    return { error: `${command} did not answer with JSON` }
  }
  if (!isObject(answer) || typeof answer.ok !== 'boolean') {
    return { error: `${command} did not say "ok"` }
  }
  return verdictOf(answer.ok, mismatchesIn(answer), policy)
}

function verdictOf(ok: boolean, all: OracleMismatch[], policy: OraclePolicy): OracleVerdict {
  if (ok) return { ok, mismatches: [], warnings: [] }
  const isOnlyFormat = all.length > 0 && all.every((each) => each.class === 'format')
  if (!isOnlyFormat || policy.formatMismatch === 'fail')
    return { ok, mismatches: all, warnings: [] }
  return { ok: true, mismatches: [], warnings: policy.formatMismatch === 'warn' ? all : [] }
}

function mismatchesIn({ mismatches, message }: Record<string, unknown>): OracleMismatch[] {
  const listed = Array.isArray(mismatches) ? mismatches.filter(isObject) : []
  if (listed.length === 0) {
    const reason = typeof message === 'string' ? oneLine(message).slice(0, 300) : 'it said no'
    return [{ field: '', op: 'script', class: 'semantic', message: reason }]
  }
  return listed.slice(0, 100).map((each) => ({
    field: String(each.field ?? ''),
    op: String(each.op ?? 'script'),
    class: classes.find((name) => name === each.class) ?? 'semantic',
    message: oneLine(String(each.message ?? '')).slice(0, 300),
  }))
}
