import { Writable } from 'node:stream'
import { systemClock } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { expect, it } from 'vitest'
import { put } from '../../../test/config.ts'
import { append, startIn, store } from '../../../test/mem.ts'
import { tempFolder } from '../../../test/temp-folder.ts'
import { exportMemories } from './command.ts'

const hidden = 'title \u001B]0;owned\u0007 \u009B31m and \u202Ereversed'

async function exportOf(format: string, isTTY: boolean): Promise<string> {
  const folder = tempFolder()
  const { ask, context } = await startIn(folder)
  await ask(store(hidden))
  await ask(append('c', hidden))
  const { mem, daemon } = context.config
  const sections = `[mem]\nsocket = "${mem.socket}"\n[daemon]\nsocket = "${daemon.socket}"\n`
  const config = put(folder, 'ZINO.toml', sections)
  let out = ''
  const stdout = new Writable({
    write: (piece: Buffer, _, done) => {
      out += piece.toString()
      done()
    },
  })
  const host = {
    ...{ env: {}, cwd: folder, clock: systemClock, stdin: process.stdin, stderr: process.stderr },
    stdout: Object.assign(stdout, { isTTY }) as unknown as NodeJS.WriteStream,
  } satisfies Host
  expect(await exportMemories({ config, format }, host)).toBe(0)
  return out
}

it.each(['jsonl', 'md'])(
  '`zino memory export --format %s` sends no control characters to a terminal, and every byte elsewhere',
  async (format) => {
    const [shown, piped] = [await exportOf(format, true), await exportOf(format, false)]
    expect(shown).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/)
    expect(shown).toContain('reversed')
    const text = format === 'md' ? hidden : JSON.stringify(hidden).slice(1, -1)
    expect(piped.split(text)).toHaveLength(3)
  },
)
