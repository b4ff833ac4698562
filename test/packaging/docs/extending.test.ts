// Applies every file and table row of docs/extending.md to a copy of the repository, builds it and
// compares the output of the commands with the page.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repository } from '../../support/paths.ts'

interface Section {
  title: string
  blocks: Block[]
}

/**
 * A fenced block: ```ts create=<file> and ```diff file=<file> change the copy of the repository,
 * ```yaml write=<file> adds an input of the commands, and ```console holds commands with their output.
 */
interface Block {
  language: string
  file: string
  text: string
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'zee-extending-'))
const copy = path.join(folder, 'zee')
const work = path.join(folder, 'work')
const bin = path.join(folder, 'bin')
const sections = readSections(readFileSync(path.join(repository, 'docs/extending.md'), 'utf8'))

beforeAll(() => {
  copyRepository()
  mkdirSync(work)
  linkPrograms()
  for (const block of sections.flatMap(({ blocks }) => blocks)) applyBlock(block)
  execFileSync(process.execPath, ['build/build.mjs'], { cwd: copy, stdio: 'pipe' })
}, 600_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('docs/extending.md adds files to folders that have space for them', () => {
  execFileSync('git', ['init', '--quiet'], { cwd: copy })
  const run = spawnSync(process.execPath, ['build/check-rooms.mjs'], {
    cwd: copy,
    encoding: 'utf8',
  })
  expect(run.stdout + run.stderr).toBe('')
})

describe.each(sections)('docs/extending.md: $title', ({ blocks }) => {
  it('shows the real output of its commands', () => {
    const transcripts = blocks.filter(({ language }) => language === 'console')
    expect(transcripts.length).toBeGreaterThan(0)
    for (const { text } of transcripts) expect(play(text)).toBe(text)
  })

  it('takes at most one new file and a few table rows', () => {
    expect(blocks.filter(({ language }) => language === 'ts').length).toBeLessThanOrEqual(1)
    const rows = blocks.filter(({ language }) => language === 'diff')
    expect(rows.length).toBeLessThanOrEqual(3)
  })
})

function readSections(page: string): Section[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.slice(0, section.indexOf('\n')),
      blocks: [
        ...section.matchAll(/^```(\w+)(?: (?:create|file|write)=(\S+))?\n([^]*?)^```$/gm),
      ].map(([, language = '', file = '', text = '']) => ({ language, file, text })),
    }))
    .filter(({ blocks }) => blocks.length > 0)
}

/** The tracked and untracked files of the working tree, with its installed packages. */
function copyRepository(): void {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: repository,
    encoding: 'utf8',
  })
  const needed =
    /^(packages\/[^/]+\/(src|bin|package\.json|tsconfig\.json)|build\/|test\/(support\/)?tsconfig|tsconfig|package)/
  for (const file of listed.split('\n').filter((file) => needed.test(file))) {
    cpSync(path.join(repository, file), path.join(copy, file), { recursive: true })
  }
  const modules = path.join(copy, 'node_modules')
  mkdirSync(path.join(modules, '@zee'), { recursive: true })
  for (const name of readdirSync(path.join(repository, 'node_modules'))) {
    if (name === '@zee' || name.startsWith('.')) continue
    symlinkSync(path.join(repository, 'node_modules', name), path.join(modules, name))
  }
  for (const name of readdirSync(path.join(copy, 'packages'))) {
    symlinkSync(path.join(copy, 'packages', name), path.join(modules, '@zee', name))
  }
}

function applyBlock({ language, file, text }: Block): void {
  const target = path.join(language === 'yaml' ? work : copy, file)
  if (language === 'ts' || language === 'yaml') {
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, text, { flag: 'wx' })
  }
  if (language === 'diff') writeFileSync(target, patched(readFileSync(target, 'utf8'), file, text))
}

/** Lines with `-` become those with `+`; the other lines are context. */
function patched(source: string, file: string, diff: string): string {
  const side = (sign: string) =>
    diff
      .split('\n')
      .filter((line) => line.startsWith(' ') || line.startsWith(sign))
      .map((line) => line.slice(1))
      .join('\n')
  const parts = source.split(side('-'))
  expect(parts.length - 1, `the lines of docs/extending.md in ${file}`).toBe(1)
  return parts.join(side('+'))
}

/** Runs the commands of a transcript, with the built programs on the PATH. */
function play(transcript: string): string {
  const env = { HOME: work, PATH: `${bin}${path.delimiter}${process.env.PATH}` }
  const commands = transcript.split('\n').filter((line) => line.startsWith('$ '))
  return commands
    .map((line) => {
      const shell = spawnSync('sh', ['-c', `exec 2>&1\n${line.slice(2)}`], {
        cwd: work,
        env,
        encoding: 'utf8',
      })
      return `${line}\n${shell.stdout}`
    })
    .join('')
}

function linkPrograms(): void {
  mkdirSync(bin)
  for (const name of ['zdx', 'zeno', 'zino', 'zcl']) {
    symlinkSync(path.join(copy, `packages/${name}/bin/${name}.cjs`), path.join(bin, name))
  }
}
