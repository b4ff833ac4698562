import { describe, expect, it } from 'vitest'
import { bashSkill, put } from '../../test/config.ts'
import { recordingLog } from '../../test/log.ts'
import { tempFolder } from '../../test/temp-folder.ts'
import { loadSkills } from './definitions.ts'

describe('skill files', () => {
  it('load in both forms', () => {
    const folder = tempFolder()
    const examples = [{ role: 'user', content: 'x' }]
    put(folder, 'ops.json', { meta: {}, system: 'S', tools: ['bash'], examples })
    put(folder, 'bash.json', bashSkill)
    const log = recordingLog()
    const skills = loadSkills(folder, log)
    expect(skills.get('ops')?.agent).toEqual({
      ...{ description: '', system: 'S', tools: ['bash'], examples },
    })
    expect(skills.get('bash')).toMatchObject({ executor: 'bash', agent: undefined })
    expect(log.lines).toEqual([])
  })

  it.each([
    [{ system: 5 }, 'system must be text'],
    [{ system: 'S', tools: 'bash' }, 'tools must be a list of names'],
    [{ system: 'S', examples: [{ user: 'x' }] }, 'examples must be a list'],
    [{ system: 'S', allow: { tool: [] } }, 'allow.tool is not known'],
  ])('%j is skipped with a warning that names the file', (content, reason) => {
    const folder = tempFolder()
    const file = put(folder, 'odd.json', content)
    const log = recordingLog()
    expect(loadSkills(folder, log).size).toBe(0)
    expect(log.lines).toEqual([expect.stringContaining(`skipped ${file}: ${reason}`)])
  })

  it('a file without any known key loads with a warning that names it', () => {
    const folder = tempFolder()
    const file = put(folder, 'new.json', { meta: { executor: 'bash' }, workflow: [] })
    const log = recordingLog()
    expect(loadSkills(folder, log).get('new')).toMatchObject({ executor: 'bash' })
    expect(log.lines).toEqual([expect.stringContaining(`${file}: not understood`)])
  })
})
