// Guards the modules that a service loads at its start: seven processes pay for each of them.
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { put } from '../test/config.ts'
import { Program } from '../test/program.ts'
import type { ServiceName } from './services/services.ts'

/** Prints the loaded files when the process exits. */
const hook = `process.on('exit', () => {
  require('node:fs').writeSync(2, 'LOADED ' + Object.keys(require.cache).join(' ') + '\\n')
})`

async function loadedBy(name: ServiceName): Promise<string[]> {
  const zino = new Program()
  const file = put(zino.folder, 'hook.cjs', hook)
  zino.env.NODE_OPTIONS = `--require ${file}`
  const { err } = await (await zino.serve(name)).stop()
  const [, files = ''] = /^LOADED (.*)$/m.exec(err) ?? []
  return files.split(' ').map((each) => path.basename(each))
}

describe('a service at its start', () => {
  it.each(['daemon', 'sys', 'ctx', 'agr', 'tmr'] as const)(
    'loads neither the command-line parser nor a model client (%s)',
    async (name) => {
      const files = await loadedBy(name)
      expect(files.join(' ')).toMatch(/\bservice-/)
      expect(
        files.filter((file) =>
          /^cli-|command|completion|model|transport|process|commands/.test(file),
        ),
      ).toEqual([])
    },
  )

  it('loads no wire format in rtr before the first request', async () => {
    const files = await loadedBy('rtr')
    expect(
      files.filter((file) => /^cli-|command|openai|anthropic|gemini|transport|player/.test(file)),
    ).toEqual([])
  })
})
