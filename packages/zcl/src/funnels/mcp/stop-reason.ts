// Why a proxy stopped, with the trace event, the stderr line and the exit code of each reason.
import { timedOutExitCode } from '../attempt.ts'
import type { FunnelCall } from '../trace/trace.ts'
import type { ProxyLimits } from './limits.ts'

export type StopReason = 'timeout' | 'idle-timeout' | 'limit' | 'complete' | 'abandoned'

const refused = 2

/** The exit code for a reason; undefined when the server's own exit code applies. */
export function stopExitCode(reason: StopReason | undefined): number | undefined {
  switch (reason) {
    case 'timeout':
    case 'idle-timeout':
      return timedOutExitCode
    case 'limit':
      return refused
    case 'complete':
      return 0
    default:
      return undefined
  }
}

export function stopMessage(reason: StopReason): string | undefined {
  switch (reason) {
    case 'timeout':
      return 'ZCL_E_TIMEOUT: the deadline of the attempt ended the server'
    case 'idle-timeout':
      return 'ZCL_E_TIMEOUT: the idle timeout ended the server'
    case 'limit':
      return 'ZCL_E_MCP_MAX_TOOL_CALLS: the limit of tool calls ended the server'
    default:
      return undefined
  }
}

export function stopEvent(
  reason: StopReason,
  limits: ProxyLimits,
): (Pick<FunnelCall, 'op' | 'ok'> & Partial<FunnelCall>) | undefined {
  if (reason === 'complete' || reason === 'abandoned') return undefined
  if (reason === 'limit') {
    return {
      op: reason,
      ok: false,
      code: 'ZCL_E_MCP_MAX_TOOL_CALLS',
      enrichment: { maxToolCalls: limits.maxToolCalls },
      warnings: [{ code: 'ZCL_W_MCP_MAX_TOOL_CALLS', message: 'the limit of tool calls was hit' }],
    }
  }
  return {
    op: reason,
    ok: false,
    code: 'ZCL_E_TIMEOUT',
    ...(reason === 'timeout' ? {} : { enrichment: { idleTimeoutMs: limits.idleTimeoutMs } }),
    warnings: [{ code: 'ZCL_W_MCP_TIMEOUT', message: 'the server was ended before its client' }],
  }
}
