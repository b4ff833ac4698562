// The tarball of each program installs into an empty folder and runs there.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { repository } from '../../support/paths.ts'
import { runFile } from '../../support/run-program.ts'

const temporary = mkdtempSync(path.join(os.tmpdir(), 'zee-pack-'))
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

function npm(args: string[], cwd: string): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

describe.each(['zdx', 'zeno', 'zino', 'zcl', 'zee'])('the tarball of %s', (name) => {
  it('installs offline and runs without any other package', async () => {
    const folder = path.join(temporary, name)
    mkdirSync(folder)
    const packed = npm(
      ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
      path.join(repository, 'packages', name),
    )
    const [{ filename, files }] = JSON.parse(packed) as [
      { filename: string; files: { path: string }[] },
    ]
    expect(files.map((file) => file.path)).toContain('dist/main.cjs')
    expect(files.filter((file) => /(^|\/)(src|test)\//.test(file.path))).toEqual([])
    writeFileSync(path.join(folder, 'package.json'), '{"private":true}')
    npm(['install', '--offline', '--no-audit', '--no-fund', `./${filename}`], folder)
    expect(readdirSync(path.join(folder, 'node_modules/@zee'))).toEqual([name])
    const { code, stdout } = await runFile(path.join(folder, 'node_modules/.bin', name), ['--help'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Usage:') })
    const completion = await runFile(path.join(folder, 'node_modules/.bin', name), [
      'completion',
      'bash',
    ])
    expect(completion.code).toBe(0)
  })
})

it('npm run release names a wrong option in one line and exits 2', async () => {
  const script = path.join(repository, 'build/release.mjs')
  const { code, stdout, stderr } = await runFile(process.execPath, [script, '--bogus'])
  expect([code, stdout, stderr]).toEqual([2, '', "release: Unknown option '--bogus'\n"])
})
