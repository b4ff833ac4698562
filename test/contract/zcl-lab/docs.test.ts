import { spawn } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { repository } from '../../support/paths.ts'
import { cleanEnvironment } from '../zcl/project.ts'
import { LabProject } from './lab-project.ts'

let lab: LabProject
beforeEach(() => {
  lab = new LabProject()
})
afterEach(() => lab.remove())

const page = readFileSync(path.join(repository, 'docs/zcl-lab.md'), 'utf8')
const bin = path.join(repository, 'node_modules/.bin')

test('the transcripts of the page about the lab are what the commands print', async () => {
  cpSync(path.join(repository, 'examples'), path.join(lab.folder, 'examples'), { recursive: true })
  const blocks = [...page.matchAll(/```console\n([\s\S]*?)```/g)].map(([, text = '']) => text)
  expect(blocks.length).toBeGreaterThan(1)
  let folder = lab.folder
  for (const { command, output } of blocks.flatMap(commandsIn)) {
    const [, into] = /^cd (\S+)$/.exec(command) ?? []
    if (into !== undefined) folder = path.join(folder, into)
    else
      expect([command, timeless(await shell(command, folder))]).toEqual([command, timeless(output)])
  }
})

function commandsIn(block: string): { command: string; output: string }[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...rest] = part.split('\n')
      return { command, output: rest.join('\n').trimEnd() }
    })
}

/** Ids and durations differ from run to run. */
function timeless(text: string): string {
  return text
    .trimEnd()
    .replace(/\d{8}-\d{6}Z-[0-9a-f]{6}/g, '<run>')
    .replace(/ +\d+(?:\.\d)? (?:ms|s)\b/g, ' <time>')
    .replace(/ +$/gm, '')
}

function shell(command: string, cwd: string): Promise<string> {
  const env = { ...cleanEnvironment(), HOME: lab.home, PATH: `${bin}:${process.env.PATH}` }
  const child = spawn('sh', ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] })
  let out = ''
  child.stdout.on('data', (chunk) => (out += chunk))
  return new Promise((resolve) => child.on('close', () => resolve(out)))
}
