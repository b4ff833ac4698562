// Behaviour common to all programs: help, version, completions, usage errors.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { repository } from '../../support/paths.ts'
import type { ProgramName } from '../../support/run-program.ts'
import { runFile, runProgram } from '../../support/run-program.ts'

const programs: ProgramName[] = ['zdx', 'zeno', 'zino', 'zcl', 'zee']
const temporary = mkdtempSync(path.join(os.tmpdir(), 'zee-launcher-'))
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

/** The launcher without its first lines, which start Node. */
function launcherOf(name: ProgramName): string {
  const file = path.join(repository, 'packages', name, 'bin', `${name}.cjs`)
  const text = readFileSync(file, 'utf8')
  return text.slice(text.indexOf("'use strict'")).replaceAll(name, '<program>')
}

// Each package is installed alone and needs its own copy. The launcher of zee also passes commands on.
it.each(programs.filter((name) => name !== 'zee'))(
  'the launcher of %s equals that of the other programs',
  (name) => expect(launcherOf(name)).toBe(launcherOf('zcl')),
)

describe.each(programs)('%s', (name) => {
  it('prints its version in one line', async () => {
    const { code, stdout, stderr } = await runProgram(name, ['--version'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^${name} 0\\.1\\.\\d+\\n$`))
    expect((await runProgram(name, ['version'])).stdout).toBe(stdout)
  })

  it('prints help with usage and options on stdout', async () => {
    const { code, stdout, stderr } = await runProgram(name, ['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^Usage: ${name} `))
    expect(stdout).toContain('--help')
    for (const words of [['help'], ['-h'], ['version', '--help'], ['help', '--help']]) {
      expect((await runProgram(name, words)).stdout).toBe(stdout)
    }
  })

  it('prints the same help whether or not the parser is loaded', async () => {
    const quick = await runProgram(name, ['completion', '--help'])
    const parsed = await runProgram(name, ['completion', 'bash', '--help'])
    expect(quick).toEqual(parsed)
    expect(quick.stdout).toContain(`Usage: ${name} completion`)
  })

  it.each([
    ['an unknown command', ['frobnicate']],
    ['an unknown flag', ['--frobnicate']],
    ['an unknown flag of a command', ['completion', 'bash', '--frobnicate']],
    ['a missing argument', ['completion']],
    ['a value that is not among the choices', ['completion', 'tcsh']],
    ['a surplus argument', ['completion', 'bash', 'zsh']],
    ['help for an unknown command', ['help', 'frobnicate']],
  ])('refuses %s with exit 2 and one line on stderr', async (_what, args) => {
    const { code, stdout, stderr } = await runProgram(name, args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^[^\n]+\n$/)
  })

  it('runs in another working directory, without HOME and with NODE_ENV=production', async () => {
    const env = { HOME: undefined, NODE_ENV: 'production' }
    const { code, stdout } = await runProgram(name, ['--version'], { cwd: '/', env })
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(name) })
  })

  it('names the build command when its bundle is missing', async () => {
    const copy = path.join(temporary, name)
    cpSync(path.join(repository, 'packages', name, 'bin'), path.join(copy, 'bin'), {
      recursive: true,
    })
    const { code, stderr } = await runFile(path.join(copy, `bin/${name}.cjs`), ['--version'])
    expect(code).toBe(1)
    expect(stderr).toContain('run npm run build')
  })

  it('writes completions that bash loads and that complete its commands', async () => {
    const { stdout } = await runProgram(name, ['completion', 'bash'])
    const answer = execFileSync('bash', {
      input: `${stdout}\nCOMP_WORDS=(${name} compl); COMP_CWORD=1; _${name}_complete; echo "\${COMPREPLY[@]}"`,
    })
    expect(answer.toString().trim()).toBe('completion')
    const shells = execFileSync('bash', {
      input: `${stdout}\nCOMP_WORDS=(${name} completion ''); COMP_CWORD=2; _${name}_complete; echo "\${COMPREPLY[@]}"`,
    })
    expect(shells.toString().trim()).toBe('bash zsh fish')
  })

  it.each(['zsh', 'fish'])('writes completions for %s', async (shell) => {
    const { code, stdout } = await runProgram(name, ['completion', shell])
    expect(code).toBe(0)
    expect(stdout).toContain(`${shell} completion for ${name}`)
    expect(stdout).toContain('completion')
  })
})
