// README.md is true: its transcripts are run, one shell for each, and print what they say.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { repository } from '../../support/paths.ts'
import { agentPlay, repositoryFiles, zinoPlay } from '../../../tour/story.ts'

const page = readFileSync(path.join(repository, 'README.md'), 'utf8')
const transcripts = [...page.matchAll(/<!-- transcript -->\n\n```console\n([\s\S]*?)```/g)].map(
  ([, text = '']) => text,
)

let home = ''
beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'zr-'))
  for (const [name, text] of Object.entries(repositoryFiles)) put(`shop/${name}`, text)
  put('zdx-play.jsonl', agentPlay.map((step) => JSON.stringify(step)).join('\n'))
  put('zino-play.jsonl', zinoPlay.map((step) => JSON.stringify(step)).join('\n'))
})
afterEach(() => {
  sh('zino stop 2>/dev/null || true')
  rmSync(home, { recursive: true, force: true })
})

function put(name: string, text: string): void {
  const file = path.join(home, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function sh(script: string): string {
  const bin = path.join(repository, 'node_modules/.bin')
  const env = { HOME: home, PATH: `${bin}${path.delimiter}${process.env.PATH}` }
  const options = { cwd: path.join(home, 'shop'), env, encoding: 'utf8' as const }
  return execFileSync('bash', ['-c', `exec 2>&1\n${script}`], options)
}

/** Commands with what the page says they print. */
function stepsOf(transcript: string): { command: string; output: string }[] {
  return transcript
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n')
      return { command: part.slice(0, end), output: part.slice(end + 1) }
    })
}

/** What differs from run to run: ids, times, sizes that hold times, places. */
function steady(text: string): string {
  return text
    .replaceAll(home, '/home/me')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d{8}-\d{6}Z-[0-9a-f]{6}/g, 'RUN')
    .replaceAll(/\(\d+\.\d\ds\)/g, '(0.00s)')
    .replaceAll(/"time_ms":\d+/g, '"time_ms":0')
    .replaceAll(/\b\d+(\.\d+)? (ms|s|B|KiB)\b/g, 'N')
}

/** An id that an earlier step printed is another one in this run. */
function ofThisRun(command: string): string {
  const newest = '$(ls ~/.config/zdx/sessions | head -1 | cut -d. -f1)'
  return command.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, newest)
}

describe('README.md', () => {
  it('has a transcript for each program', () => {
    const commands = transcripts.map((text) => stepsOf(text)[0]?.command.split(' ')[0])
    expect(commands).toEqual(['zdx', 'zeno', 'zino', 'eval'])
  })

  it.each(transcripts.map((text) => [stepsOf(text)[0]?.command ?? '', text]))(
    'prints what the transcript of `%s` says',
    (_first, transcript) => {
      const steps = stepsOf(transcript)
      const script = steps.map(
        ({ command }) => `printf '\\036'; { ${ofThisRun(command)}; } || true`,
      )
      const printed = sh(script.join('\n')).split('\u001e').slice(1)
      expect(printed.map(steady)).toEqual(steps.map(({ output }) => steady(output)))
    },
  )

  it('names the two commands of package.json', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    expect(page).toContain('```sh\nnpm ci && npm run tour\n```')
    expect(page).toContain('```sh\nnpm ci && npm test\n```')
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['tour', 'test']))
  })

  it('has a picture of a tour as it is now', () => {
    const picture = readFileSync(path.join(repository, 'docs/tour.svg'), 'utf8')
    for (const words of ['npm run tour', 'SCRIPTED', 'the memory survived', 'Try next']) {
      expect(picture).toContain(words)
    }
  })
})
