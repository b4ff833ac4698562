// The page of an attempt with nested calls and an edit, in a real browser: the waterfall, and times that count once.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runProgram } from '../support/run-program.ts'
import { Project } from '../contract/zcl/project.ts'
import { builtProgram } from '../support/paths.ts'
import { accessibilityFaults, openPage, startBrowser, type OpenPage } from './pages-browser.ts'

const project = new Project()
let browser: Browser
let opened: OpenPage

beforeAll(async () => {
  const attempt = await project.start()
  const zcl = builtProgram('zcl')
  await project.run(attempt, ['sh', '-c', `${zcl} run -- sleep 0.5; ${zcl} run -- sleep 0.5`])
  writeFileSync(path.join(project.folder, 'price.txt'), 'one\ntwo\n')
  const play = path.join(project.folder, 'play.jsonl')
  const edit = { path: 'price.txt', old: 'two', new: '2\n3' }
  const steps = [{ tool: 'edit', input: edit }, { end: true }, { text: 'Done.' }, { end: true }]
  writeFileSync(play, steps.map((step) => `${JSON.stringify(step)}\n`).join(''))
  const words = ['--provider', 'script', '--model', play, 'exec', '-p', 'edit it']
  const { code, stderr } = await runProgram('zdx', words, {
    cwd: project.folder,
    env: { ...attempt.env, HOME: project.home },
  })
  expect(code, stderr).toBe(0)
  const out = path.join(project.folder, 'attempt.html')
  expect(await project.zcl(['view', attempt.folder, '--out', out])).toMatchObject({ code: 0 })
  browser = await startBrowser()
  opened = await openPage(browser, pathToFileURL(out).href)
}, 120_000)

afterAll(async () => {
  await browser?.close()
  project.remove()
  expect(opened?.complaints).toEqual([])
})

it('draws the bars of nested calls one after the other, within the bar of their parent', async () => {
  const { page } = opened
  const bars = await page.locator('.row').evaluateAll((rows) =>
    rows.map((row) => {
      const bar = row.querySelector('.track i')?.getBoundingClientRect()
      return { text: row.textContent ?? '', left: bar?.left ?? 0, right: bar?.right ?? 0 }
    }),
  )
  const parent = bars.find(({ text }) => /\dclish -c/.test(text))
  const [first, second] = bars.filter(({ text }) => text.includes('└ sleep 0.5'))
  expect([parent, first, second]).not.toContain(undefined)
  if (parent === undefined || first === undefined || second === undefined) return
  expect(first.left).toBeGreaterThanOrEqual(parent.left - 1)
  expect(second.left).toBeGreaterThanOrEqual(first.right - 1)
  expect(second.right).toBeLessThanOrEqual(parent.right + 1)
  expect(first.right - first.left).toBeGreaterThan(10)
})

it('counts the time of nested calls once', async () => {
  const time = opened.page.locator('.stat', { hasText: 'in calls' })
  const [wall, calls] = [...(await time.innerText()).matchAll(/([\d.]+) (ms|s)\b/g)].map(
    ([, amount, unit]) => Number(amount) * (unit === 's' ? 1000 : 1),
  )
  expect(calls).toBeGreaterThan(1000)
  expect(calls).toBeLessThanOrEqual((wall ?? 0) + 60)
})

it('shows the path of an edit and the lines that it added and removed', async () => {
  const { page } = opened
  expect(await page.locator('.row', { hasText: 'price.txt' }).innerText()).toMatch(
    /edit price\.txt \+2 -1/,
  )
  expect(await accessibilityFaults(page)).toEqual([])
})
