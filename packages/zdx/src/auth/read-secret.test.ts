import type { Host } from '@zee/core/exit'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { askSecret, readPipedSecret } from './read-secret.ts'

/** A terminal that logs calls of setRawMode and write in order. */
function terminal() {
  const log: string[] = []
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (raw: boolean) => void log.push(raw ? 'silent' : 'loud'),
  })
  const stderr = { write: (text: string) => void log.push(text) }
  return { host: { stdin, stderr } as unknown as Host, stdin, log }
}

describe('askSecret', () => {
  it('turns echo off before it prints the question and on again after the answer', async () => {
    const { host, stdin, log } = terminal()
    const answer = askSecret(host, 'key? ')
    stdin.write('sk-abX\u007fc')
    stdin.write('\r')
    expect(await answer).toBe('sk-abc')
    expect(log).toEqual(['silent', 'key? ', 'loud', '\n'])
  })

  it.each(['\u0003', '\u0004'])('fails with exit code 130 on %j', async (key) => {
    const { host, stdin, log } = terminal()
    const answer = askSecret(host, 'key? ')
    stdin.write(`half${key}`)
    await expect(answer).rejects.toMatchObject({ exitCode: 130 })
    expect(log).toContain('loud')
  })

  it('refuses to run without a terminal and names --stdin', () => {
    const { host, stdin } = terminal()
    stdin.isTTY = false
    expect(() => askSecret(host, 'key? ')).toThrow('--stdin')
  })
})

describe('readPipedSecret', () => {
  it('rejects input above its limit', async () => {
    const { host, stdin } = terminal()
    stdin.end('x'.repeat(70_000))
    await expect(readPipedSecret(host)).rejects.toThrow('too long')
  })
})
