// Applies the permissions to a call: runs it, refuses it, or asks the user.
import type { Envelope } from '@zee/agent'
import { failure } from '@zee/agent'
import type { Permissions } from '@zee/agent/permissions'
import type { ToolCallPart } from '@zee/llm'
import type { Ask } from './question.ts'

/** The envelope of a refused call; undefined if the call may run. */
export async function refusalOf(
  permissions: Permissions,
  call: ToolCallPart & { isReadOnly?: boolean },
  ask: Ask | undefined,
  signal: AbortSignal,
): Promise<Envelope | undefined> {
  const verdict = permissions.judge(call, call.isReadOnly)
  if (verdict.kind === 'allow') return undefined
  if (verdict.kind === 'deny') {
    return failure('denied', `${call.name} is not allowed: ${verdict.reason}`)
  }
  const { rule } = verdict
  if (ask === undefined) return failure('denied', howToAllow(call.name, rule))
  const answer = await ask({ call, rule }, signal)
  if (answer === undefined || signal.aborted) {
    return failure('cancelled', 'Interrupted by the user')
  }
  if (answer === 'always') permissions.allowAlways(call)
  if (answer === 'yes' || answer === 'always') return undefined
  const reason = answer === 'no' ? '' : `: ${answer.reason}`
  return failure('denied', `The user did not allow ${call.name}${reason}`)
}

function howToAllow(tool: string, rule: string): string {
  return (
    `${tool} needs permission and there is no terminal to ask on. To allow it, the user can add ` +
    `${JSON.stringify(rule)} to [permissions] allow in config.toml, or set permission = "allow".`
  )
}
