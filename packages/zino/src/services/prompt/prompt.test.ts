import { rmSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lastOf } from '../../../test/caller.ts'
import { bashSkill, bashTool, contextIn, put } from '../../../test/config.ts'
import { serveHere, standIn } from '../../../test/host.ts'
import { tempFolder } from '../../../test/temp-folder.ts'
import { until } from '../../../test/until.ts'
import { startPrompt } from './prompt.ts'
import { renderPrompt } from './render.ts'

const template = [
  'P[%%PERSONALITY%%]',
  '%%TOOL_LIST%%',
  '%%SKILL_LINES%%',
  'M=%%MAX_ITERATIONS%%,%%MAX_ITERATIONS%%',
  'S{%%SOFT_MEMORIES%%}',
].join('\n')

async function startIn(folder: string, over: Record<string, Record<string, unknown>> = {}) {
  const file = put(folder, 'SYSTEM.md', template)
  const context = contextIn(folder, { ...over, sys: { template: file, ...over.sys } })
  await serveHere(startPrompt(context), context.config.sys.socket)
  const ask = (message: object) => lastOf(context.config.sys.socket, message)
  return { ask, context }
}

describe('sys', () => {
  it('fills every placeholder, with one line per executor and skill', async () => {
    const folder = tempFolder()
    put(folder, 'tools/bash.json', bashTool)
    put(folder, 'tools/bash2.json', { meta: { executor: 'bash' } })
    put(folder, 'tools/node.json', {})
    put(folder, 'skills/b.json', { meta: {} })
    put(folder, 'skills/a.json', bashSkill)
    put(folder, 'skills/notes.txt', 'no')
    const { ask } = await startIn(folder, {
      sys: { personality: 'calm', soft_memory: 'soft' },
      agent: { max_iterations: 4 },
    })
    expect(await ask({ type: 'get' })).toEqual({
      type: 'system_prompt',
      content: [
        'P[calm]',
        '  - "execute_bash": bash executor',
        '  - "execute_node": node executor',
        '  - "a": bash executor, static analysis: shellcheck',
        '  - "b": unknown executor, static analysis: none',
        'M=4,4',
        'S{soft}',
      ].join('\n'),
    })
  })

  it('shows "(none loaded)" for empty lists and skips broken files', async () => {
    const folder = tempFolder()
    put(folder, 'tools/broken.json', '{')
    put(folder, 'tools/list.json', '[]')
    const { ask, context } = await startIn(folder)
    expect((await ask({ type: 'get' })).content).toContain(
      '  (none loaded)\n  (none loaded)\nM=5,5',
    )
    expect(context.log.lines.filter((line) => line.startsWith('WARNING')).length).toBe(3)
  })

  it('uses the limit of [agr] when [agent] has none', async () => {
    const { ask } = await startIn(tempFolder(), { agr: { max_iterations: 9 } })
    expect((await ask({ type: 'get' })).content).toContain('M=9,9')
  })

  it('inserts the soft memory literally and keeps it across a reload', async () => {
    const folder = tempFolder()
    const { ask } = await startIn(folder)
    const odd = "$& $1 $$ $` $' \\1 %%TOOL_LIST%% line\ntwo ☃"
    const answer = await ask({ type: 'set_soft_memory', content: odd })
    expect(answer).toMatchObject({ type: 'system_prompt' })
    expect(answer.content).toContain(`S{${odd}}`)
    expect(await ask({ type: 'get' })).toEqual(answer)
    expect((await ask({ type: 'reload' })).content).toContain(`S{${odd}}`)
  })

  it.each([5, null, ['x'], { a: 1 }])(
    'refuses %j as soft memory and keeps the old text',
    async (content) => {
      const { ask } = await startIn(tempFolder(), { sys: { soft_memory: 'old' } })
      expect(await ask({ type: 'set_soft_memory', content })).toMatchObject({ type: 'error' })
      expect((await ask({ type: 'get' })).content).toContain('S{old}')
    },
  )

  it('rereads the template on every change, tools and skills only on reload', async () => {
    const folder = tempFolder()
    const { ask } = await startIn(folder)
    put(folder, 'tools/bash.json', bashTool)
    put(folder, 'SYSTEM.md', `V2 ${template}`)
    expect((await ask({ type: 'get' })).content).not.toContain('V2')
    const soft = String((await ask({ type: 'set_soft_memory', content: 'x' })).content)
    expect(soft.startsWith('V2 ')).toBe(true)
    expect(soft).not.toContain('execute_bash')
    expect((await ask({ type: 'reload' })).content).toContain('execute_bash')
    rmSync(`${folder}/tools/bash.json`)
    expect((await ask({ type: 'reload' })).content).not.toContain('execute_bash')
  })

  it('serves an empty prompt without a template', async () => {
    const { ask } = await startIn(tempFolder(), { sys: { template: '/nonexistent/SYSTEM.md' } })
    expect(await ask({ type: 'get' })).toEqual({ type: 'system_prompt', content: '' })
  })

  it('uses the text stored in mem when the file has none', async () => {
    const folder = tempFolder()
    const { ask, context } = await startIn(folder)
    await standIn(
      { get_soft: () => ({ type: 'soft_memory', content: 'from before' }) },
      context.config.mem.socket,
    )
    await until(async () => String((await ask({ type: 'get' })).content).includes('S{from before}'))
  })

  it('renders all values literally', () => {
    const parts = { tools: new Map(), skills: new Map(), serverTools: [], maxIterations: 1 }
    fc.assert(
      fc.property(fc.string(), fc.string(), (personality, softMemory) => {
        const prompt = renderPrompt('a%%PERSONALITY%%b%%SOFT_MEMORIES%%c', {
          ...parts,
          personality,
          softMemory,
        })
        expect(prompt).toBe(`a${personality}b${softMemory}c`)
      }),
    )
  })
})
