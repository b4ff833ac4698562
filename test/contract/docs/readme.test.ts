// README.md and the pages of zdx and zino are true: their transcripts are run, one shell for each, and
// print what they say. Those of zeno and zcl have tests of their own.
import { afterEach, describe, expect, it } from 'vitest'
import { agentPlay, repositoryFiles, zinoPlay } from '../../../tour/story.ts'
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
    'prints what the transcript of `%s` says',
    (_first, steps) => {
      const at = newHome('shop')
      for (const [name, text] of Object.entries(repositoryFiles)) at.put(`shop/${name}`, text)
      at.put('zdx-play.jsonl', agentPlay.map((step) => JSON.stringify(step)).join('\n'))
      at.put('zino-play.jsonl', zinoPlay.map((step) => JSON.stringify(step)).join('\n'))
      expect(at.play(steps)).toEqual(steps.map(({ output }) => at.steady(output)))
    },
  )

  it('names the two commands of package.json', () => {
    const { scripts } = JSON.parse(readPage('package.json')) as { scripts: Record<string, string> }
    expect(page).toContain('```sh\nnpm ci && npm run tour\n```')
    expect(page).toContain('```sh\nnpm ci && npm test\n```')
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['tour', 'test']))
  })

  it('has a picture of a tour as it is now', () => {
    const picture = readPage('docs/tour.svg')
    for (const words of ['npm run tour', 'SCRIPTED', 'the memory survived', 'Try next']) {
      expect(picture).toContain(words)
    }
  })
})

it('docs/zdx.md prints what its transcript says, with the screenplay below it', () => {
  const page = readPage('docs/zdx.md')
  const at = newHome()
  at.put('greet.sh', 'echo hello\n')
  at.put('tour.jsonl', /```jsonl\n([\s\S]*?)```/.exec(page)?.[1] ?? '')
  const [steps = []] = transcriptsOf(page)
  expect(steps.length).toBe(4)
  expect(at.play(steps)).toEqual(steps.map(({ output }) => at.steady(output)))
})

it('docs/zino.md prints what its transcript says, with the screenplay that it shows', () => {
  const [steps = []] = transcriptsOf(readPage('docs/zino.md'))
  const at = newHome()
  expect(steps[0]?.command).toBe('cat tour.jsonl')
  at.put('tour.jsonl', steps[0]?.output ?? '')
  expect(at.play(steps)).toEqual(steps.map(({ output }) => at.steady(output)))
})
