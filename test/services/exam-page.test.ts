// The page of an attempt of the exam room in a real browser: what the agent changed, what the verifier
// printed, and what the agent said.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asProcess } from '../contract/run-here.ts'
import { LabProject } from '../contract/zcl-lab/lab-project.ts'
import { accessibilityFaults, openPage, startBrowser, type OpenPage } from './pages-browser.ts'
import type { Browser } from 'playwright-core'

/** Also contents of files and outputs are texts, never markup. */
const hostile = '<img src=x onerror="window.pwned=1">'
const lab = new LabProject()
let browser: Browser
let opened: OpenPage

/** A log of Claude Code in the HOME of the attempt. */
const log = (role: 'user' | 'assistant', content: unknown) =>
  JSON.stringify({
    type: role,
    sessionId: 's1',
    timestamp: '2026-01-01T00:00:00.000Z',
    message: { id: `m-${role}`, role, model: 'm', content },
  })
const session = [
  log('user', 'Fix the greeting.'),
  log('assistant', [
    { type: 'thinking', thinking: 'It says good bye.' },
    { type: 'text', text: 'I replace the greeting.' },
  ]),
]

beforeAll(async () => {
  lab.write('ws/greeting.txt', 'good bye\n')
  lab.write('words.jsonl', `${session.join('\n')}\n`)
  lab.write('verifier/check.sh', `echo '${hostile}'; echo 'looked closely' >&2; exit 1\n`)
  lab.suite([{ missionId: 'greet', prompt: 'Fix the greeting.' }], {
    workspace: { path: 'ws' },
    verify: [{ command: 'sh verifier/check.sh' }],
  })
  const agent = lab.agent(`printf '%s\\n' '${hostile}' > greeting.txt
mkdir -p "$HOME/.claude/projects/p"
cp "${path.join(lab.folder, 'words.jsonl')}" "$HOME/.claude/projects/p/s1.jsonl"
zcl run -- cat greeting.txt >/dev/null`)
  const run = await lab.suiteRun([], [agent], asProcess)
  expect(run.json.attempts).toMatchObject([{ code: 'ZCL_E_VERIFY_FAILED' }])
  const file = path.join(lab.folder, 'page.html')
  const attempt = path.join(run.folder, 'attempts/001-greet-r1')
  const { code, err } = await lab.zcl(['view', attempt, '--out', file])
  expect([code, err]).toEqual([0, ''])
  browser = await startBrowser()
  opened = await openPage(browser, pathToFileURL(file).href, {})
}, 120_000)
afterAll(async () => {
  await browser?.close()
  lab.remove()
})

it('shows what the agent changed in its workspace', async () => {
  const workspace = opened.page.getByRole('region', { name: 'Workspace' })
  const text = await workspace.innerText()
  expect(text).toContain('1 modified')
  expect(text).toContain(`-good bye\n+${hostile}`)
})

it('shows the verdict and the output of the verifier', async () => {
  const text = await opened.page.getByRole('region', { name: 'Grades' }).innerText()
  expect(text).toMatch(/rejected verifier .*check\.sh/i)
  expect(text).toContain('exit code 1')
  expect(text).toContain(hostile)
  expect(text).toContain('looked closely')
})

it('shows the words and the thinking of the agent', async () => {
  const text = await opened.page.getByRole('region', { name: 'Notes' }).innerText()
  for (const words of ['Fix the greeting.', 'It says good bye.', 'I replace the greeting.']) {
    expect(text).toContain(words)
  }
})

it('is accessible, and executes nothing of the evidence', async () => {
  expect(await accessibilityFaults(opened.page)).toEqual([])
  expect(await opened.page.evaluate('window.pwned')).toBeUndefined()
  expect(opened.complaints).toEqual([])
})
