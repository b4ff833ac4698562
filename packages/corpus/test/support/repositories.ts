// Git repositories for tests, written by the real git with a fixed clock.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export interface TestRepository {
  root: string
  git(...args: string[]): string
  /** Writes files, or removes those that are undefined, and commits. Returns the commit. */
  commit(message: string, files: Record<string, string | Uint8Array | undefined>): string
}

export function repositoryAt(root: string, ...initArgs: string[]): TestRepository {
  let time = 1_700_000_000
  const git = (...args: string[]): string => {
    const date = `${time} +0100`
    const env = {
      PATH: process.env.PATH,
      HOME: root,
      LC_ALL: 'C.UTF-8',
      GIT_AUTHOR_NAME: 'Ann',
      GIT_AUTHOR_EMAIL: 'ann@example.com',
      GIT_COMMITTER_NAME: 'Ann',
      GIT_COMMITTER_EMAIL: 'ann@example.com',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    }
    const options = ['-C', root, '-c', 'core.quotepath=off', '-c', 'gc.auto=0']
    return execFileSync('git', [...options, ...args], {
      env,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }
  git('init', '-q', '-b', 'main', ...initArgs, '.')
  return {
    root,
    git,
    commit(message, files) {
      for (const [name, body] of Object.entries(files)) {
        const file = path.join(root, name)
        mkdirSync(path.dirname(file), { recursive: true })
        if (body === undefined) rmSync(file)
        else writeFileSync(file, body)
      }
      time += 60
      git('add', '-A')
      git('commit', '-q', '--allow-empty', '-m', message)
      return git('rev-parse', 'HEAD').trim()
    },
  }
}
