// A separate home, configuration folder and project for one zdx test.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FakeAnthropic } from '../../support/fake-anthropic.ts'
import { builtProgram } from '../../support/paths.ts'
import type { Ran } from '../../support/run-program.ts'
import { runCommand } from '../run-here.ts'

type Line = Record<string, unknown>

export interface Sandbox {
  base: string
  home: string
  zdxHome: string
  root: string
  env: Record<string, string | undefined>
  zdx(
    args: string[],
    options?: { input?: string; env?: Record<string, string | undefined> },
  ): Promise<Ran>
  exec(prompt: string, ...args: string[]): Promise<Ran>
  start(args: string[], env?: Record<string, string | undefined>): ChildProcess
  sessionIds(): string[]
  session(id: string): Line[]
  writeSession(id: string, lines: (Line | string)[]): void
  config(toml: string): void
  put(name: string, content: string | Uint8Array): string
  remove(): void
}

export function createSandbox(server?: FakeAnthropic): Sandbox {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-zdx-')))
  const [home, zdxHome, root] = ['home', 'zdx', 'project'].map((name) => path.join(base, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [home, zdxHome, root]) mkdirSync(folder)
  const sessions = path.join(zdxHome, 'sessions')
  const env: Record<string, string | undefined> = {
    HOME: home,
    ZDX_HOME: zdxHome,
    XDG_CONFIG_HOME: undefined,
    NODE_EXTRA_CA_CERTS: undefined,
    // Tests must not reach the developer's keyring.
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${path.join(base, 'no-bus')}`,
    ANTHROPIC_API_KEY: undefined,
    ANTHROPIC_BASE_URL: undefined,
    ...server?.env,
  }
  return {
    base,
    home,
    zdxHome,
    root,
    env,
    zdx: (args, options = {}) =>
      runCommand('zdx', args, {
        cwd: root,
        env: { ...env, ...options.env },
        input: options.input,
      }),
    exec(prompt, ...args) {
      return this.zdx(['exec', '-p', prompt, ...args])
    },
    start: (args, more = {}) =>
      spawn(builtProgram('zdx'), args, {
        cwd: root,
        env: { ...process.env, ...env, ...more },
        stdio: ['pipe', 'pipe', 'pipe'],
      }),
    sessionIds: () =>
      existsSync(sessions)
        ? readdirSync(sessions)
            .filter((name) => name.endsWith('.jsonl'))
            .map((name) => name.slice(0, -6))
        : [],
    session: (id) =>
      readFileSync(path.join(sessions, `${id}.jsonl`), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Line),
    writeSession: (id, lines) => {
      mkdirSync(sessions, { recursive: true })
      const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
      writeFileSync(path.join(sessions, `${id}.jsonl`), texts.map((text) => `${text}\n`).join(''))
    },
    config: (toml) => writeFileSync(path.join(zdxHome, 'config.toml'), toml),
    put: (name, content) => {
      const file = path.resolve(root, name)
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, content)
      return file
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  }
}

/** Polls until the condition holds; fails after a deadline. */
export async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 20_000
  while (!condition()) {
    if (Date.now() > end) throw new Error('waited in vain')
    await sleep(5)
  }
}
