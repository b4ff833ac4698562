// A repository in a temporary folder.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { GitCall } from './git.ts'

export interface TestRepository {
  /** A temporary folder that contains `top`. */
  base: string
  top: string
  /** Runs git in the repository and returns its output. */
  git(...args: string[]): string
  /** Writes a file of the repository and returns its path. */
  put(name: string, contents?: string): string
  call(more?: Partial<GitCall>): GitCall
  remove(): void
}

export function makeRepository(): TestRepository {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-repository-')))
  const top = path.join(base, 'top')
  mkdirSync(top)
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@x']
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', top, ...identity, ...args], {
      stdio: 'pipe',
      encoding: 'utf8',
    }).trim()
  git('init', '-q')
  return {
    base,
    top,
    git,
    put: (name, contents = name) => {
      const file = path.join(top, name)
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, contents)
      return file
    },
    call: (more) => ({
      repository: { top, folder: path.join(top, '.git') },
      env: process.env,
      signal: new AbortController().signal,
      ...more,
    }),
    remove: () => rmSync(base, { recursive: true, force: true }),
  }
}
