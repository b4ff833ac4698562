// A separate home and project for tests of zee, with a session of zdx and an attempt of zcl in it.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { runCommand } from '../run-here.ts'
import { runProgram, type ProgramName, type Ran } from '../../support/run-program.ts'

export class ZeeSandbox {
  readonly base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-front-')))
  readonly project = path.join(this.base, 'project')
  readonly env: Record<string, string | undefined> = {
    HOME: path.join(this.base, 'home'),
    ZDX_HOME: undefined,
    ZINO_CONFIG: undefined,
    ZCL_OUT_ROOT: undefined,
    XDG_CONFIG_HOME: undefined,
    XDG_CACHE_HOME: undefined,
    ANTHROPIC_API_KEY: undefined,
    OPENAI_API_KEY: undefined,
    GEMINI_API_KEY: undefined,
    OPENROUTER_API_KEY: undefined,
    // Nothing listens here: local servers of the developer's machine are not found.
    OLLAMA_BASE_URL: 'http://127.0.0.1:9/v1',
    LMSTUDIO_BASE_URL: 'http://127.0.0.1:9/v1',
    LLAMACPP_BASE_URL: 'http://127.0.0.1:9/v1',
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${path.join(this.base, 'no-bus')}`,
  }

  constructor() {
    mkdirSync(path.join(this.base, 'home'))
    mkdirSync(this.project)
  }

  run(
    name: ProgramName,
    args: string[],
    env: Record<string, string | undefined> = {},
  ): Promise<Ran> {
    const run =
      name === 'zcl' || name === 'zdx'
        ? runCommand.bind(undefined, name)
        : runProgram.bind(undefined, name)
    return run(args, { cwd: this.project, env: { ...this.env, ...env } })
  }

  zee(args: string[], env?: Record<string, string | undefined>): Promise<Ran> {
    return this.run('zee', args, env)
  }

  /** Runs one scripted prompt with zdx; the answer contains `words`. */
  async answer(prompt: string, words: string, options: readonly string[] = []): Promise<void> {
    const play = path.join(this.base, 'play.jsonl')
    const usage = { usage: { input_tokens: 1200, output_tokens: 34 } }
    const steps = [{ text: words }, usage, { end: true }]
    // A continued session plays the response after those it has.
    const response = steps.map((step) => `${JSON.stringify(step)}\n`).join('')
    writeFileSync(play, response.repeat(4))
    const args = ['--provider', 'script', '--model', play, 'exec', '-p', prompt, ...options]
    const { code, stderr } = await this.run('zdx', args)
    expect(code, stderr).toBe(0)
  }

  /** Records one command as an attempt of zcl and returns its folder. */
  async attempt(command: string[]): Promise<string> {
    await this.run('zcl', ['init'])
    const start = ['attempt', 'start', '--suite', 'shop', '--mission', 'fix-it', '--json']
    const started = await this.run('zcl', start)
    expect(started.code, started.stderr).toBe(0)
    const { outDirAbs, env } = JSON.parse(started.stdout) as {
      outDirAbs: string
      env: Record<string, string>
    }
    await this.run('zcl', ['run', '--', ...command], env)
    return outDirAbs
  }

  remove(): void {
    rmSync(this.base, { recursive: true, force: true })
  }
}
