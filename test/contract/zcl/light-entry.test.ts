// `zcl run` wraps every action of an agent, so it loads only Node built-ins and a few files.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { LoadReport } from '../../support/load-report.ts'
import { repository } from '../../support/paths.ts'
import { runFile } from '../../support/run-program.ts'
import { Project } from './project.ts'

const project = new Project()
const report = new LoadReport()
afterAll(() => {
  project.remove()
  report.remove()
})

const heavy = /NativeModule (http|https|tls|worker_threads|zlib|readline|dns|inspector)$/

test('`zcl run` loads no library and no heavy Node module', async () => {
  const attempt = await project.start(['--timeout-ms', '60000', '--mode', 'ci'])
  await project.run(attempt, ['true'])
  // The wrapped command must not overwrite the report.
  await project.run(attempt, ['sh', '-c', 'exit 0'], { env: report.env })
  const loaded = report.read()
  const folder = path.join(repository, 'packages/zcl')
  expect(loaded.files.map((file) => path.relative(folder, file))).toEqual(['bin/zcl.cjs'])
  // The pack is read as a file, not required; only its modules run.
  for (const file of [...loaded.files, path.join(folder, 'dist/run.pack')]) {
    const imports = [...readFileSync(file, 'utf8').matchAll(/require\("([^"]+)"\)/g)]
    for (const [, name = ''] of imports) expect(name).toMatch(/^(?:node:|\.)/)
  }
  expect(loaded.builtIns.filter((name) => heavy.test(name))).toEqual([])
})

// On versions of Node whose process handle starts children.
test.runIf(/^v2[02]\./.test(process.version))(
  '`zcl run` starts its command without `node:child_process`, which loads sockets and streams',
  async () => {
    const attempt = await project.start([])
    await project.run(attempt, ['true'], { env: report.env })
    expect(report.read().builtIns).not.toContain('NativeModule child_process')
    await project.run(attempt, ['true'], { env: { ...report.env, ZEE_PROCESS_HANDLE: '0' } })
    expect(report.read().builtIns).toContain('NativeModule child_process')
  },
)

test('`zcl run` works without the pack or its code cache', async () => {
  const copy = path.join(report.folder, 'copy')
  const folder = path.join(repository, 'packages/zcl')
  for (const part of ['bin', 'dist']) {
    cpSync(path.join(folder, part), path.join(copy, part), { recursive: true })
  }
  const attempt = await project.start([])
  const options = { env: { ...attempt.env, HOME: project.home }, cwd: project.folder }
  const bin = path.join(copy, 'bin/zcl.cjs')
  const ways = [
    () => writeFileSync(path.join(copy, 'dist/run.code'), 'made by another Node'),
    () => rmSync(path.join(copy, 'dist/run.pack')),
  ]
  for (const damage of ways) {
    damage()
    const { code, stdout, stderr } = await runFile(bin, ['run', '--', 'echo', 'out'], options)
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'out\n', stderr: '' })
  }
  expect(attempt.trace()).toHaveLength(2)
})
