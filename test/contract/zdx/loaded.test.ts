// The files that `zdx exec` loads: those of a turn, but no protocol, evidence, schema or page code.
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { LoadReport, type Loaded } from '../../support/load-report.ts'
import { builtProgram } from '../../support/paths.ts'
import { runFile } from '../../support/run-program.ts'
import { withServer } from './with-server.ts'

const report = new LoadReport()
afterAll(() => report.remove())

const at = withServer()

async function loadedBy(...args: string[]): Promise<Loaded> {
  // ZEE_DEBUG=1 loads the chunks instead of the pack.
  // A pipe on stdin would start the check for unread input.
  const line = ['-c', 'exec "$0" "$@" < /dev/null', builtProgram('zdx'), ...args]
  const env = { ...at.box.env, ...report.env, ZEE_DEBUG: '1' }
  await runFile('sh', line, { cwd: at.box.root, env })
  const { files, builtIns } = report.read()
  const names = files.map((file) => path.basename(file).replace(/(-[\w-]{8})?\.cjs$/, ''))
  return { files: names, builtIns }
}

/** The chunks of a start and a turn. */
const turn = new Set(['commands', 'cli', 'main', 'rolldown-runtime', 'start', 'turn', 'zdx'])

describe('zdx exec', () => {
  it('loads only the chunks of a turn and the price table', async () => {
    const { files, builtIns } = await loadedBy('exec', '-p', 'hi')
    expect(files.filter((file) => !turn.has(file) && file !== 'package')).toEqual([])
    expect(
      builtIns.filter((name) => /webstreams\/(readable|transform)|worker_threads| os$/.test(name)),
    ).toEqual([])
    expect(at.server.requests).toHaveLength(1)
  })

  it('loads neither HTTP for a screenplay nor MCP for a server that is not allowed', async () => {
    at.box.config('[mcp.x]\ncommand = "x"\n')
    const play = at.box.put('play.jsonl', '{"text":"hello"}\n')
    const { files, builtIns } = await loadedBy('--model', `script:${play}`, 'exec', '-p', 'hi')
    expect(files).toContain('player')
    expect(files.filter((file) => /mcp|acp|trace/.test(file))).toEqual([])
    expect(builtIns.filter((name) => / (http|fs\/promises|child_process)$/.test(name))).toEqual([])
  })
})
