// `zcl run` reads the configuration without the config library of the other commands: both must agree.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inspectConfig } from '@zee/core/config'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { zclConfig } from '../config/config.ts'
import { configFiles, extraRulesFor, redactorFor } from './redaction.ts'

let cwd: string
beforeEach(() => (cwd = mkdtempSync(path.join(tmpdir(), 'zcl-config-'))))
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

const context = () => ({ cwd, env: { HOME: path.join(cwd, 'home') } })

test.each([
  ['{"schemaVersion":1}', true],
  ['{"schemaVersion":1,"outRoot":"x"}', true],
  ['{}', true],
  ['{"own":1}', true],
  ['{"redaction":{}}', true],
  ['{"redaction":{"extraRules":[]}}', true],
  ['{"redaction":{"extraRules":[{"id":"a","regex":"x"}]}}', true],
  ['{', false],
  ['[]', false],
  ['null', false],
  ['"x"', false],
  ['{"schemaVersion":2}', false],
  ['{"schemaVersion":"1"}', false],
  ['{"redaction":[]}', false],
  ['{"redaction":5}', false],
  ['{"redaction":{"extraRules":{}}}', false],
  ['{"redaction":{"extraRules":[5]}}', false],
])('the configuration %s is accepted by both readers: %s', async (text, usable) => {
  writeFileSync(path.join(cwd, 'zcl.config.json'), text)
  const { config } = await inspectConfig(zclConfig, [{ path: path.join(cwd, 'zcl.config.json') }])
  expect(config !== undefined).toBe(usable)
  if (usable) redactorFor(context())
  else expect(() => redactorFor(context())).toThrow()
})

test('redaction rules of both files apply, and a project rule replaces a user rule by id', () => {
  mkdirSync(path.join(cwd, 'home', '.zcl'), { recursive: true })
  const write = (file: string, ...extraRules: object[]) =>
    writeFileSync(path.join(cwd, file), JSON.stringify({ redaction: { extraRules } }))
  write('home/.zcl/config.json', { id: 'a', regex: '1' }, { id: 'b', regex: '2' })
  write('zcl.config.json', { id: 'b', regex: '3' }, { id: 'c', regex: '4' })
  expect(extraRulesFor(context())).toEqual([
    { id: 'a', regex: '1' },
    { id: 'b', regex: '3' },
    { id: 'c', regex: '4' },
  ])
  write('zcl.config.json', { id: 'b', regex: '3' }, { id: 'b', regex: '4' })
  expect(() => redactorFor(context())).toThrow(/same id/)
})

test('without HOME only the project configuration is read', () => {
  expect(configFiles({ cwd: '/x', env: {} })).toEqual(['/x/zcl.config.json'])
})
