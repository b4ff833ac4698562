// A pack holds the chunks of a hot command in one file, with their V8 code cache, because compilation
// dominates the start of a short-lived program. The build runs each command twice: once to record its
// chunks, once to produce the cache. Another version of Node rejects the cache and compiles the source.
import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const recorder = path.join(import.meta.dirname, 'pack-recorder.cjs')
const packed = path.join(import.meta.dirname, 'rehearse-pack.cjs')
/** @type {Function} */
const loader = createRequire(import.meta.url)('./pack-loader.cjs')
const rehearsalMs = 30_000

/**
 * A rehearsal runs the hot commands of a program, started by `entry`, in a temporary folder.
 * @typedef {(entry: string, folder: string, env: Record<string, string>) => Promise<void>} Rehearsal
 */

/** @type {Record<string, Rehearsal>} */
const rehearsals = { zcl: rehearseRun, zdx: rehearseExec, zeno: rehearseServe, zino: rehearseUp }

/**
 * Rehearsals that compile chunks beside a pack.
 * @type {Record<string, Rehearsal>}
 */
const chunkRehearsals = { zdx: rehearseProject, zeno: rehearsePattern }

/**
 * Writes `<command>.pack` and `<command>.code` for every hot command of a program that has any.
 * If the rehearsal fails on this system, the program starts without packs, only slower.
 * @param {string} name
 * @param {string} dist
 */
export async function writePacks(name, dist) {
  const rehearse = rehearsals[name]
  if (rehearse === undefined) return
  try {
    await played(rehearse, path.join(dist, 'main.cjs'), dist)
    const commands = (await readdir(dist)).filter((file) => file.endsWith('.chunks'))
    if (commands.length === 0) throw new Error('nothing was loaded')
    await Promise.all(commands.map((file) => writePack(dist, path.parse(file).name)))
    await played(rehearse, packed, dist)
    const rehearseChunks = chunkRehearsals[name]
    if (rehearseChunks !== undefined) await played(rehearseChunks, packed, dist)
  } catch (error) {
    console.error(`${name} starts without packs: ${error instanceof Error ? error.message : error}`)
    const files = (await readdir(dist)).filter((file) => /\.(pack|code|chunks)$/.test(file))
    for (const file of files) await rm(path.join(dist, file), { force: true })
  }
}

/**
 * @param {Rehearsal} rehearse
 * @param {string} entry
 * @param {string} dist
 */
