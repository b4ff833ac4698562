// `zdx` without a command: an interactive conversation. Answers go to stdout, everything else to stderr.
// Prompts come from an editor on a terminal, otherwise from the pipe, one per line.
import { projectRoot } from '@zee/agent/project'
import { terminalSafeText } from '@zee/core/colour'
import type { Call } from '@zee/core/command-line'
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { fitLines } from '@zee/core/fit-lines'
import type { Globals } from '../cli/cli.ts'
import { withErrorContext } from '../errors/errors.ts'
import type { Conversation, ConversationOptions } from '../conversation/conversation.ts'
import { renderTurn, openConversation, openWithRenderer } from '../conversation/conversation.ts'
import { askByLines } from '../guard/guard.ts'
import type { Interrupts } from '../interrupt/interrupt.ts'
import { listenForInterrupts } from '../interrupt/interrupt.ts'
import type { Renderer } from '../render/render.ts'
import { homeFolder } from '../settings/settings.ts'
import { openRenderer } from '../render/render.ts'
import type { Screen } from '../terminal/terminal.ts'
import { isScreen, openScreen } from '../terminal/terminal.ts'
import type { Chat, PromptCommands } from './commands.ts'
import { readChatLine } from './commands.ts'
import type { LineSource } from './lines.ts'
import { openPipedLines, promptText } from './lines.ts'
import { waysToBegin } from './ways-to-begin.ts'

export interface ChatCall extends Pick<Call, 'host'> {
  globals: Globals
}

export interface ChatStart {
  /** Continues this session instead of a new one. */
  sessionId?: string | undefined
  firstPrompt?: string | undefined
}

/** The options of a conversation with some globals changed; without an id it starts a new session. */
type ChooseOptions = (
  changed: Partial<Globals>,
  id: string | undefined,
  parent?: string,
) => ConversationOptions

export async function runChat(
  { host, globals }: ChatCall,
  { sessionId, firstPrompt }: ChatStart = {},
): Promise<number> {
  const interrupts = listenForInterrupts()
  const screen = openScreen(host)
  const renderer = await openRenderer(host, globals, screen)
  const spending = { usd: 0 }
  let lines: LineSource | undefined
  const ask = askByLines(async (text, signal) => {
    if (text !== '') screen?.print(text)
    return lines?.ask?.('allow> ', signal)
  })
  const choose: ChooseOptions = (changed, id, parent) => ({
    ...(hasEditor(host, screen) ? { ask } : {}),
    spending,
    host,
    globals: { ...globals, ...changed },
    interrupts,
    onRetry: renderer.retry,
    onToolOutput: renderer.toolOutput,
    sessionId: id,
    parent,
  })
  const conversation = await openWithRenderer(choose({}, sessionId), renderer)
  if (!globals.quiet) printGreeting(host, conversation)
  await renderer.open(conversation.info)
  const chat: Chat = {
    host,
    interrupts,
    conversation,
    lines: (lines = await openLines(host, conversation, interrupts, screen)),
    shellOutput: [],
    open: (changed, id, parent) => openConversation(choose(changed, id, parent)),
  }
  try {
    const what = sessionId === undefined ? 'interactive chat failed' : 'resume chat failed'
    return await withErrorContext(what, () => runLoop(chat, renderer, firstPrompt))
  } finally {
    chat.lines.close()
    await chat.conversation.close()
    interrupts.stop()
  }
}

function printGreeting(
  host: Host,
  { model, modelLabel, session, history, notes, context }: Conversation,
): void {
  const lines = ['ZDX Chat (type :q to quit)', `Model: ${oneLine(modelLabel)}`]
  if (session !== undefined) lines.push(`Session: ${session.id}`)
  if (history.length > 0) lines.push(`Loaded ${history.length} previous messages`)
  lines.push(...notes)
  if (context.paths.length > 0) {
    lines.push('Loaded AGENTS.md from:', ...context.paths.map((path) => `  - ${oneLine(path)}`))
  }
  lines.push(...waysToBegin(model))
  writeLines(host, lines)
}

