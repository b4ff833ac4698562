import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fixedClock } from '@zee/core/clock'
import { UncertainError, ZeeError } from '@zee/core/errors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkSessionId, isNotRecorded, openSession } from './file.ts'

let base: string
beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'zee-session-'))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const clock = fixedClock('2026-01-02T03:04:05Z')
const ts = '2026-01-02T03:04:05Z'
const prompt = { type: 'message', role: 'user', text: 'hi' } as const

describe('openSession', () => {
  it('creates the file with the first record', () => {
    const folder = path.join(base, 'sessions')
    const session = openSession(folder, 'a', clock, { root: '/r', cwd: '/r/c', parent: 'p' }, true)
    session.sync()
    expect(() => statSync(folder)).toThrow('ENOENT')
    session.append(prompt)
    session.append({ type: 'receipt' }, { provider: 'p', model: 'm' })
    session.sync()
    session.close()
    expect(session.id).toBe('a')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    const lines = readFileSync(path.join(folder, 'a.jsonl'), 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { type: 'meta', schema_version: 1, ts, root: '/r', cwd: '/r/c', parent: 'p' },
      { ...prompt, ts },
      { type: 'receipt', ts, provider: 'p', model: 'm' },
    ])
  })

  it('continues a file without another first line', () => {
    for (let count = 0; count < 2; count++) {
      const session = openSession(base, 'a', clock)
      session.append(prompt)
      session.close()
    }
    const types = readFileSync(path.join(base, 'a.jsonl'), 'utf8').match(/"type":"\w+"/g)
    expect(types).toEqual(['"type":"meta"', '"type":"message"', '"type":"message"'])
  })

  it('says that a record is not recorded, and why', () => {
    writeFileSync(path.join(base, 'file'), '')
    const { append } = openSession(path.join(base, 'file/sessions'), 'a', clock)
    let error: unknown
    try {
      append(prompt)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toMatchObject({
      code: 'not_recorded',
      message: expect.stringMatching(
        /^not recorded in the session: cannot create the folder .*file\/sessions/,
      ) as string,
    })
    expect(isNotRecorded(error)).toBe(true)
  })

  it.each(['', '.', 'a/b', `${'x'.repeat(300)}`])('refuses the id %j', (id) => {
    expect(() => openSession(base, id, clock)).toThrow(
      `'${id.slice(0, 60)}' is not a valid session id: it must be a plain file name`,
    )
    expect(checkSessionId('a b')).toBe('a b')
  })
})

it('only an error with the code not_recorded says that nothing was recorded', () => {
  expect(isNotRecorded(new ZeeError('not_recorded', 'x'))).toBe(true)
  expect(isNotRecorded(new ZeeError('may_not_be_recorded', 'x'))).toBe(false)
  expect(isNotRecorded(new UncertainError('eio', 'x'))).toBe(false)
  expect(isNotRecorded({ code: 'not_recorded' })).toBe(false)
})
