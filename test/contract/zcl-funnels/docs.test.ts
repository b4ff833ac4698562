import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bundlePrograms } from '../../../build/bundle.mjs'
import { repository } from '../../support/paths.ts'
import { runFile } from '../../support/run-program.ts'
import { createLab, type Lab } from './lab.ts'

const page = readFileSync(path.join(repository, 'docs/zcl-funnels.md'), 'utf8')
const cache = path.join(repository, `node_modules/.cache/zee/docs-${process.pid}`)
let lab: Lab
beforeEach(async () => {
  lab = await createLab()
})
afterEach(async () => {
  rmSync(cache, { recursive: true, force: true })
  await lab.remove()
})

describe('docs/zcl-funnels.md', () => {
  it('has an example that works when copied', async () => {
    const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(page) ?? []
    mkdirSync(cache, { recursive: true })
    const file = path.join(cache, 'example.ts')
    writeFileSync(file, example)
    await bundlePrograms({ example: file }, path.join(cache, 'out'))
    const program = path.join(cache, 'out/example.cjs')
    const without = await runFile(process.execPath, [program], { env: { ZCL_OUT_DIR: undefined } })
    expect(without.stdout).toBe('the meaning of receipt\n')
    const within = await runFile(process.execPath, [program], { cwd: lab.folder, env: lab.env })
    expect(within.stdout).toBe('the meaning of receipt\n')
    expect(lab.trace()).toMatchObject([
      {
        tool: 'dictionary',
        op: 'look-up',
        input: { word: 'receipt' },
        result: { ok: true },
        io: { outPreview: 'the meaning of receipt' },
      },
    ])
  })

  it('names every command and flag of the funnels', async () => {
    const commands = ['mcp proxy', 'http proxy', 'enrich', 'replay', 'export']
    for (const command of [...commands, 'mcp serve-trace', 'http serve-trace']) {
      expect(page).toContain(`zcl ${command}`)
    }
    for (const command of commands) {
      const { stdout } = await lab.zcl([...command.split(' '), '--help'])
      for (const [flag] of stdout.matchAll(/--(?!help|json|stdin)[a-z-]+(?= )/g)) {
        expect(page, `${command} ${flag}`).toContain(flag)
      }
    }
  })
})