/** Lines for people; a terminal gets them escaped and wrapped at spaces. */
function writeLines({ stderr }: Host, lines: readonly string[]): void {
  const safe = terminalSafeText(stderr)
  const shown = lines.flatMap((line) => safe(line).split('\n'))
  stderr.write(`${fitLines(shown, stderr).join('\n')}\n`)
}

/** Whether the chat has an editor, which needs a terminal. */
function hasEditor(host: Host, screen: Screen | undefined): boolean {
  return screen !== undefined && host.stdin.isTTY === true && isScreen(host.stderr, host.env)
}

async function openLines(
  host: Host,
  conversation: Conversation,
  interrupts: Interrupts,
  screen: Screen | undefined,
): Promise<LineSource> {
  if (screen === undefined || !hasEditor(host, screen)) return openPipedLines(host, interrupts)
  const { openTerminalInput } = await import('./open-terminal.ts')
  return openTerminalInput(host, conversation, interrupts, screen)
}

async function runLoop(
  chat: Chat,
  renderer: Renderer,
  firstPrompt: string | undefined,
): Promise<number> {
  const { host, interrupts } = chat
  if (firstPrompt !== undefined) {
    host.stderr.write(terminalSafeText(host.stderr)(`${promptText}${firstPrompt}\n`))
  }
  for (let first = firstPrompt; ; first = undefined) {
    const line = first ?? (await nextLine(chat))
    if (line === undefined) return closeRenderer(renderer, interrupts.exitCode() ?? 0)
    const input =
      first === undefined
        ? readChatLine(line, await promptCommands(chat, line))
        : ({ type: 'prompt', text: first } as const)
    if (input.type === 'quit') {
      host.stderr.write('Goodbye!\n')
      return closeRenderer(renderer, 0)
    }
    if (input.type === 'prompt') {
      const outcome = await runPrompt(chat, renderer, input.text)
      if (outcome.isStdoutClosed) return outcome.error === undefined ? 0 : 1
    } else if (input.type === 'unknown') {
      writeLines(host, [input.message])
    } else if (input.type !== 'empty') {
      const { runChatCommand } = await import('./run-command.ts')
      const prompt = await runChatCommand(chat, input)
      const outcome = prompt === undefined ? undefined : await runPrompt(chat, renderer, prompt)
      if (outcome?.isStdoutClosed) return outcome.error === undefined ? 0 : 1
    }
    const code = interrupts.exitCode()
    if (code !== undefined && code !== sigintExitCode) return closeRenderer(renderer, code)
    interrupts.reset()
  }
}

async function nextLine(chat: Chat): Promise<string | undefined> {
  const { unread } = chat
  chat.unread = undefined
  return unread ?? chat.lines.next()
}

/** The commands that the user or the project defines, if the line may name one. */
async function promptCommands({ host, conversation }: Chat, line: string): Promise<PromptCommands> {
  if (!/^\s*[:/]/.test(line)) return new Map()
  const { loadPromptCommands } = await import('../prompt-commands/prompt-commands.ts')
  return loadPromptCommands({
    base: conversation.settings.base,
    project: projectRoot(conversation.info.root),
    home: homeFolder(host.env),
  })
}

async function runPrompt(chat: Chat, renderer: Renderer, text: string) {
  const { host, conversation, interrupts, lines } = chat
  const { expandPrompt, promptOf } = await import('../prompt/prompt.ts')
  const prompt = await expandPrompt(text, conversation.info.root, chat.shellOutput.splice(0))
  for (const warning of prompt.warnings) writeLines(host, [`Warning: ${warning}`])
  lines.startTurn()
  const steer = async () => {
    const queued = lines.takeQueued().map((line) => expandPrompt(line, conversation.info.root))
    return (await Promise.all(queued)).map(promptOf)
  }
  const outcome = await renderTurn(conversation, promptOf(prompt), interrupts, renderer, steer)
  lines.endTurn(outcome.end)
  return outcome
}

async function closeRenderer(renderer: Renderer, code: number): Promise<number> {
  await renderer.close(code === 0 ? 'done' : 'interrupted', code)
  return code
}

const sigintExitCode = 130
