// Runs the transcripts of README.md, docs/zdx.md and docs/zino.md, each in one shell, and compares
// the output. Other tests do the same for zeno and zcl.
import { afterEach, describe, expect, it } from 'vitest'
import { agentPlay, repositoryFiles, zinoPlay } from '../../../packages/zee/src/tour/story.ts'
import { Home, readPage, transcriptsOf } from './transcript.ts'

let home: Home | undefined
afterEach(() => {
  home?.remove()
  home = undefined
})

function newHome(work?: string): Home {
  home = new Home(work)
  return home
}

describe('README.md', () => {
  const page = readPage('README.md')
  const transcripts = transcriptsOf(page)

  it('has a transcript for each program', () => {
    const commands = transcripts.map(([first]) => first?.command.split(' ')[0])
    expect(commands).toEqual(['zdx', 'zeno', 'zino', 'eval'])
  })

  it.each(transcripts.map((steps) => [steps[0]?.command ?? '', steps] as const))(
    'shows the real output in the transcript that starts with `%s`',
    (_first, steps) => {
      const user = newHome('shop')
      for (const [name, text] of Object.entries(repositoryFiles)) user.put(`shop/${name}`, text)
      user.put('zdx-play.jsonl', agentPlay.map((step) => JSON.stringify(step)).join('\n'))
      user.put('zino-play.jsonl', zinoPlay.map((step) => JSON.stringify(step)).join('\n'))
      expect(user.play(steps)).toEqual(steps.map(({ output }) => user.normalize(output)))
    },
  )

  it('shows the install, tour and test commands of package.json', () => {
    const { scripts } = JSON.parse(readPage('package.json')) as { scripts: Record<string, string> }
    expect(page).toContain('```sh\nnpm ci && npm run tour\n```')
    expect(page).toContain('```sh\nnpm ci && npm test\n```')
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['tour', 'test']))
  })

  it('links a picture of the current tour', () => {
    const picture = readPage('docs/tour.svg')
    for (const words of ['npm run tour', 'SCRIPTED', 'the memory survived', 'Try next']) {
      expect(picture).toContain(words)
    }
  })
})

it('docs/zdx.md shows the real output of its transcript, which plays the screenplay below it', () => {
  const page = readPage('docs/zdx.md')
  const user = newHome()
  user.put('greet.sh', 'echo hello\n')
  user.put('tour.jsonl', /```jsonl\n([\s\S]*?)```/.exec(page)?.[1] ?? '')
  const [steps = []] = transcriptsOf(page)
  expect(steps.length).toBe(4)
  expect(user.play(steps)).toEqual(steps.map(({ output }) => user.normalize(output)))
})

/** Pages with a transcript that plays the screenplay below it, and the files that it needs. */
const zdxPages: readonly (readonly [page: string, files: Record<string, string>])[] = [
  [
    'zdx-verify',
    {
      'a.test.mjs': "import test from 'node:test'\ntest('one', () => {})\ntest('two', () => {})\n",
    },
  ],
  ['zdx-undo', { 'a.txt': 'one\n', 'b.txt': 'two\n' }],
  ['zdx-secrets', { '.env': `GITHUB_TOKEN=ghp_${'aB3'.repeat(12)}\n` }],
  [
    'zdx-bill',
    {
      'AGENTS.md': 'Use tabs.\n',
      'numbers.txt': Array.from({ length: 400 }, (_none, index) => `${index + 1}\n`).join(''),
    },
  ],
  ['zdx-archive', {}],
]

it.each(zdxPages)('docs/%s.md shows the real output of its transcript', (name, files) => {
  const page = readPage(`docs/${name}.md`)
  const user = newHome()
  for (const [file, text] of Object.entries(files)) user.put(file, text)
  const play = /<summary>(?:~\/)?([^<]*)<\/summary>\n\n```jsonl\n([\s\S]*?)```/.exec(page)
  user.put(play?.[1] ?? '', play?.[2] ?? '')
  const [steps = []] = transcriptsOf(page)
  expect(steps.length).toBeGreaterThanOrEqual(2)
  expect(user.play(steps)).toEqual(steps.map(({ output }) => user.normalize(output)))
})

it('docs/zino.md shows the real output of its transcript, which plays the screenplay in it', () => {
  const [steps = []] = transcriptsOf(readPage('docs/zino.md'))
  const user = newHome()
  expect(steps[0]?.command).toBe('cat tour.jsonl')
  user.put('tour.jsonl', steps[0]?.output ?? '')
  expect(user.play(steps)).toEqual(steps.map(({ output }) => user.normalize(output)))
})
