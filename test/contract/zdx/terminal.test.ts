// zdx on a real terminal: the editor, the tool lines, Markdown, steering.
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { answer, say } from '../../support/fake-anthropic.ts'
import { builtProgram } from '../../support/paths.ts'
import { until } from './sandbox.ts'
import { openTerminal } from './terminal.ts'
import { inTurn, withServer } from './with-server.ts'

const at = withServer(say('**fine**'))

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

const lastPrompts = () => at.server.requests.map(({ body }) => body.messages.at(-1)?.content)
const pasted = (text: string) => `\u001b[200~${text}\u001b[201~`
const call = (tool: string, input: Record<string, unknown>) => ({ tool, input })

describe('zdx auth login on a terminal', () => {
  it('never echoes the key, even if it is typed at once', async () => {
    const terminal = openTerminal(at.box, ['auth', 'login', 'openai', '--insecure-file'])
    await terminal.shows('OpenAI API key (not shown): ')
    terminal.type('sk-hiddenX\u007f-key\r')
    expect(await terminal.ended).toBe(0)
    expect(terminal.raw()).not.toMatch(/sk-|hidden|\*/)
    const file = path.join(at.box.zdxHome, 'credentials.json')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ openai: 'sk-hidden-key' })
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('stores nothing after Ctrl+C', async () => {
    const terminal = openTerminal(at.box, ['auth', 'login', 'openai', '--insecure-file'])
    await terminal.shows('(not shown): ')
    terminal.type('sk-half\u0003')
    expect(await terminal.ended).toBe(130)
    expect(terminal.raw()).not.toContain('sk-half')
    expect(existsSync(path.join(at.box.zdxHome, 'credentials.json'))).toBe(false)
  })
})

