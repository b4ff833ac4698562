// A plain prompt loads what a turn needs and nothing of protocols, evidence, schemas or pages.
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { LoadReport, type Loaded } from '../../support/load-report.ts'
import { withServer } from './with-server.ts'

const report = new LoadReport()
afterAll(() => report.remove())

const at = withServer()

async function loadedBy(...args: string[]): Promise<Loaded> {
  // From the chunks, not from the pack that is made of them.
  await at.box.zdx(args, { env: { ...report.env, ZEE_DEBUG: '1' }, input: '' })
  const { files, builtIns } = report.read()
  const names = files.map((file) => path.basename(file).replace(/(-[\w-]{8})?\.cjs$/, ''))
  return { files: names, builtIns }
}

/** What a start and a turn are made of. */
const turn = new Set(['commands', 'cli', 'main', 'rolldown-runtime', 'start', 'turn', 'zdx'])

describe('zdx exec', () => {
  it('loads the turn, the price table and nothing else', async () => {
    const { files, builtIns } = await loadedBy('exec', '-p', 'hi')
    expect(files.filter((file) => !turn.has(file) && file !== 'package')).toEqual([])
    expect(
      builtIns.filter((name) => /webstreams\/(readable|transform)|worker_threads/.test(name)),
    ).toEqual([])
    expect(at.server.requests).toHaveLength(1)
  })

  it('loads no protocol for a server that is configured and not allowed', async () => {
    at.box.config('[mcp.x]\ncommand = "x"\n')
    const { files } = await loadedBy('exec', '-p', 'hi')
    expect(files.filter((file) => /mcp|acp|trace/.test(file))).toEqual([])
  })
})
