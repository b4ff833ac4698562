// Everything one conversation needs, put together from flags and settings: the model, the session,
// the instructions, the folder the tools work in.
import type { ProjectContext, SessionWriter, Turn } from '@zee/agent'
import {
  checkSessionId,
  defaultTools,
  latestSession,
  loadMessages,
  loadProjectContext,
  openSession,
} from '@zee/agent'
import type { Host } from '@zee/core/exit'
import { newUuid } from '@zee/core/ids'
import type { Message, Model, RetryWait } from '@zee/llm'
import { createModel, providers } from '@zee/llm'
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { homeFolder, sessionsFolder } from './base-folder.ts'
import type { Globals } from './commands.ts'
import type { ZdxConfig } from './config.ts'
import { during } from './context.ts'
import type { Settings } from './settings.ts'
import { loadSettings, systemPrompt } from './settings.ts'

export interface Conversation {
  settings: Settings
  model: Model
  /** For people; a screenplay is always called one. */
  modelLabel: string
  session: SessionWriter | undefined
  history: Message[]
  context: ProjectContext
  turn(prompt: string, signal: AbortSignal): Turn
}

export interface ConversationChoice {
  host: Host
  globals: Globals
  /** A session that was named outside the global options. */
  sessionId?: string
  onRetry?: (wait: RetryWait) => void
}

export async function openConversation(choice: ConversationChoice): Promise<Conversation> {
  const { host, globals } = choice
  const settings = await loadSettings(host, globals)
  const { values } = settings.config
  const system = systemPrompt(settings, host, globals)
  const root = canonicalRoot(host, globals)
  const context = loadProjectContext({ base: settings.base, home: homeFolder(host.env), root })
  const provider = values.provider ?? 'anthropic'
  const baseUrl = configuredBaseUrl(values, provider)
  const model = createModel({
    provider,
    environment: host.env,
    clock: host.clock,
    joinText: true,
    userAgent: 'zdx',
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(choice.onRetry === undefined ? {} : { onRetry: choice.onRetry }),
  })
  const { session, history } = await openHistory(choice, settings)
  const instructions = [system, context.text].filter((text) => text !== undefined).join('\n\n')
  const request: Turn['request'] = {
    model: values.model,
    maxTokens: values.max_tokens,
    stream: values.stream,
    ...(instructions === '' ? {} : { system: instructions }),
    ...(values.temperature === undefined ? {} : { temperature: values.temperature }),
  }
  const seconds = values.tool_timeout_secs
  const at = {
    root,
    timeoutMs: seconds === 0 ? undefined : seconds * 1000,
    env: withoutKeys(host.env),
  }
  return {
    settings,
    model,
    modelLabel: provider === 'script' ? `${values.model} (scripted)` : values.model,
    session,
    history,
    context,
    turn: (prompt, signal) => ({
      model,
      request,
      tools: defaultTools,
      at,
      history,
      prompt,
      session,
      signal,
    }),
  }
}

async function openHistory(
  { host, globals, sessionId }: ConversationChoice,
  settings: Settings,
): Promise<{ session: SessionWriter | undefined; history: Message[] }> {
  const folder = sessionsFolder(settings.base)
  const named =
    sessionId ?? globals.session ?? (globals.continue ? latestSession(folder) : undefined)
  if (named !== undefined) checkSessionId(named)
  const history =
    named === undefined
      ? []
      : await during(`load history for '${named}'`, () => loadMessages(folder, named))
  if (globals.noSave) return { session: undefined, history }
  const id = named ?? newUuid()
  return {
    session: await during(`open session '${id}'`, () => openSession(folder, id, host.clock)),
    history,
  }
}

/** Tools work in the canonical folder; one that is not there is reported by the tools themselves. */
function canonicalRoot(host: Host, globals: Globals): string {
  const asked = path.resolve(host.cwd, globals.root)
  try {
    return realpathSync(asked)
  } catch {
    return asked
  }
}

function configuredBaseUrl(values: ZdxConfig, provider: string): string | undefined {
  const key = `${provider.replace(/-responses$/, '')}_base_url`
  const value = Object.entries(values).find(([name]) => name === key)?.[1]
  return typeof value === 'string' ? value : undefined
}

/** A command that the model runs has no use for the keys with which the model is paid. */
function withoutKeys(env: Host['env']): Record<string, string | undefined> {
  const keys = new Set(providers.map((row) => row.keyVariable))
  return Object.fromEntries(Object.entries(env).filter(([name]) => !keys.has(name)))
}
