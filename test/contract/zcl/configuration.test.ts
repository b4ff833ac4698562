// Configuration of zcl; nothing is written outside the output root.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { asProcess } from '../run-here.ts'
import { filesBelow, Project } from './project.ts'

let project: Project
beforeEach(() => (project = new Project()))
afterEach(() => project.remove())

describe('configuration', () => {
  test('zcl init writes the config once; a second run changes nothing', async () => {
    const first = await project.json(['init'])
    expect(first.json).toEqual({
      ok: true,
      configPath: 'zcl.config.json',
      outRoot: '.zcl',
      created: true,
      outRootReady: true,
    })
    const file = path.join(project.folder, 'zcl.config.json')
    expect(readFileSync(file, 'utf8')).toBe('{\n  "schemaVersion": 1,\n  "outRoot": ".zcl"\n}\n')
    const text = '{"outRoot":"ev","own":[1],"schemaVersion":1}'
    writeFileSync(file, text)
    expect((await project.json(['init'])).json).toMatchObject({ created: false, outRoot: 'ev' })
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(existsSync(path.join(project.folder, 'ev', 'runs'))).toBe(true)
    const refused = await project.zcl(['init', '--out-root', 'elsewhere', '--json'])
    expect(refused).toMatchObject({ code: 2, out: '' })
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  test.each(['.zcl', '.zcl/runs'])(
    '%s may not be a link that leads out of the folder',
    async (name) => {
      const outside = path.join(project.root, 'outside')
      const link = path.join(project.folder, name)
      for (const folder of [outside, path.dirname(link)]) mkdirSync(folder, { recursive: true })
      symlinkSync(outside, link)
      const start = ['attempt', 'start', '--suite', 's', '--mission', 'm', '--json']
      for (const args of [start, ['runs'], ['attempt', 'list'], ['gc'], ['init']]) {
        const ran = await project.zcl(args)
        expect(ran).toMatchObject({ code: 2, out: '' })
        expect(ran.err).toContain(
          `ZCL_E_CONTAINMENT: ${name} is a link that leads out of this folder`,
        )
      }
      expect((await project.json(['doctor'])).json).toMatchObject({ ok: false })
      expect(readdirSync(outside)).toEqual([])
      const named = { env: { ZCL_OUT_ROOT: outside } }
      expect(await project.zcl(start, named)).toMatchObject({ code: 0 })
    },
  )

  test('20 concurrent zcl init commands create one config', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, () => project.json(['init'], { env: asProcess })),
    )
    expect(all.filter(({ json }) => json.created === true)).toHaveLength(1)
  })

  test.each([
    ['{nope', 'ZCL_E_INVALID_JSON'],
    ['[]', 'ZCL_E_INVALID_JSON'],
    ['{"schemaVersion":7}', 'ZCL_E_SCHEMA_UNSUPPORTED'],
    ['{"schemaVersion":1,"outRoot":5}', 'ZCL_E_CONTRACT'],
    ['{"schemaVersion":1,"redaction":[]}', 'ZCL_E_CONTRACT'],
  ])('the invalid config %s stops every command that needs it', async (text, code) => {
    project.write('zcl.config.json', text)
    for (const args of [['attempt', 'list'], ['gc'], ['init'], ['runs', 'list']]) {
      const ran = await project.zcl([...args, '--json'])
      expect(ran).toMatchObject({ code: 2, out: '' })
      expect(ran.err).toContain(code)
    }
    expect(existsSync(path.join(project.folder, '.zcl'))).toBe(false)
  })
})

describe('the write boundary', () => {
  test('a complete workflow writes only below the output root', async () => {
    project.write('src/a.txt', 'untouched')
    project.write('.git/HEAD', 'ref: x')
    const before = filesBelow(project.root)
    const attempt = await project.complete()
    for (const args of [
      ['report', attempt.folder],
      ['report', attempt.runFolder],
      ['show', attempt.folder],
      ['validate', attempt.runFolder],
      ['doctor'],
      ['gc', '--dry-run'],
      ['attempt', 'finish', attempt.folder],
      ['attempt', 'list'],
      ['runs', 'list'],
      ['contract'],
    ]) {
      await project.zcl([...args, '--json'])
    }
    const after = Object.entries(filesBelow(project.root)).filter(
      ([file]) => !file.startsWith('project/.zcl/'),
    )
    expect(Object.fromEntries(after)).toEqual(before)
  })

  test('read-only commands change no file', async () => {
    const attempt = await project.complete()
    const before = filesBelow(project.root)
    for (const args of [
      ['show', attempt.runFolder],
      ['validate', '--strict', attempt.runFolder],
      ['attempt', 'explain', attempt.folder],
      ['gc', '--dry-run', '--older-than', '0s'],
    ]) {
      await project.zcl(args)
    }
    expect(filesBelow(project.root)).toEqual(before)
  })

  test('zcl report does not write through a linked attempt, and zcl gc does not delete a linked run', async () => {
    const attempt = await project.complete()
    const outside = path.join(project.root, 'outside')
    cpSync(attempt.runFolder, outside, { recursive: true })
    const link = path.join(path.dirname(attempt.runFolder), '20200101-000000Z-aaaaaa')
    symlinkSync(outside, link)
    const inner = path.join(attempt.runFolder, 'attempts', '002-hello-r1')
    symlinkSync(path.join(outside, 'attempts', attempt.attemptId), inner)
    const before = filesBelow(outside)
    await project.zcl(['report', attempt.runFolder])
    await project.zcl(['gc', '--max-bytes', '0'])
    expect(filesBelow(outside)).toEqual(before)
    expect(existsSync(link)).toBe(true)
  })
})
