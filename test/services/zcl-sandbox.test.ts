// Funnels inside the sandbox of the real Codex, which keeps them from writing the evidence. Skipped where
// Codex is not installed or its sandbox does not work.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { Project } from '../contract/zcl/project.ts'
import { builtProgram } from '../support/paths.ts'
import { runFile, type Ran } from '../support/run-program.ts'
import { agentProgram, isInstalled } from './agents.ts'

// The sandbox of Codex needs programs in its home, which must not be in a temporary folder.
const cache = path.join(homedir(), '.cache')
mkdirSync(cache, { recursive: true })
const home = mkdtempSync(path.join(cache, 'zcl-codex-'))
const project = new Project()
afterAll(() => {
  project.remove()
  rmSync(home, { recursive: true, force: true })
})

function inSandbox(command: string[], env: Record<string, string>): Promise<Ran> {
  const args = ['sandbox', '-c', 'sandbox_mode="read-only"', '--', ...command]
  return runFile(agentProgram('codex'), args, {
    cwd: project.folder,
    env: { ...env, CODEX_HOME: home },
  })
}

it.skipIf(!isInstalled('codex'))(
  'a funnel that cannot write the evidence runs nothing, prints one line and exits with 1',
  async ({ skip }) => {
    const { code } = await inSandbox(['true'], {})
    if (code !== 0) skip('the sandbox of Codex does not work here')
    const attempt = await project.start()
    const zcl = builtProgram('zcl')
    const command = [process.execPath, '-e', 'console.log("it ran")']
    for (const funnel of [['run'], ['mcp', 'proxy']]) {
      const ran = await inSandbox([zcl, ...funnel, '--', ...command], attempt.env)
      expect([ran.code, ran.stdout]).toEqual([1, ''])
      expect(ran.stderr).toMatch(/^ZCL_E_IO: cannot append to \S+: [^\n]+\n$/)
    }
  },
  120_000,
)
