// The limits of an MCP proxy: flags first, then the environment. 0 allows none; a limit that is left out
// allows any number.
import { zclError } from '../../errors/errors.ts'

export interface ProxyFlags {
  maxToolCalls: number | undefined
  idleTimeoutMs: number | undefined
  shutdownOnComplete: boolean
  sequential: boolean
}

export interface ProxyLimits {
  /** Maximum number of tool calls; undefined for no limit. */
  maxToolCalls: number | undefined
  /** Maximum time without traffic in either direction; undefined for no limit. */
  idleTimeoutMs: number | undefined
  /** Stop the server once the client has ended and every request is answered. */
  shutdownOnComplete: boolean
  /** Forward a request only after the previous one is answered. */
  sequential: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

export function proxyLimits(flags: ProxyFlags, env: Environment): ProxyLimits {
  return {
    maxToolCalls: limit(flags.maxToolCalls, env, 'ZCL_MCP_MAX_TOOL_CALLS'),
    // A proxy without any idle time could not pass a message, so 0 turns this one off.
    idleTimeoutMs: limit(flags.idleTimeoutMs, env, 'ZCL_MCP_IDLE_TIMEOUT_MS') || undefined,
    shutdownOnComplete: flags.shutdownOnComplete || isOn(env, 'ZCL_MCP_SHUTDOWN_ON_COMPLETE'),
    sequential: flags.sequential,
  }
}

function limit(flag: number | undefined, env: Environment, name: string): number | undefined {
  return flag ?? wholeNumberIn(env, name)
}

function wholeNumberIn(env: Environment, name: string): number | undefined {
  const text = env[name]?.trim() ?? ''
  if (text === '') return undefined
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw zclError('ZCL_E_USAGE', `${name} must be a whole number`)
}

function isOn(env: Environment, name: string): boolean {
  const text = env[name]?.trim().toLowerCase() ?? ''
  return ['1', 'true', 'yes', 'on'].includes(text)
}
