// sys: builds the system prompt at start, caches it for `get`, and rebuilds it on `reload` and
// `set_soft_memory`.
import { setTimeout as pause } from 'node:timers/promises'
import { readBoundedFile } from '@zee/core/bounded-file'
import { errnoOf, reasonOf } from '@zee/core/errors'
import { askService } from '../../client/client.ts'
import { loadSkills, loadTools } from '../../definitions/definitions.ts'
import { stringField } from '../../fields/fields.ts'
import type { Service, ServiceContext } from '../../service/service.ts'
import { handlersOf } from '../../service/service.ts'
import type { PromptParts } from './render.ts'
import { renderPrompt } from './render.ts'
import { ServerToolList } from './server-tool-list.ts'

/** Retry pauses: mem may come up later than sys. */
const softMemoryPausesMs = [0, 100, 300, 1000, 3000]

export function startPrompt(context: ServiceContext): Service {
  const { config, log } = context
  const parts = partsOf(context)
  let content = ''
  const render = () => {
    content = renderPrompt(readTemplate(context), parts)
    log.info(`system prompt of ${content.length} characters`)
    return { type: 'system_prompt', content }
  }
  const closed = new AbortController()
  const serverTools = new ServerToolList(context, closed.signal, (tools) => {
    parts.serverTools = tools
    render()
  })
  const reload = async () => {
    Object.assign(parts, loadDefinitions(context))
    await serverTools.refresh()
    return render()
  }
  let isSoftMemorySet = config.sys.soft_memory !== ''
  render()
  serverTools.start()
  if (!isSoftMemorySet) {
    void storedSoftMemory(context, closed.signal).then((text) => {
      if (isSoftMemorySet || text === undefined || text === '') return
      parts.softMemory = text
      render()
    })
  }
  const handlers = handlersOf({
    get: () => {
      serverTools.retry()
      return { type: 'system_prompt', content }
    },
    reload,
    set_soft_memory: (message) => {
      parts.softMemory = stringField(message, 'content')
      isSoftMemorySet = true
      return render()
    },
  })
  return { handlers, reload: async () => void (await reload()), close: () => closed.abort() }
}

/** The system prompt of a sys that has just started, without tools of MCP servers. */
export function promptFromFiles(context: Surroundings, storedSoftMemory: string): string {
  return renderPrompt(readTemplate(context), {
    ...partsOf(context),
    softMemory: context.config.sys.soft_memory || storedSoftMemory,
  })
}

type Surroundings = Pick<ServiceContext, 'config' | 'log'>

function partsOf(context: Surroundings): PromptParts {
  const { config } = context
  return {
    personality: config.sys.personality,
    maxIterations: config.agent.max_iterations ?? config.agr.max_iterations,
    softMemory: config.sys.soft_memory,
    serverTools: [],
    ...loadDefinitions(context),
  }
}

function loadDefinitions({ config, log }: Surroundings): Pick<PromptParts, 'tools' | 'skills'> {
  return { tools: loadTools(config.tools.dir, log), skills: loadSkills(config.skills.dir, log) }
}

function readTemplate({ config, log }: Surroundings): string {
  try {
    return readBoundedFile(config.sys.template).toString('utf8')
  } catch (error) {
    const reason = errnoOf(error) === 'ENOENT' ? 'no such file' : reasonOf(error)
    log.warn(
      `the system prompt is empty: cannot read the template ${config.sys.template}: ${reason}`,
    )
    return ''
  }
}

/** The soft memory stored in mem; undefined when mem cannot be reached. */
async function storedSoftMemory(
  { config, log }: ServiceContext,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const ms of softMemoryPausesMs) {
    try {
      await pause(ms, undefined, { signal, ref: false })
      const answer = await askService(
        config.mem.socket,
        { type: 'get_soft' },
        { signal, deadlineMs: 2000 },
      )
      return typeof answer.content === 'string' ? answer.content : undefined
    } catch (error) {
      if (signal.aborted) return undefined
      log.debug(`cannot read the soft memory from mem: ${reasonOf(error)}`)
    }
  }
  return undefined
}
