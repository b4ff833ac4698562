// A scriptable line server: the `params` of a request define the answer, its timing and how the server ends.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'

interface Wish {
  id?: unknown
  method?: string
  params?: {
    /** Written unchanged, instead of an answer. */
    raw?: string
    stderr?: string
    exit?: number
    silent?: boolean
    error?: unknown
    result?: unknown
    /** Number of characters in the result. */
    large?: number
    delayMs?: number
    idLast?: boolean
  }
}

const [, , ...flags] = process.argv
const option = (name: string): string | undefined =>
  flags.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3)

const record = option('record')
const play = option('play')
let pieces: Buffer[] = []

if (flags.includes('--ignore-term')) process.on('SIGTERM', () => {})
if (option('pid') !== undefined) writeFileSync(option('pid') ?? '', String(process.pid))
if (option('greet') !== undefined) process.stderr.write(option('greet') ?? '')
if (play !== undefined) process.stdout.write(readFileSync(play))

process.stdin.on('data', (chunk: Buffer) => {
  if (record !== undefined) {
    appendFileSync(record, chunk)
    return
  }
  let start = 0
  for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
    answer(Buffer.concat([...pieces, chunk.subarray(start, end)]).toString())
    pieces = []
    start = end + 1
  }
  pieces.push(chunk.subarray(start))
})
process.stdin.on('end', () => {
  if (flags.includes('--ignore-eof')) setInterval(() => {}, 1000)
  else process.exitCode = Number(option('exit') ?? 0)
})

function answer(line: string): void {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    process.stdout.write(`heard: ${line}\n`)
    return
  }
  if (Array.isArray(value)) {
    const answers = (value as Wish[]).filter(({ id }) => id !== undefined).map(responseTo)
    process.stdout.write(`${JSON.stringify(answers)}\n`)
    return
  }
  fulfil(value as Wish)
}

function fulfil(wish: Wish): void {
  const { params = {} } = wish
  if (params.stderr !== undefined) process.stderr.write(params.stderr)
  if (params.raw !== undefined) process.stdout.write(params.raw)
  if (params.exit !== undefined) process.exit(params.exit)
  if (wish.id === undefined || params.silent === true || params.raw !== undefined) return
  const write = () => process.stdout.write(`${JSON.stringify(responseTo(wish))}\n`)
  if (params.delayMs === undefined) write()
  else setTimeout(write, params.delayMs)
}

function responseTo({ id, params = {} }: Wish): object {
  if (params.error !== undefined) return { jsonrpc: '2.0', id, error: params.error }
  const result =
    params.large === undefined ? (params.result ?? {}) : { text: 'x'.repeat(params.large) }
  return params.idLast === true ? { result, jsonrpc: '2.0', id } : { jsonrpc: '2.0', id, result }
}