describe('the editor of a conversation', () => {
  it('sends lines that were typed before it was drawn', async () => {
    const terminal = openTerminal(at.box)
    terminal.type('typed early\r')
    await until(() => at.server.requests.length === 1)
    await terminal.sees(/s\nyou>$/)
    terminal.type('\u0004')
    expect(await terminal.ended).toBe(0)
    expect(lastPrompts()).toEqual(['typed early'])
  })

  it('completes and attaches paths, sends pasted lines as one prompt and styles the answer', async () => {
    at.box.put('notes/READING.md', 'x')
    const terminal = openTerminal(at.box)
    await terminal.shows('you> ')
    terminal.type('look at @not\t')
    await terminal.sees(/@notes\/$/m)
    terminal.type('R\t\r')
    await terminal.shows('fine')
    await terminal.sees(/s\nyou>$/)
    terminal.type(`${pasted('one\ntwo')}\r`)
    await until(() => at.server.requests.length === 2)
    await terminal.sees(/> two\nfine\n.* s\nyou>$/)
    terminal.type('\u0004')
    expect(await terminal.ended).toBe(0)
    expect(lastPrompts()).toEqual([
      'look at @notes/READING.md\n\nnotes/READING.md:\n```md\nx\n```',
      'one\ntwo',
    ])
    expect(terminal.raw()).toContain('\u001b[1mfine\u001b[22m')
  })

  it('collapses a large paste, adds lines and searches the history', async () => {
    const terminal = openTerminal(at.box)
    await terminal.shows('you> ')
    const lines = Array.from({ length: 300 }, (_none, index) => `line ${index}`).join('\n')
    terminal.type(`see ${pasted(lines)}`)
    await terminal.sees(/you> see \[pasted 300 lines\]$/)
    terminal.type('\u001b\rmore\\\rend\r')
    await until(() => at.server.requests.length === 1)
    expect(lastPrompts()).toEqual([`see ${lines}\nmore\nend`])
    await terminal.sees(/fine\n.* s\nyou>$/)
    terminal.type('short one\r')
    await until(() => at.server.requests.length === 2)
    await terminal.sees(/short one\nfine\n.* s\nyou>$/)
    terminal.type('\u0012hort')
    await terminal.sees(/\(search\) hort: short one/)
    terminal.type('\r')
    await until(() => at.server.requests.length === 3)
    expect(lastPrompts()[2]).toBe('short one')
    await terminal.sees(/short one\nfine\n.* s\nyou> short one\nfine\n.* s\nyou>$/)
    terminal.type('\u0004')
    expect(await terminal.ended).toBe(0)
  })

  it('survives Ctrl+Z and fg with the typed text, and redraws after a resize', async () => {
    const zdx = builtProgram('zdx')
    const terminal = openTerminal(at.box, ['-i'], { command: 'sh', env: { PS1: '$ ' } })
    await terminal.sees(/[$#]$/)
    terminal.type(`${zdx} --no-save\r`)
    await terminal.sees(/\nyou>$/)
    terminal.type('kept text')
    await terminal.sees(/you> kept text$/)
    terminal.type('\u001a')
    await terminal.sees(/[$#]$/)
    terminal.type('stty -a | grep -o "[-]*icanon"; echo "in the shell"\r')
    await terminal.sees(/\nicanon\nin the shell\n[$#]$/)
    terminal.type('fg\r')
    await terminal.sees(/zdx --no-save\nyou> kept text$/)
    await terminal.resize(60)
    await terminal.sees(/you> kept text$/)
    terminal.type('!\r')
    await until(() => at.server.requests.length === 1)
    expect(lastPrompts()).toEqual(['kept text!'])
    await terminal.sees(/fine[\s\S]*you>$/)
    terminal.type(':q\r')
    await terminal.sees(/Goodbye!\n[$#]$/)
    terminal.type('exit\r')
    expect(await terminal.ended).toBe(0)
  })

  it('runs ! with the terminal, sends the output of !! and opens $EDITOR', async () => {
    at.box.put('editor.sh', 'printf "from the editor" > "$1"\n')
    const env = { VISUAL: '', EDITOR: `sh ${path.join(at.box.root, 'editor.sh')}` }
    const terminal = openTerminal(at.box, [], { env })
    await terminal.shows('you> ')
    terminal.type('!test -t 0 && test -t 1 && echo "a terminal"\r')
    await terminal.sees(/\na terminal\nyou>$/)
    terminal.type('!!echo secret-$((40 + 2)); exit 3\r')
    await terminal.sees(/\nsecret-42\n\(exit 3\)\nyou>$/)
    terminal.type(':edit\r')
    await terminal.sees(/you> from the editor$/)
    expect(at.server.requests).toHaveLength(0)
    terminal.type('\r')
    await until(() => at.server.requests.length === 1)
    expect(lastPrompts()[0]).toMatch(
      /^from the editor\n\nOutput of `echo .*\(exit 3\):\n```\nsecret-42\n```$/,
    )
    await terminal.sees(/fine[\s\S]*you>$/)
    terminal.type('\u0003')
    expect(await terminal.ended).toBe(130)
  })

  it('starts with the prompt of the command line and works with NO_COLOR at 60 columns', async () => {
    at.respond = say(
      '# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet x\n```\n',
      'word '.repeat(30),
    )
    const options = { columns: 60, env: { NO_COLOR: '1' } }
    const terminal = openTerminal(at.box, ['"fix the test"'], options)
    await terminal.sees(/you> fix the test\n# Title\n\n┌───┬───┐\n│ a │ b │[\s\S]*\n {2}let x\n/)
    await terminal.sees(/(word ){11}word\nword[\s\S]*\nyou>$/)
    // Colours and styles; only modes and cursor movements may be written.
    // oxlint-disable-next-line no-control-regex
    expect(terminal.raw()).not.toMatch(/\u001b\[[0-9;]*m/)
    terminal.type('\u0004')
    expect(await terminal.ended).toBe(0)
    expect(lastPrompts()).toEqual(['fix the test'])
  })
})

describe('a turn on a terminal', () => {
  it('shows a line per call with its outcome, diffs, and the last output of a failed command', async () => {
    at.box.put('src/a.txt', 'one\ntwo words here\nthree\n')
    const command = 'for i in 1 2 3 4 5 6; do echo out $i; done; exit 3'
    at.respond = inTurn(
      answer(
        call('read', { path: 'src/a.txt' }),
        call('read', { path: 'src/a.txt', offset: 2, limit: 2 }),
        call('edit', { path: 'src/a.txt', old: 'two wrds here', new: 'x' }),
        call('edit', { path: 'src/a.txt', old: 'three', new: 'four' }),
        call('write', { path: 'long.txt', content: 'x\n'.repeat(30) }),
        call('bash', { command }),
      ),
      say('done'),
    )
    const terminal = openTerminal(at.box, ['exec', 'go', '--no-save'])
    expect(await terminal.ended).toBe(0)
    const screen = terminal.screen()
    expect(screen).toMatch(/^✓ read src\/a\.txt {2}25 B {2}\(\d+\.\d\ds\)$/m)
    expect(screen).toMatch(/^✓ read src\/a\.txt:2-3 {2}25 B {2}/m)
    expect(screen).toMatch(
      /^✗ edit src\/a\.txt {2}old_not_found \(nearest: line 2\) {2}\(\d+\.\d\ds\)$/m,
    )
    expect(screen).toMatch(
      /^✓ edit src\/a\.txt {2}\+1 -1 {2}\(.*s\)\n.*@@\n.*\n.*\n {2}-three\n {2}\+four$/m,
    )
    expect(screen).toMatch(
      /^✓ write long\.txt {2}\+30 -0 .*\n.*@@\n( {2}\+x\n){19} {2}… 11 more lines$/m,
    )
    expect(screen).toMatch(
      /^✗ bash for i in .* exit 3 {2}\(.*s\)\n {2}out 2\n {2}out 3\n {2}out 4\n {2}out 5\n {2}out 6\n/m,
    )
    expect(screen).not.toMatch(/Done\.|Running|out 1\n/)
    expect(screen).toMatch(/^done\nctx 12\/200k \(0 %\), .*\d s$/m)
  })

  it('shows the last output lines of a running command and erases them', async () => {
    const command =
      'for i in 1 2 3 4 5 6 7; do echo live $i; done; until [ -f go ]; do sleep 0.1; done'
    at.respond = inTurn(answer(call('bash', { command })), say('done'))
    const terminal = openTerminal(at.box, ['exec', 'go', '--no-save'])
    await terminal.sees(
      /bash .* 1\.\d s\n {2}live 3\n {2}live 4\n {2}live 5\n {2}live 6\n {2}live 7$/,
    )
    at.box.put('go', '')
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).not.toContain('live 3')
    expect(terminal.screen()).toMatch(/^✓ bash .* exit 0 {2}\(\d\.\d\ds\)\ndone$/m)
  })

  it('sends a line that is typed during it with its next request', async () => {
    const command = 'until [ -f go ]; do sleep 0.05; done'
    at.respond = inTurn(answer(call('bash', { command })), say('steered'))
    const terminal = openTerminal(at.box)
    await terminal.shows('you> ')
    terminal.type('start\r')
    await terminal.sees(/bash until/)
    at.box.put('shot.png', png)
    terminal.type('see @shot.png')
    await terminal.sees(/next> see @shot.png$/)
    terminal.type('\r')
    await terminal.sees(/queued: see @shot.png$/)
    at.box.put('go', '')
    await terminal.sees(/✓ bash .*\nyou> see @shot.png\n[\s\S]*steered\n[\s\S]*you>$/)
    terminal.type(':q\r')
    expect(await terminal.ended).toBe(0)
    expect(at.server.requests).toHaveLength(2)
    expect(lastPrompts()[1]).toMatchObject([
      { type: 'tool_result' },
      { type: 'text', text: expect.stringMatching(/^see @shot.png\n/) },
      { type: 'image', source: { media_type: 'image/png', data: png.toString('base64') } },
    ])
    const [id = ''] = at.box.sessionIds()
    const steered = at.box.session(id).find((line) => line.steered === true)
    expect(steered).toMatchObject({ role: 'user', images: [{ media_type: 'image/png' }] })
  })

  it('is stopped by Ctrl+C, which keeps a queued line in the editor', async () => {
    at.respond = answer(call('bash', { command: 'sleep 300' }))
    const terminal = openTerminal(at.box)
    await terminal.shows('you> ')
    terminal.type('never sent\u0003')
    await terminal.sees(/you>$/)
    terminal.type('go\r')
    await terminal.sees(/bash sleep 300/)
    terminal.type('later\r')
    await terminal.sees(/queued: later$/)
    terminal.type('\u0003')
    await terminal.sees(
      /✗ bash sleep 300 {2}cancelled {2}\(.*\n[\s\S]*\^C Interrupted\.\n[\s\S]*you> later$/,
    )
    terminal.type('\u0003\u0003')
    expect(await terminal.ended).toBe(130)
    expect(lastPrompts()).toEqual(['go'])
  })

  it('shows the time while the model is being asked', async () => {
    at.respond = () => {}
    const terminal = openTerminal(at.box, ['exec', '-p', 'go'])
    await terminal.sees(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] 0\.\d s$/)
    terminal.type('\u0003')
    expect(await terminal.ended).toBe(130)
  })
})
