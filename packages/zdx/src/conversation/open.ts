// Opens a conversation from flags and settings: model, tools, session history, system prompt, evidence.
import type { LoadedHistory, SessionWriter, Turn } from '@zee/agent'
import { checkSessionId, loadHistory, loadProjectContext, openSession } from '@zee/agent'
import { loadSkills } from '@zee/agent/skills'
import type { Host } from '@zee/core/exit'
import { newUuid } from '@zee/core/ids'
import { acceptsImages, modelFacts } from '@zee/llm/facts'
import { withErrorContext } from '../errors/errors.ts'
import { openEvidence } from '../evidence/evidence.ts'
import { openGuard } from '../guard/guard.ts'
import { interruptible } from '../interrupt/interrupt.ts'
import type { ChosenModel } from '../models/models.ts'
import { chooseModel, costOf, openModel } from '../models/models.ts'
import { newestSession, sessionNamed, sessionScope } from '../project/project.ts'
import { keyVariables } from '../providers/providers.ts'
import type { Settings } from '../settings/settings.ts'
import {
  homeFolder,
  loadSettings,
  sessionsFolder,
  systemPrompt,
  undoFolder,
} from '../settings/settings.ts'
import { openBudget } from './budget.ts'
import type { Conversation, ConversationOptions } from './conversation.ts'
import { openContextWindow } from './context-window.ts'
import { defaultPrompt } from './default-prompt.ts'
import { instructionParts } from './instructions.ts'
import { trackPrefixes } from './prefix.ts'
import { conversationSecrets, eraseOwnKeys, hideText } from './secrets.ts'
import { lazyShellUndo } from './shell-undo.ts'
import { openTools } from './tools.ts'

export async function openConversation(options: ConversationOptions): Promise<Conversation> {
  const { host, globals, interrupts } = options
  const settings = await loadSettings(host, globals)
  const { base } = settings
  const home = homeFolder(host.env)
  const { root, project } = settings.workplace
  const system = systemPrompt(settings, host, globals) ?? defaultPrompt(root, host.clock.now())
  const context = loadProjectContext({ base, home, workplace: settings.workplace })
  const skills = loadSkills({ project, home, base })
  const env = withoutProviderKeys(host.env, settings)
  const servers = options.servers ?? []
  const tools = await openTools(settings, { root, commandEnv: env, fullEnv: host.env }, servers)
  const chosen = await interruptible(interrupts, () =>
    chooseModel(settings, host, globals, interrupts.signal),
  )
  const model = openModel(chosen, host, { joinText: true, onRetry: options.onRetry })
  const opened = await openHistory(options, settings)
  const { session, messages: history, resolved } = opened
  const secrets = conversationSecrets(host, settings, history)
  const limits = toolLimits(settings, host, session)
  const shellUndo = session && lazyShellUndo({ settings, root, env, host, session })
  const toolContext = {
    ...limits,
    ...(shellUndo && { beforeCommand: shellUndo.beforeCommand }),
    env,
    root,
    onCommand: interrupts.trackCommand,
    onOutput: options.onToolOutput,
  }
  const { provider } = model
  const guard = await openGuard({
    values: settings.values,
    root,
    home,
    env,
    session: session?.id,
    onCommand: interrupts.trackCommand,
    ask: options.ask,
    mode: options.permissionMode,
  })
  const started = await guard.hooks?.sessionStart(
    { provider, model: chosen.model, resumed: history.length > 0 },
    interrupts.signal,
  )
  const parts = instructionParts({
    system,
    guidance: context.text && (await hideText(secrets, context.text)),
    skills: skills.text,
    hooks: await Promise.all((started?.context ?? []).map((text) => hideText(secrets, text))),
  })
  const instructions = parts.map(({ text }) => text).join('\n\n')
  const request = baseRequest(settings, chosen, instructions)
  const contextWindow = openContextWindow(provider, chosen.model, base, opened)
  const tracked = session && trackPrefixes(session, parts)
  const evidence = await openEvidence(host)
  const budget = openBudget(
    settings.values.max_usd,
    options.spending ?? { usd: 0 },
    (usage) => costOf(base, provider, chosen.model, usage),
    chosen.model,
  )
  return {
    settings,
    model,
    modelLabel: formatModelLabel(chosen),
    info: {
      session: session?.id,
      provider,
      model: chosen.model,
      root,
      contextWindow: modelFacts(provider, chosen.model)?.contextWindow,
    },
    session,
    history,
    context,
    notes: [
      ...(chosen.note === undefined ? [] : [chosen.note]),
      ...(resolved === undefined ? [] : [resolved]),
      ...[
        ...settings.warnings,
        ...context.warnings,
        ...skills.warnings,
        ...evidence.warnings,
        ...budget.warnings,
        ...(started?.notices ?? []),
      ].map((warning) => `Warning: ${warning}`),
    ],
    servers: tools.servers,
    turn: (prompt, signal) => ({
      model,
      request,
      ...tools.offered,
      ...evidence.turn,
      ...guard.turn,
      toolContext,
      history,
      prompt: withContext(prompt, guard.hooks?.takeContext() ?? []),
      session: tracked?.session,
      secrets,
      beforeTools: () => eraseOwnKeys(host, settings),
      shellUndo,
      signal,
      clock: host.clock,
      answerTimeoutMs: toMilliseconds(settings.values.answer_timeout_secs),
      acceptsImages: acceptsImages(provider, chosen.model),
      context: contextWindow,
      cost: budget.cost,
      beforeRequest: async (request) => {
        budget.check(request)
        tracked?.beforeRequest(request)
      },
    }),
    close: async () => {
      model.close()
      await tools.close()
      session?.close()
    },
  }
}

