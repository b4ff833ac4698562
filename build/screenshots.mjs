// node build/screenshots.mjs: plays the tour, then lets a suite, a conversation and zino run, and takes the pictures of
// the README from them, with the browser at /usr/bin/chromium: docs/screenshots/dashboard.png and attempt.png.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { repository } from './programs.mjs'

const zee = path.join(repository, 'packages/zee/bin/zee.cjs')
const pictures = path.join(repository, 'docs/screenshots')

const tour = await output(spawn(process.execPath, [zee, 'tour', '--keep'], { stdio: 'pipe' }))
const folder = /^rm -r (\S+)/m.exec(tour)?.[1]
if (folder === undefined) throw new Error('the tour did not end')
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
})
const at = {
  cwd: path.join(folder, 'shop'),
  env: {
    ...process.env,
    ...variablesIn(path.join(folder, 'env.sh')),
    PATH: `${path.join(repository, 'node_modules/.bin')}:${process.env.PATH}`,
  },
}
const server = spawn(process.execPath, [zee, 'ui', '--no-open'], {
  ...at,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const working = await startWork()
try {
  const [chunk] = await new Promise((resolve) =>
    server.stdout.once('data', (data) => resolve([data])),
  )
  const url = /http:\S+/.exec(String(chunk))?.[0] ?? ''
  // Some attempts have failed, zino answers, and its timers and the conversation are there.
  const isFull = () =>
    ['of 40', 'mem', 'water the plants', 'Which prices', 'missing.mjs'].every((text) =>
      document.body.textContent?.includes(text),
    ) && !document.body.textContent?.includes('Loading')
  await picture(`${url}#/`, '.feed li', 'dashboard.png', isFull)
  await picture(`file://${path.join(folder, 'attempt.html')}`, '.rows .row', 'attempt.png')
} finally {
  for (const child of working) child.kill('SIGINT')
  await zino('stop')
  server.kill('SIGINT')
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}
console.log(readdirSync(pictures).join(' '))

/** Starts a suite, a conversation, and zino with timers. */
async function startWork() {
  const suite = {
    version: 1,
    suiteId: 'prices',
    missions: ['round-down', 'discount', 'currency', 'tax'].map((missionId) => ({
      missionId,
      prompt: `Fix ${missionId}.`,
    })),
  }
  writeFileSync(path.join(at.cwd, '../suite.json'), JSON.stringify(suite))
  const runner =
    'sleep 1; case $ZCL_ATTEMPT_ID in *currency*) zcl run -- node test/missing.mjs;; *) zcl run -- true;; esac;' +
    ' zcl feedback --ok --result done'
  const words = ['suite', 'run', '--file', '../suite.json', '--total', '40', '--parallel', '2']
  const play = [
    { text: 'I look at every price first.', delay_ms: 500 },
    { text: ' …', delay_ms: 600_000 },
  ]
  writeFileSync(
    path.join(at.cwd, '../slow.jsonl'),
    play.map((line) => JSON.stringify(line)).join('\n'),
  )
  const talk = [
    '--provider',
    'script',
    '--model',
    '../slow.jsonl',
    'exec',
    '-p',
    'Which prices are wrong?',
  ]
  await zino('up', '--detach')
  await zino('remind', 'tomorrow 9:00', 'water the plants')
  await zino('every', 'mon..fri 17:30', 'Summarize the day.')
  return [
    spawn('zcl', [...words, '--', 'sh', '-c', runner], { ...at, stdio: 'ignore' }),
    spawn('zdx', talk, { ...at, stdio: 'ignore' }),
  ]
}

/** @param {string[]} words */
async function zino(...words) {
  await output(spawn('zino', words, { ...at, stdio: ['ignore', 'pipe', 'inherit'] }))
}

/**
 * @param {string} address
 * @param {string} selector what must be there
 * @param {string} name
 * @param {() => boolean} [isReady] runs in the page
 */
async function picture(address, selector, name, isReady) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 560 } })
  await page.goto(address)
  await page.waitForSelector(selector)
  if (isReady !== undefined) await page.waitForFunction(isReady, undefined, { timeout: 120_000 })
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
