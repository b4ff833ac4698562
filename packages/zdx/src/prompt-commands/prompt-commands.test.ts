import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expandTemplate, loadPromptCommands } from './prompt-commands.ts'

let at: string
beforeEach(() => {
  at = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-commands-')))
})
afterEach(() => rmSync(at, { recursive: true, force: true }))

function put(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(at, file)), { recursive: true })
  writeFileSync(path.join(at, file), text)
}
const load = () =>
  loadPromptCommands({ base: path.join(at, 'base'), project: path.join(at, 'project'), home: at })

describe('prompt commands', () => {
  it('come from the configuration folder and the project; those of the user win', () => {
    put('base/commands/fix.md', 'mine')
    put('project/.agents/commands/fix.md', 'theirs')
    put('project/.agents/commands/review.md', '---\ndescription: Reviews\n---\nReview $1')
    put('project/.agents/commands/bad name.md', 'x')
    put('project/.agents/commands/empty.md', ' \n')
    const commands = load()
    expect([...commands.keys()]).toEqual(['fix', 'review'])
    expect(commands.get('fix')?.expand('')).toBe('mine')
    expect(commands.get('review')?.description).toBe('Reviews')
    expect(commands.get('review')?.expand('src')).toBe('Review src')
  })

  it('do not follow links out of the project', () => {
    put('secret.md', 'secret')
    mkdirSync(path.join(at, 'project/.agents/commands'), { recursive: true })
    symlinkSync('../../../secret.md', path.join(at, 'project/.agents/commands/x.md'))
    expect(load().size).toBe(0)
  })

  it.each([
    ['Fix $ARGUMENTS now', 'a b', 'Fix a b now'],
    ['$1 then $2, $3.', '"one two" three', 'one two then three, .'],
    ['Plain', '', 'Plain'],
    ['Plain', 'more words', 'Plain\n\nmore words'],
    ['Costs $10 and $&', 'x', 'Costs x0 and $&'],
    ['$ARGUMENTS', '$1 $&', '$1 $&'],
  ])('expand %j with %j', (template, text, expected) => {
    expect(expandTemplate(template, text)).toBe(expected)
  })
})
