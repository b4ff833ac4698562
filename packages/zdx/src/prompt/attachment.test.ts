import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { attach } from './attachment.ts'

const base = mkdtempSync(path.join(os.tmpdir(), 'zee-attach-'))
const root = path.join(base, 'project')

beforeAll(() => {
  mkdirSync(root)
  writeFileSync(path.join(base, 'secret'), 'of the user\n')
  writeFileSync(path.join(root, 'own'), 'of the project\n')
  symlinkSync('../secret', path.join(root, 'AGENTS.md'))
  symlinkSync('..', path.join(root, 'folder'))
  symlinkSync('own', path.join(root, 'inside'))
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

it.each(['AGENTS.md', 'folder', 'folder/secret'])(
  'does not attach %s, whose link leads out of the project',
  (name) => {
    expect(attach(root, name)).toEqual({
      path: path.join(root, name),
      warning: `@${name} is not attached: it is a link that leads out of the project; name its target`,
    })
  },
)

it('attaches links inside the project, and files outside that the user names', () => {
  expect(attach(root, 'inside')).toMatchObject({
    block: 'inside:\n```\nof the project\n```\n',
  })
  expect(attach(root, '../secret')).toMatchObject({ block: expect.stringContaining('of the user') })
  expect(attach(root, path.join(base, 'secret'))).toMatchObject({
    block: expect.stringContaining('of the user'),
  })
})
