import type { Host } from '@zee/core/exit'
import { getEventListeners } from 'node:events'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { Interrupts } from '../interrupt/interrupt.ts'
import { openPipedLines } from './lines.ts'

function pipedLines() {
  const stdin = new PassThrough()
  const stopped = new AbortController()
  const host = { stdin, stderr: new PassThrough().resume() } as unknown as Host
  const interrupts = { signal: stopped.signal } as Interrupts
  const lines = openPipedLines(host, interrupts)
  return { lines, stdin, stopped }
}

describe('piped lines', () => {
  it('arrive one by one and leave no listener on the abort signal', async () => {
    const { lines, stdin, stopped } = pipedLines()
    stdin.end('one\n\n\nlast')
    const seen: (string | undefined)[] = []
    for (let count = 0; count < 5; count++) seen.push(await lines.next())
    expect(seen).toEqual(['one', '', '', 'last', undefined])
    expect(getEventListeners(stopped.signal, 'abort')).toEqual([])
  })

  it('end with an interrupt, also during a pending read', async () => {
    const { lines, stopped } = pipedLines()
    const waiting = lines.next()
    stopped.abort()
    expect(await waiting).toBeUndefined()
    expect(await lines.next()).toBeUndefined()
  })
})
