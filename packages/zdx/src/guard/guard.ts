// Guards the tool calls of a conversation: permissions first, then the user's hooks. Without a rule, a
// stricter mode or a hook, nothing is loaded and calls run unguarded.
import type { CallGuard, Envelope, Turn } from '@zee/agent'
import type { PermissionMode, Permissions } from '@zee/agent/permissions'
import type { Host } from '@zee/core/exit'
import type { ZdxConfig } from '../settings/settings.ts'
import type { Screen } from '../terminal/terminal.ts'
import type { ConversationHooks, HookPlace } from './hooks.ts'
import type { ReadAnswer } from './ask-line.ts'
import { refusalOf } from './permit.ts'
import type { Ask } from './question.ts'

export type { Answer, Ask, Question } from './question.ts'
export type { ReadAnswer } from './ask-line.ts'

export interface GuardOptions extends HookPlace {
  values: ZdxConfig
  home: string | undefined
  /** Undefined if the user cannot be asked. */
  ask: Ask | undefined
  /** A mode that replaces the configured one and may change during the conversation. */
  mode?: { current: PermissionMode } | undefined
}

export interface Guard {
  turn: Pick<Turn, 'guard' | 'onEnd'>
  hooks: ConversationHooks | undefined
}

/** Asks by lines of text; the code for it is loaded with the first question. */
export function askByLines(readAnswer: ReadAnswer): Ask {
  return async (question, signal) =>
    (await import('./ask-line.ts')).lineAsk(readAnswer)(question, signal)
}

/** Asks on the terminal of a command without a line editor; the screen draws nothing meanwhile. */
export function askOnTerminal(host: Host, screen: Screen | undefined): Ask {
  return askByLines(async (text, signal) => {
    const { terminalAnswers } = await import('./terminal.ts')
    screen?.pause()
    try {
      return await terminalAnswers(host)(text, signal)
    } finally {
      screen?.resume()
    }
  })
}

export async function openGuard(options: GuardOptions): Promise<Guard> {
  const hooks = await openHooks(options)
  const permissions = await openPermissions(options)
  if (hooks === undefined && permissions === undefined) return { turn: {}, hooks }
  const guard: CallGuard = {
    before: async (call, signal) => {
      if (permissions && options.mode !== undefined) permissions.mode = options.mode.current
      const refused = permissions && (await refusalOf(permissions, call, options.ask, signal))
      if (refused !== undefined) return { refused, notices: [] }
      return hooks === undefined ? { notices: [] } : hooks.before(call, signal)
    },
    after: async (call, result: Envelope, signal) =>
      hooks === undefined ? { result, notices: [] } : hooks.after(call, result, signal),
  }
  return {
    turn: { guard, ...(hooks === undefined ? {} : { onEnd: hooks.turnEnd }) },
    hooks,
  }
}

async function openHooks(options: GuardOptions): Promise<ConversationHooks | undefined> {
  const { hooks = [] } = options.values
  if (hooks.length === 0) return undefined
  return (await import('./hooks.ts')).conversationHooks(hooks, options)
}

async function openPermissions(options: GuardOptions): Promise<Permissions | undefined> {
  const { values, root, home } = options
  const mode = options.mode?.current ?? values.permission
  const { allow = [], deny = [] } = values.permissions ?? {}
  if (mode === 'allow' && deny.length === 0 && options.mode === undefined) return undefined
  const { Permissions } = await import('@zee/agent/permissions')
  return new Permissions({ mode, allow, deny, root, home })
}