async function played(rehearse, entry, dist) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'zee-rehearsal-'))
  try {
    await rehearse(entry, folder, {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      NODE_OPTIONS: `--require ${JSON.stringify(recorder)}`,
      ZEE_PACK_DIST: dist,
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Returns a function expression that starts the program from an object with one function per chunk.
 * @param {string} dist
 * @param {string} command
 */
async function writePack(dist, command) {
  const list = path.join(dist, `${command}.chunks`)
  /** @type {string[]} */
  const chunks = JSON.parse(await readFile(list, 'utf8'))
  const entries = chunks.map(async (chunk) => {
    const text = await readFile(path.join(dist, chunk), 'utf8')
    const body = asciiSource(text.replace(/\n\/\/# sourceMappingURL=.*\s*$/, ''))
    return `"./${chunk}"(exports,require,module,__filename,__dirname){${body}\n}`
  })
  const file = path.join(dist, command)
  const pack = `{${(await Promise.all(entries)).join(',')}}`
  await writeFile(`${file}.pack`, `(function(require,dist){(${loader})(${pack},require,dist)})`)
  // The next rehearsal writes the code cache; V8 rejects an empty one.
  await writeFile(`${file}.code`, '')
  await rm(list)
}

/**
 * The source with escapes for all other characters: launchers read a pack as Latin-1, which V8 keeps as one
 * byte per character.
 * @param {string} source
 */
function asciiSource(source) {
  // In String.raw and after a backslash, an escape is another text.
  if (/String\.raw`[^`]*[^\x00-\x7F]|\\[^\x00-\x7F]/.test(source)) {
    throw new Error('a character outside ASCII cannot be escaped in a pack')
  }
  return source.replace(
    /[^\x00-\x7F]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** @type {Rehearsal} */
async function rehearseRun(entry, folder, { NODE_OPTIONS, ...plain }) {
  const main = path.join(plain.ZEE_PACK_DIST ?? '', 'main.cjs')
  const words = ['attempt', 'start', '--suite', 's', '--mission', 'm', '--json']
  const at = { cwd: folder, timeout: rehearsalMs }
  const started = await run(process.execPath, [main, ...words], { ...at, env: plain })
  const env = { ...plain, ...JSON.parse(started.stdout).env }
  // Two calls: the second one chains to the line of the first. Only zcl itself is recorded.
  for (const script of ['exit 0', 'echo out; echo err >&2']) {
    const args = [entry, 'run', '--', 'sh', '-c', script]
    await run(process.execPath, args, { ...at, env: { ...env, NODE_OPTIONS } })
  }
  const args = [entry, 'report', path.join(folder, '.zcl/runs', env.ZCL_RUN_ID)]
  await run(process.execPath, args, { ...at, env: { ...env, NODE_OPTIONS } })
}

/**
 * One process per tree request: a second request would start the index and its threads.
 * @type {Rehearsal}
 */
async function rehearseServe(entry, folder, env) {
  const read = { op: 'read_file', args: { path: 'src/a.txt' } }
  await serveWith([read, { op: 'list_files' }], entry, folder, env)
  await serveWith([read, { op: 'grep', args: { pattern: 'another' } }], entry, folder, env)
}

/**
 * Compiles the regex engine.
 * @type {Rehearsal}
 */
async function rehearsePattern(entry, folder, env) {
  const grep = { op: 'grep', args: { pattern: 'ano[st]her', regex: true } }
  await serveWith([grep], entry, folder, { ...env, ZEE_PACK_CHUNKS: '1' })
}

/**
 * Runs `zeno serve` with these requests.
 * @param {object[]} requests
 * @param {string} entry
 * @param {string} folder
 * @param {Record<string, string>} env
 */
async function serveWith(requests, entry, folder, env) {
  await mkdir(path.join(folder, 'src'), { recursive: true })
  for (const name of ['a.txt', 'b.txt']) {
    await writeFile(path.join(folder, 'src', name), `a line\nanother \u00e9 line\n`)
  }
  const args = [entry, 'serve', '--root', folder]
  const running = run(process.execPath, args, { cwd: folder, timeout: rehearsalMs, env })
  running.child.stdin?.end(requests.map((each) => `${JSON.stringify(each)}\n`).join(''))
  await running
}

/** @type {Rehearsal} */
async function rehearseUp(entry, folder, env) {
  const script = path.join(folder, 'play.jsonl')
  await writeFile(script, '{"text":"hello"}\n')
  // Writes the configuration without being recorded.
  const init = [path.join(env.ZEE_PACK_DIST ?? '', 'main.cjs'), 'init', folder, '--script', script]
  await run(process.execPath, init, { cwd: folder, env: { ...env, NODE_OPTIONS: '' } })
  // The optional service tmr starts with the others when this file exists.
  await mkdir(path.join(folder, 'data/mem'), { recursive: true, mode: 0o700 })
  await writeFile(path.join(folder, 'data/mem/timers.jsonl'), '')
  const args = [entry, 'up', '--config', 'ZINO.toml']
  const up = spawn(process.execPath, args, { cwd: folder, env, timeout: rehearsalMs })
  up.stdout.once('data', () => up.kill('SIGTERM'))
  const code = await new Promise((resolve) => up.on('error', resolve).on('close', resolve))
  if (code !== 0) throw new Error(`zino up ended with ${code}`)
}

/**
 * Runs one prompt. Without a tool call: what tools load would cost every answer 5 ms (Node 20).
 * @type {Rehearsal}
 */
function rehearseExec(entry, folder, env) {
  return execWith([finalAnswer], entry, folder, env)
}

/**
 * Compiles what a project with instructions and a tool call load beside the pack.
 * @type {Rehearsal}
 */
async function rehearseProject(entry, folder, env) {
  await writeFile(
    path.join(folder, 'AGENTS.md'),
    'Run `npm test` before every commit of this project.\n',
  )
  const tool = { type: 'tool_use', id: 'toolu_1', name: 'bash', input: {} }
  const input = JSON.stringify({ command: 'echo done' })
  const call = streamed(tool, { type: 'input_json_delta', partial_json: input }, 'tool_use')
  await execWith([call, finalAnswer], entry, folder, { ...env, ZEE_PACK_CHUNKS: '1' })
}

/**
 * Runs `zdx exec` with a model server on loopback that gives these answers.
 * @param {string[]} answers
 * @param {string} entry
 * @param {string} folder
 * @param {Record<string, string>} env
 */
async function execWith(answers, entry, folder, env) {
  const left = [...answers]
  const model = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    request.resume().on('end', () => response.end(left.shift()))
  })
  await new Promise((resolve) => model.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = model.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const api = { ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` }
  try {
    const args = [entry, 'exec', '-p', 'say done']
    // A pipe on stdin would be checked for unread input, which takes a child process.
    const options = { cwd: folder, timeout: rehearsalMs, env: { ...env, ...api } }
    const exec = spawn(process.execPath, args, { ...options, stdio: 'ignore' })
    const code = await new Promise((resolve) => exec.on('error', resolve).on('close', resolve))
    if (code !== 0) throw new Error(`zdx exec ended with ${code}`)
  } finally {
    model.close()
  }
}

const finalAnswer = streamed(
  { type: 'text', text: '' },
  { type: 'text_delta', text: 'done' },
  'end_turn',
)

/**
 * One response of the Messages API.
 * @param {object} block
 * @param {object} delta
 * @param {string} reason
 */
function streamed(block, delta, reason) {
  const usage = { input_tokens: 1, output_tokens: 1 }
  const events = [
    { type: 'message_start', message: { id: 'msg_1', role: 'assistant', model: 'none', usage } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: reason }, usage },
    { type: 'message_stop' },
  ]
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}
