// sys: builds the system prompt at start, keeps it for `get`, and builds it anew when its files or
// the soft memory change.
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { errnoOf, reasonOf } from '@zee/core/errors'
import { askService } from '../../client/client.ts'
import { loadSkills, loadTools } from '../../definitions/definitions.ts'
import { stringField } from '../../fields/fields.ts'
import type { Service, ServiceContext } from '../../service/service.ts'
import { handlersOf } from '../../service/service.ts'
import type { PromptParts } from './render.ts'
import { renderPrompt } from './render.ts'

/** mem may come up a moment later than sys. */
const softMemoryPausesMs = [0, 100, 300, 1000, 3000]

export function startPrompt(context: ServiceContext): Service {
  const { config, log } = context
  const parts: PromptParts = {
    personality: config.sys.personality,
    maxIterations: config.agent.max_iterations ?? config.agr.max_iterations,
    softMemory: config.sys.soft_memory,
    ...loadDefinitions(context),
  }
  let content = ''
  const render = () => {
    content = renderPrompt(readTemplate(context), parts)
    log.info(`system prompt of ${content.length} characters`)
    return { type: 'system_prompt', content }
  }
  const reload = () => {
    Object.assign(parts, loadDefinitions(context))
    return render()
  }
  const over = new AbortController()
  let isSet = config.sys.soft_memory !== ''
  render()
  if (!isSet) {
    void storedSoftMemory(context, over.signal).then((text) => {
      if (isSet || text === undefined || text === '') return
      parts.softMemory = text
      render()
    })
  }
  const handlers = handlersOf({
    get: () => ({ type: 'system_prompt', content }),
    reload,
    set_soft_memory: (message) => {
      parts.softMemory = stringField(message, 'content')
      isSet = true
      return render()
    },
  })
  return { handlers, reload: () => void reload(), close: () => over.abort() }
}

function loadDefinitions({ config, log }: ServiceContext): Pick<PromptParts, 'tools' | 'skills'> {
  return { tools: loadTools(config.tools.dir, log), skills: loadSkills(config.skills.dir, log) }
}

function readTemplate({ config, log }: ServiceContext): string {
  try {
    return readFileSync(config.sys.template, 'utf8')
  } catch (error) {
    const missing = errnoOf(error) === 'ENOENT'
    log.warn(
      `no template, so no system prompt: ${config.sys.template}: ` +
        (missing ? 'no such file' : reasonOf(error)),
    )
    return ''
  }
}

/** What mem has kept from before; undefined when it cannot be asked. */
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
      log.debug(`mem's soft memory is not there: ${reasonOf(error)}`)
    }
  }
  return undefined
}
