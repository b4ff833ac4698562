// Opens a conversation from flags and settings: model, tools, session history, system prompt, evidence.
import type { SessionWriter, Turn } from '@zee/agent'
import {
  checkSessionId,
  latestSession,
  loadMessages,
  loadProjectContext,
  openSession,
} from '@zee/agent'
import type { Host } from '@zee/core/exit'
import { newUuid } from '@zee/core/ids'
import type { Message } from '@zee/llm'
import { withErrorContext } from '../errors/errors.ts'
import { openEvidence } from '../evidence/evidence.ts'
import { interruptible } from '../interrupt/interrupt.ts'
import type { ChosenModel } from '../models/models.ts'
import { chooseModel, costOf, openModel } from '../models/models.ts'
import { keyVariables } from '../providers/providers.ts'
import type { Settings } from '../settings/settings.ts'
import {
  homeFolder,
  loadSettings,
  sessionsFolder,
  systemPrompt,
  undoFolder,
  workingFolder,
} from '../settings/settings.ts'
import type { Conversation, ConversationOptions } from './conversation.ts'
import { openTools } from './tools.ts'

export async function openConversation(options: ConversationOptions): Promise<Conversation> {
  const { host, globals, interrupts } = options
  const settings = await loadSettings(host, globals)
  const system = systemPrompt(settings, host, globals)
  const root = workingFolder(host, globals)
  const context = loadProjectContext({ base: settings.base, home: homeFolder(host.env), root })
  const env = withoutProviderKeys(host.env, settings)
  const servers = options.servers ?? []
  const tools = await openTools(settings, { root, commandEnv: env, fullEnv: host.env }, servers)
  const chosen = await interruptible(interrupts, () =>
    chooseModel(settings, host, globals, interrupts.signal),
  )
  const model = openModel(chosen, host, { joinText: true, onRetry: options.onRetry })
  const { session, history } = await openHistory(options, settings)
  const instructions = [system, context.text].filter((text) => text !== undefined).join('\n\n')
  const request = baseRequest(settings, chosen, instructions)
  const limits = toolLimits(settings, host, session)
  const toolContext = {
    ...limits,
    env,
    root,
    onCommand: interrupts.trackCommand,
    onOutput: options.onToolOutput,
  }
  const { provider } = model
  const evidence = await openEvidence(host)
  return {
    settings,
    model,
    modelLabel: formatModelLabel(chosen),
    info: { session: session?.id, provider, model: chosen.model, root },
    session,
    history,
    context,
    notes: [
      ...(chosen.note === undefined ? [] : [chosen.note]),
      ...[...settings.warnings, ...context.warnings, ...evidence.warnings].map(
        (warning) => `Warning: ${warning}`,
      ),
    ],
    turn: (prompt, signal) => ({
      model,
      request,
      ...tools.offered,
      ...evidence.turn,
      toolContext,
      history,
      prompt,
      session,
      signal,
      clock: host.clock,
      cost: async (usage) => costOf(settings.base, provider, chosen.model, usage),
    }),
    close: async () => {
      model.close()
      await tools.close()
      session?.close()
    },
  }
}

function baseRequest(
  { values }: Settings,
  chosen: ChosenModel,
  instructions: string,
): Turn['request'] {
  const { temperature, thinking } = values
  return {
    model: chosen.model,
    maxTokens: values.max_tokens,
    stream: values.stream,
    cache: true,
    system: instructions === '' ? undefined : instructions,
    temperature,
    thinking,
  }
}

/** Node's timers overflow after 2^31 ms, about 24 days; a longer timeout means no limit. */
const maxTimeoutSecs = 2_000_000

function toolLimits(settings: Settings, host: Host, session: SessionWriter | undefined) {
  const seconds = settings.values.tool_timeout_secs
  const timeoutMs = seconds === 0 || seconds > maxTimeoutSecs ? undefined : seconds * 1000
  if (session === undefined) return { timeoutMs }
  const folder = undoFolder(settings.base, session.id)
  const beforeChange: Turn['toolContext']['beforeChange'] = async (change) =>
    (await import('@zee/agent/undo')).logChange(folder, change, host.clock, session)
  return { timeoutMs, beforeChange }
}

async function openHistory(
  { host, globals, sessionId }: ConversationOptions,
  settings: Settings,
): Promise<{ session: SessionWriter | undefined; history: Message[] }> {
  const folder = sessionsFolder(settings.base)
  const named =
    sessionId ?? globals.session ?? (globals.continue ? latestSession(folder) : undefined)
  if (named !== undefined) checkSessionId(named)
  const history =
    named === undefined
      ? []
      : await withErrorContext(`load history for '${named}'`, () => loadMessages(folder, named))
  if (globals.noSave) return { session: undefined, history }
  const id = named ?? newUuid()
  return {
    session: await withErrorContext(`open session '${id}'`, () =>
      openSession(folder, id, host.clock),
    ),
    history,
  }
}

function formatModelLabel({ row, model }: ChosenModel): string {
  if (row.wire === 'script') return `${model} (scripted)`
  return row.name === 'anthropic' ? model : `${row.name}:${model}`
}

/** The environment for commands of the model: it must not see provider keys. */
function withoutProviderKeys(
  env: Host['env'],
  settings: Settings,
): Record<string, string | undefined> {
  const keys = keyVariables(settings.values)
  return Object.fromEntries(Object.entries(env).filter(([name]) => !keys.has(name)))
}
