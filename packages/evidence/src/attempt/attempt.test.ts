import { symlinkSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Lab, type LabAttempt } from '../../test/lab.ts'
import { attemptFromEnvironment, namesAttempt } from './attempt.ts'
import { attemptEnvironment, environmentText } from './environment.ts'

let lab: Lab
let attempt: LabAttempt
beforeEach(() => {
  lab = new Lab()
  attempt = lab.attempt({ agentId: 'agent', mode: 'ci' })
})
afterEach(() => lab.remove())

const env = () => attemptEnvironment(attempt.ids, attempt.folder)

test('attemptFromEnvironment returns the attempt of the environment', () => {
  expect(namesAttempt({})).toBe(false)
  expect(namesAttempt(env())).toBe(true)
  expect(attemptFromEnvironment(env(), '/')).toMatchObject({
    identity: { ...attempt.ids, agentId: 'agent' },
    folder: attempt.folder,
    mode: 'ci',
  })
})

test('attemptFromEnvironment resolves a relative ZCL_OUT_DIR against the working folder', () => {
  const relative = { ...env(), ZCL_OUT_DIR: path.basename(attempt.folder) }
  expect(attemptFromEnvironment(relative, path.dirname(attempt.folder)).folder).toBe(attempt.folder)
})

test('attemptFromEnvironment throws a usage error without ZCL_OUT_DIR', () => {
  for (const value of ['', undefined]) {
    expect(() => attemptFromEnvironment({ ...env(), ZCL_OUT_DIR: value }, '/')).toThrowError(
      expect.objectContaining({
        code: 'ZCL_E_USAGE',
        exitCode: 2,
        message: expect.stringContaining('ZCL_OUT_DIR') as string,
      }),
    )
  }
})

test('attemptFromEnvironment reads every id from attempt.json if only ZCL_OUT_DIR is set', () => {
  const { ZCL_OUT_DIR } = env()
  const { identity } = attemptFromEnvironment({ ZCL_OUT_DIR }, '/')
  expect(identity).toEqual(attemptFromEnvironment(env(), '/').identity)
})

test('attemptFromEnvironment prefers a named folder to the environment', () => {
  const { ZCL_OUT_DIR } = env()
  const elsewhere = { ZCL_OUT_DIR: '/nowhere', ZCL_RUN_ID: 'other' }
  expect(attemptFromEnvironment(elsewhere, '/', ZCL_OUT_DIR).folder).toBe(ZCL_OUT_DIR)
})

test.each(['ZCL_RUN_ID', 'ZCL_SUITE_ID', 'ZCL_MISSION_ID', 'ZCL_ATTEMPT_ID'])(
  'attemptFromEnvironment refuses a %s that differs from attempt.json',
  (name) => {
    expect(() => attemptFromEnvironment({ ...env(), [name]: 'other' }, '/')).toThrowError(
      expect.objectContaining({ code: 'ZCL_E_ID_MISMATCH', exitCode: 2 }),
    )
  },
)

test.each<[string, string | undefined]>([
  ['ZCL_E_MISSING_ARTIFACT', undefined],
  ['ZCL_E_INVALID_JSON', '{'],
  ['ZCL_E_INVALID_JSON', '[]'],
  ['ZCL_E_SCHEMA_UNSUPPORTED', '{"schemaVersion":2}'],
  ['ZCL_E_SCHEMA_UNSUPPORTED', '{}'],
])('attemptFromEnvironment throws %s for an attempt.json with %j', (code, content) => {
  if (content === undefined) unlinkSync(attempt.file('attempt.json'))
  else attempt.write('attempt.json', content)
  expect(() => attemptFromEnvironment(env(), '/')).toThrowError(expect.objectContaining({ code }))
})

test('attemptFromEnvironment refuses an attempt.json that is a symlink', () => {
  unlinkSync(attempt.file('attempt.json'))
  symlinkSync('/etc/passwd', attempt.file('attempt.json'))
  expect(() => attemptFromEnvironment(env(), '/')).toThrowError(
    expect.objectContaining({ code: 'ZCL_E_CONTAINMENT' }),
  )
})

test('environmentText quotes values for shells and for dotenv readers', () => {
  const odd = { A: "it's $HOME", B: 'a\n"b"', C: '/plain/path-1' }
  expect(environmentText(odd, 'sh')).toBe(
    `export A='it'\\''s $HOME'\nexport B='a\n"b"'\nexport C='/plain/path-1'\n`,
  )
  expect(environmentText(odd, 'dotenv')).toBe(
    `A="it's \\$HOME"\nB="a\\n\\"b\\""\nC=/plain/path-1\n`,
  )
})

test('attemptEnvironment sorts its keys and includes the agent id if there is one', () => {
  const keys = Object.keys(attemptEnvironment({ ...attempt.ids, agentId: 'a' }, '/x'))
  expect(keys).toEqual([...keys].sort())
  expect(keys).toHaveLength(6)
  expect(Object.keys(env())).toHaveLength(5)
})