/** The prompt followed by what hooks want to tell the model. */
function withContext(prompt: Turn['prompt'], texts: readonly string[]): Turn['prompt'] {
  if (typeof prompt === 'string') return [prompt, ...texts].join('\n\n')
  return [...prompt, ...texts.map((text) => ({ type: 'text', text }) as const)]
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

/** Undefined for no limit. */
function toMilliseconds(seconds: number): number | undefined {
  return seconds === 0 || seconds > maxTimeoutSecs ? undefined : seconds * 1000
}

function toolLimits(settings: Settings, host: Host, session: SessionWriter | undefined) {
  const timeoutMs = toMilliseconds(settings.values.tool_timeout_secs)
  if (session === undefined) return { timeoutMs }
  const folder = undoFolder(settings.base, session.id)
  const beforeChange: Turn['toolContext']['beforeChange'] = async (change) =>
    (await import('@zee/agent/undo')).logChange(folder, change, host.clock, session)
  return { timeoutMs, beforeChange }
}

interface OpenedHistory extends LoadedHistory {
  session: SessionWriter | undefined
  /** The session of the history; undefined if it has none. */
  id: string | undefined
  /** For the user, when `--session` is the prefix of a longer id. */
  resolved?: string
}

async function openHistory(
  options: ConversationOptions,
  settings: Settings,
): Promise<OpenedHistory> {
  const { host, globals } = options
  const folder = sessionsFolder(settings.base)
  const named = options.sessionId ?? (await chosenSession(options, folder))
  if (named !== undefined) checkSessionId(named)
  const history =
    named === undefined
      ? { messages: [], usage: undefined }
      : await withErrorContext(`load history for '${named}'`, () => loadHistory(folder, named))
  const isPrefix = options.sessionId === undefined && globals.session !== undefined
  const resolved =
    isPrefix && named !== globals.session
      ? { resolved: `Session '${globals.session}' is ${named}` }
      : {}
  if (globals.noSave) return { ...history, session: undefined, id: named, ...resolved }
  const id = named ?? newUuid()
  const { root: cwd, project } = settings.workplace
  const meta = { root: project, ...(cwd === project ? {} : { cwd }), parent: options.parent }
  const session = await withErrorContext(`open session '${id}'`, () =>
    openSession(folder, id, host.clock, meta, named === undefined),
  )
  return { ...history, session, id, ...resolved }
}

/** The session of `--session` or `--continue`; undefined for a new one. */
async function chosenSession(
  { host, globals }: ConversationOptions,
  folder: string,
): Promise<string | undefined> {
  const { session } = globals
  return withErrorContext('resolve session', () => {
    if (session !== undefined) return sessionNamed(folder, session) ?? session
    return globals.continue ? newestSession(sessionScope(host, globals)) : undefined
  })
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
  const rest = { ...env }
  for (const name of keyVariables(settings.values)) if (name !== undefined) delete rest[name]
  return rest
}
