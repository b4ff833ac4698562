// Answers one `execute` request: capabilities, approval, static analysis, execution.
import type { Logger } from '@zee/core/log'
import type { Tool } from '../../definitions/definitions.ts'
import { functionName } from '../../definitions/definitions.ts'
import {
  optionalBoolean,
  optionalInteger,
  optionalString,
  requestError,
  stringField,
} from '../../fields/fields.ts'
import type { Exchange } from '../../service/service.ts'
import { isTurnId } from '../../turns/turns.ts'
import type { Message } from '../../wire/wire.ts'
import type { Approvals, Decision } from './approvals.ts'
import type { ExecutionResult } from './execute.ts'
import { execute, failedResult, missingCommand } from './execute.ts'
import type { JournalledCall, JournalledScripts } from './journalled/journalled.ts'
import type { McpTools } from './mcp/mcp.ts'
import type { CallLimits, Limits } from './limits.ts'
import type { ScriptRuntime } from './run-script.ts'
import { validate } from './validate.ts'

export interface Executor {
  tools: ReadonlyMap<string, Tool>
  scripts: JournalledScripts
  limits: Limits
  approvals: Approvals
  mcp: McpTools
  log: Logger
}

export async function runCall(
  executor: Executor,
  message: Message,
  exchange: Exchange,
): Promise<object> {
  const { log, limits, scripts } = executor
  const name = stringField(message, 'executor')
  const code = stringField(message, 'code')
  const call = journalledCall(message)
  const callLimits = limits.read(message)
  const tool = executor.tools.get(name)
  const isServerTool = tool === undefined && executor.mcp.owns(name)
  if (tool === undefined && !isServerTool) return failedResult(`Unknown executor: ${name}`)
  // A call that has begun before a restart of exc keeps its result.
  const isNew = call === undefined || (isServerTool ? executor.mcp : scripts).isNew(call)
  const refusal = isNew ? limits.refused(callLimits, name, isServerTool) : undefined
  if (refusal !== undefined) return refused(log, refusal)
  log.debug(`${name} code: ${code}`)
  const decision =
    callLimits.approve && isNew ? await askUser(executor, message, exchange, callLimits) : undefined
  const permission = decision === undefined ? {} : { permission: decision }
  if (decision !== undefined && decision.decision !== 'approved') {
    return { ...refused(log, denial(decision)), ...permission }
  }
  // The time of the turn may have ended while the call waited.
  const late = isNew ? limits.refused(callLimits, name, isServerTool) : undefined
  if (late !== undefined) return { ...refused(log, late), ...permission }
  if (tool === undefined) {
    const seconds = limits.secondsFor(callLimits)
    const result = await executor.mcp.run(name, code, call, exchange.signal, seconds)
    log.info(`${name}: exit code ${result.exit_code}, ${result.stdout.length} characters`)
    return { ...result, ...permission }
  }
  const enforced = await limits.enforce(callLimits)
  if ('refusal' in enforced) return { ...refused(log, enforced.refusal), ...permission }
  const { runtime, explain, close } = enforced
  const { signal } = exchange
  try {
    if (isNew) {
      const { ok, errors } = await validate(runtime, tool, code, signal)
      if (!ok) log.warn(`static analysis of ${name} code: ${errors}`)
    }
    const result = explain(await executed(scripts, runtime, tool, code, call, signal))
    log.info(`${name}: exit code ${result.exit_code}, ${result.stdout.length} characters`)
    return { ...result, ...permission }
  } finally {
    close()
  }
}

async function executed(
  scripts: JournalledScripts,
  runtime: ScriptRuntime,
  tool: Tool,
  code: string,
  call: JournalledCall | undefined,
  signal: AbortSignal,
): Promise<ExecutionResult> {
  if (call === undefined) return execute(runtime, tool, code, signal)
  return missingCommand(tool, runtime) ?? scripts.run(tool, code, call, signal, runtime)
}

/** Clients that ask for events receive the call. */
function askUser(
  { approvals, log, mcp }: Executor,
  message: Message,
  exchange: Exchange,
  { skill }: CallLimits,
): Promise<Decision> {
  const executor = stringField(message, 'executor')
  const request = {
    turn: optionalString(message, 'turn'),
    call: optionalInteger(message, 'call'),
    tool: skill ?? (mcp.owns(executor) ? executor : functionName(executor)),
    executor,
    code: stringField(message, 'code'),
  }
  const tellsEvents = optionalBoolean(message, 'events') === true
  return approvals.wait(request, exchange.signal, async (waiting) => {
    log.info(`call ${waiting.id} waits for approval until ${waiting.expires}`)
    if (tellsEvents) await exchange.send({ type: 'approval', ...waiting })
  })
}

function denial({ decision }: Decision): string {
  return decision === 'denied'
    ? '[approve] the user has denied this call'
    : '[approve] the time for an approval is over: this call is denied'
}

function refused(log: Logger, reason: string): ExecutionResult {
  log.warn(`refused: ${reason}`)
  return failedResult(reason)
}

/** The turn and the number of the call; undefined for a request that belongs to no turn. */
function journalledCall(message: Message): JournalledCall | undefined {
  const turn = optionalString(message, 'turn')
  const call = optionalInteger(message, 'call')
  if (turn === undefined || call === undefined) return undefined
  if (!isTurnId(turn) || call < 0) throw requestError('turn is not the id of a turn')
  return { turn, call }
}
