// The table of built-in tools, and `runTool`, which checks the input, limits the time and turns every
// failure into an envelope.
import { isObject } from '@zee/core/json'
import { reasonOf } from '@zee/core/errors'
import type { Envelope } from '../envelope/envelope.ts'
import { failure } from '../envelope/envelope.ts'
import { bash } from './bash.ts'
import { edit } from './edit.ts'
import { read } from './read.ts'
import { search } from './search.ts'
import type { BuiltInTool, Tool, ToolContext } from './tool.ts'
import { checkInput, invalidInput, isEnvelope } from './tool.ts'
import { write } from './write.ts'
export { imageType, maxImageBytes } from './image.ts'
export { createWindowReader, requestedWindow, windowFields } from './line-window.ts'
export type { ToolInput } from './tool.ts'
export type {
  BeforeChange,
  BuiltInTool,
  ChangeDecision,
  EditorFiles,
  FileChange,
  ExternalTool,
  Tool,
  ToolContext,
} from './tool.ts'

/** In alphabetical order, so that requests share a cacheable prefix. */
export const defaultTools: readonly BuiltInTool[] = [bash, edit, read, write]

/** All built-in tools; those not in `defaultTools` are offered only if configured. */
const allTools: readonly BuiltInTool[] = [bash, edit, read, search, write]

/** Includes tools of a conversation: `jobs` and `web_fetch`. */
export const toolNames: readonly string[] = [
  ...allTools.map(({ name }) => name),
  'jobs',
  'web_fetch',
].sort()

/** The tools with these names, in alphabetical order; unknown names are ignored. */
export function toolsNamed(names: readonly string[]): BuiltInTool[] {
  return allTools.filter(({ name }) => names.includes(name))
}

/** Additional time for `bash`, which enforces the limit itself and reports the output so far. */
const graceMs = 2000

/** Runs the tool with this name; never throws. */
export async function runTool(
  tools: readonly Tool[],
  name: string,
  input: unknown,
  context: ToolContext,
): Promise<Envelope> {
  const tool = tools.find((each) => each.name === name)
  if (tool === undefined) return failure('unknown_tool', `Unknown tool: ${name}`)
  const limit = startTimeLimit(tool, context)
  try {
    return await checkAndRun(tool, input, { ...context, signal: limit.signal })
  } catch (error) {
    if (context.signal.aborted) return failure('cancelled', 'Interrupted by the user')
    if (limit.signal.aborted) return timeoutFailure(context)
    return failure('internal', `The ${name} tool failed: ${reasonOf(error)}`)
  } finally {
    limit.clear()
  }
}

async function checkAndRun(tool: Tool, input: unknown, context: ToolContext): Promise<Envelope> {
  if (tool.external === true) {
    return isObject(input) ? tool.run(input, context) : invalidInput(tool, 'expected an object')
  }
  const checked = checkInput(tool, input)
  return isEnvelope(checked) ? checked : tool.run(checked, context)
}

/** A signal that fires at the time limit and on an abort of the context. */
function startTimeLimit(
  tool: Tool,
  context: ToolContext,
): { signal: AbortSignal; clear: () => void } {
  if (context.timeoutMs === undefined) return { signal: context.signal, clear: () => {} }
  const controller = new AbortController()
  const follow = () => controller.abort(context.signal.reason)
  if (context.signal.aborted) follow()
  context.signal.addEventListener('abort', follow)
  const wait = tool === bash ? context.timeoutMs + graceMs : context.timeoutMs
  const timer = setTimeout(() => controller.abort(), wait)
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer)
      context.signal.removeEventListener('abort', follow)
    },
  }
}

function timeoutFailure(context: ToolContext): Envelope {
  const seconds = (context.timeoutMs ?? 0) / 1000
  return failure('timeout', `Tool execution timed out after ${seconds} seconds`)
}
