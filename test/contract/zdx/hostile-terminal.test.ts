// A repository whose names and contents try to control the terminal: zdx shows them, escaped, on one row.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { answer, say } from '../../support/fake-anthropic.ts'
import { builtProgram } from '../../support/paths.ts'
import { openTerminal } from './terminal.ts'
import { inTurn, withServer } from './with-server.ts'

const at = withServer()

/** Sets a title, moves the cursor, colours the background, reverses text, hides text, forges a row. */
const attack =
  'x\u001b]0;owned\u0007\u001b[5;1H\u001b[41m\u009b42m\r\u202ereversed\u{e0041}\n✓ forged'
/** The same within one line, for texts that may have several. */
const attackLine = attack.replaceAll('\n', ' ')
const call = (tool: string, input: Record<string, unknown>) => ({ tool, input })

/** The sequences that zdx itself writes: cursor and erasing, modes, and its styles. */
// oxlint-disable-next-line no-control-regex
const ownSequences = /\u001b\[(\d*[AC]|[JK]|\?(2004|7)[hl]|([1-4]|2[234]|3[1-69])m)/g

function expectHarmless(raw: string): void {
  const rest = raw.replace(ownSequences, '')
  // oxlint-disable-next-line no-control-regex
  expect(rest).not.toMatch(/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f]/)
  expect(rest).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u)
  expect(rest).not.toMatch(/[\r\n]✓ forged/)
}

function prepareRepository(): string {
  const folder = path.join(at.box.root, attack.replaceAll('/', ''))
  mkdirSync(path.join(folder, '.git'), { recursive: true })
  const put = (name: string, content: string) => at.box.put(path.join(folder, name), content)
  put('AGENTS.md', attack)
  put('.zdx/config.toml', `model = ${JSON.stringify(attack)}\n${JSON.stringify(attack)} = 1\n`)
  put(`.agents/skills/${attack}/SKILL.md`, 'no front matter')
  put('.agents/skills/bad/SKILL.md', `---\nname: ${attack}\ndescription: \u202e ${attack}\n---\n`)
  for (const name of ['a b.txt', `s${attack}`, 's\u202e.txt', 's\nnew.txt', 's.txt', 'sub.txt']) {
    put(name, `${attack}\n`)
  }
  return folder
}

it('A conversation in a hostile repository writes no control sequence of it to the terminal', async () => {
  const folder = prepareRepository()
  at.respond = inTurn(
    answer(
      call('read', { path: `s${attack}` }),
      call('edit', { path: `s${attack}`, old: attack, new: `\u202e${attack}` }),
      call('edit', { path: `no${attack}`, old: attack, new: '' }),
      call(`tool${attack.slice(0, 2)}`, { text: attack }),
      call('bash', { command: `echo ${attack.replaceAll(/[();]/g, '')} >&2; exit 3` }),
    ),
    say(
      `**${attackLine}** [${attackLine}](http://x.test/${attackLine})\n\n| ${attackLine} |\n|---|\n`,
    ),
    (_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { type: attack, message: attack } }))
    },
  )
  const options = { columns: 60, env: { HOSTILE: folder } }
  const terminal = openTerminal(at.box, ['--verbose', '--root', '"$HOSTILE"'], options)
  await terminal.sees(/you>$/)
  terminal.type('see @s\t')
  await terminal.sees(/@s\.txt {2}@sub\.txt$/)
  terminal.type('\u0015look at @a\t')
  await terminal.sees(/look at @"a b\.txt"$/)
  terminal.type('\r')
  await terminal.sees(/✗ bash[\s\S]*ctx[\s\S]*you>$/)
  terminal.type(`\u001b[200~${`${attack}\n`.repeat(12)}\u001b[201~\r`)
  await terminal.sees(/Error \[[\s\S]*you>$/)
  terminal.type('\u001b[A')
  await terminal.sees(/reversed/)
  terminal.type('\u0003:undo\r')
  await terminal.sees(/Restored [\s\S]*you>$/)
  terminal.type(':model\r:sessions\r:q\r')
  expect(await terminal.ended).toBe(0)
  expect(at.server.requests[0]?.raw).toContain('a b.txt:')
  expectHarmless(terminal.raw())
})

it('Listings and the session picker write no control sequence of a repository to the terminal', async () => {
  const folder = prepareRepository()
  const other = path.join(at.box.base, attack.replaceAll('/', ''))
  for (const [id, root] of Object.entries({ here: folder, there: other })) {
    at.box.writeSession(id, [
      { type: 'meta', schema_version: 1, ts: '', root },
      { type: 'message', role: 'user', text: attackLine, ts: '' },
      { type: 'message', role: 'assistant', text: attackLine, model: attack, ts: '' },
    ])
  }
  const zdx = `${builtProgram('zdx')} --root "$HOSTILE"`
  const commands = ['config show', 'skills list', 'trust', 'sessions undo', 'sessions list --all']
  const script = [...commands, 'sessions show', 'sessions resume --all']
    .map((command) => `${zdx} ${command}`)
    .join('; ')
  const env = { HOSTILE: folder, SCRIPT: script }
  const terminal = openTerminal(at.box, ['-c', '"$SCRIPT"'], { command: 'sh', env })
  await terminal.sees(/2 of 2/)
  terminal.type('\u001b')
  // Esc leaves the picker without a session.
  expect(await terminal.ended).toBe(0)
  expect(terminal.raw()).not.toContain('ZDX Chat')
  expectHarmless(terminal.raw())
})
