// The page of a comparison of two suite runs with another prompt and another runner, in a real browser.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LabProject } from '../contract/zcl-lab/lab-project.ts'
import { accessibilityFaults, openPage, startBrowser, type OpenPage } from './pages-browser.ts'

const lab = new LabProject()
let browser: Browser
let opened: OpenPage

beforeAll(async () => {
  browser = await startBrowser()
  const run = async (
    prompt: string,
    feedback: string,
    env: Record<string, string>,
  ): Promise<string> => {
    lab.suite([
      { missionId: 'one', prompt: 'Count to three.' },
      { missionId: 'two', prompt },
    ])
    const name = `agent${feedback}.sh`
    const agent = lab.agent(`zcl feedback ${feedback} --result x >/dev/null 2>&1`, name)
    const flags = ['--total', '24', '--parallel', '2', '--allow-unproven']
    const { json } = await lab.suiteRun(flags, [agent], env)
    return String(json.runId)
  }
  const a = await run('Say hello.', '--fail', { ONLY_IN_A: 'secret value of A', IN_BOTH: '1' })
  const b = await run('Say hello to the world.', '--ok', { ONLY_IN_B: '1', IN_BOTH: '2' })
  const out = path.join(lab.folder, 'comparison.html')
  const { code, err } = await lab.zcl(['view', a, b, '--out', out])
  expect(err).toBe('')
  expect(code).toBe(0)
  opened = await openPage(browser, pathToFileURL(out).href)
}, 120_000)

afterAll(async () => {
  await browser?.close()
  lab.remove()
  expect(opened?.complaints).toEqual([])
})

it('calls run B better, in words that agree with its numbers', async () => {
  const { page } = opened
  expect(await page.locator('.head .badge').innerText()).toBe('better')
  const text = await page.locator('main').innerText()
  expect(text).toContain('p < 0.001')
  expect(text).toContain('+100.0 points')
  expect(text).not.toMatch(/\b0\.000\b/)
  // Units are rounded.
  expect(text).not.toMatch(/\d\.\d{4,}/)
})

it('lists the runner command, the prompt and the suite that differ before the attempts', async () => {
  const { page } = opened
  const changes = page.getByRole('region', { name: 'What changed' })
  const text = await changes.innerText()
  expect(text).toMatch(/agent--fail\.sh[^]*agent--ok\.sh/)
  expect(text).toMatch(/Say hello\.[^]*Say hello to the world\./)
  expect(text).toMatch(/suite/i)
  expect(await accessibilityFaults(page)).toEqual([])
})

it('names the environment variables that only one of the runs had, without their values', async () => {
  const { page } = opened
  const row = page.getByRole('row', { name: /^environment names/ })
  expect(await row.getByRole('cell').allInnerTexts()).toEqual(['ONLY_IN_A', 'ONLY_IN_B'])
  expect(await page.locator('body').innerText()).not.toContain('secret value of A')
})

it('shows 24 pairs of attempts with links to both', async () => {
  const { page } = opened
  const pairs = page.getByRole('region', { name: 'Attempts side by side' }).first()
  expect(await pairs.getByRole('link').count()).toBe(48)
})
