// node build/screenshots.mjs: plays the tour and takes the pictures of the README from what it recorded, with
// the browser at /usr/bin/chromium: docs/screenshots/dashboard.png and attempt.png.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { repository } from './programs.mjs'

const zee = path.join(repository, 'packages/zee/bin/zee.cjs')
const pictures = path.join(repository, 'docs/screenshots')

const tour = await output(spawn(process.execPath, [zee, 'tour'], { stdio: 'pipe' }))
const folder = /^rm -r (\S+)/m.exec(tour)?.[1]
if (folder === undefined) throw new Error('the tour did not end')
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
})
const server = spawn(process.execPath, [zee, 'ui', '--no-open'], {
  cwd: path.join(folder, 'shop'),
  env: { ...process.env, ...variablesIn(path.join(folder, 'env.sh')) },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const [chunk] = await new Promise((resolve) =>
    server.stdout.once('data', (data) => resolve([data])),
  )
  const url = /http:\S+/.exec(String(chunk))?.[0] ?? ''
  await picture(`${url}#/`, '.feed li', 'dashboard.png')
  await picture(`file://${path.join(folder, 'attempt.html')}`, '.rows .row', 'attempt.png')
} finally {
  server.kill('SIGINT')
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}
console.log(readdirSync(pictures).join(' '))

/**
 * @param {string} address
 * @param {string} selector what must be there
 * @param {string} name
 */
async function picture(address, selector, name) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 560 } })
  await page.goto(address)
  await page.waitForSelector(selector)
  await page.screenshot({ path: path.join(pictures, name) })
  await page.close()
}

/**
 * The variables of the tour, from lines such as `export NAME='value'`.
 * @param {string} file
 */
function variablesIn(file) {
  const lines = readFileSync(file, 'utf8').matchAll(/^export (\w+)='?([^'\n]*)'?$/gm)
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value]))
}

/** @param {import('node:child_process').ChildProcessByStdio<any, import('node:stream').Readable, any>} child */
async function output(child) {
  let text = ''
  for await (const piece of child.stdout) text += String(piece)
  return text
}
