// Reads the facts of a trace line straight from its bytes when the line has the layout that zee
// writes; anything else is left to JSON.parse. Both ways give the same facts (a property test holds
// them together), this one several times faster.
import { canonicalInput } from '../json/json.ts'
import type { CallFacts } from './facts.ts'
import { JsonScanner, longLiteral } from './json-scanner.ts'

const at = (text: string) => Buffer.from(text)

const key = {
  open: at('{"v":1,"ts":'),
  runId: at(',"runId":'),
  suiteId: at(',"suiteId":'),
  missionId: at(',"missionId":'),
  attemptId: at(',"attemptId":'),
  agentId: at(',"agentId":'),
  tool: at(',"tool":'),
  op: at(',"op":'),
  input: at(',"input":'),
  argv: at('{"argv":['),
  argvEnd: at(']}'),
  resultOk: at(',"result":{"ok":'),
  code: at(',"code":'),
  exitCode: at(',"exitCode":'),
  durationMs: at(',"durationMs":'),
  outBytes: at('},"io":{"outBytes":'),
  errBytes: at(',"errBytes":'),
  outPreview: at(',"outPreview":'),
  errPreview: at(',"errPreview":'),
  outTruncated: at(',"outTruncated":'),
  errTruncated: at(',"errTruncated":'),
  redactions: at('},"redactionsApplied":'),
  enrichment: at(',"enrichment":'),
  warnings: at(',"warnings":'),
  truncated: at(',"integrity":{"truncated":'),
  chain: at(',"chain":'),
  true: at('true'),
  false: at('false'),
}

/** What most lines have between their output and their link of the chain. */
const plainRest = longLiteral(
  at('},"redactionsApplied":[],"integrity":{"truncated":false},"chain":'),
)

const comma = 0x2c
const scanner = new JsonScanner()

/** Fills `into` and says true, or says false: then the line has to be parsed. */
export function scanEvent(line: Buffer, start: number, end: number, into: CallFacts): boolean {
  scanner.open(line, start, end)
  return (
    scanHead(line, into) &&
    scanInput(line, into) &&
    scanResult(line, into) &&
    scanIo(into) &&
    scanRest(into)
  )
}

function scanHead(line: Buffer, into: CallFacts): boolean {
  if (!scanner.literal(key.open) || !plainString()) return false
  into.ts = fixedTime(line, scanner.from, scanner.to)
  into.tsText = undefined
  if (Number.isNaN(into.ts)) return false
  // All lines of a trace have the same ids, and most the same tool.
  if (scanner.longLiteral(lastHead.text)) {
    into.tool = lastHead.tool
    into.op = lastHead.op
    return true
  }
  const from = scanner.at
  if (!scanIds() || !scanner.literal(key.tool) || !plainString()) return false
  into.tool = line.toString('latin1', scanner.from, scanner.to)
  if (!scanner.literal(key.op) || !plainString()) return false
  into.op = line.toString('latin1', scanner.from, scanner.to)
  if (scanner.at - from <= longestHead) {
    lastHead.text = longLiteral(Buffer.from(line.subarray(from, scanner.at)))
    lastHead.tool = into.tool
    lastHead.op = into.op
  }
  return true
}

const longestHead = 1024

/** What stands between the time and the input of the line before, and what it said. */
const lastHead = { text: longLiteral(at('nothing yet')), tool: '', op: '' }

function scanIds(): boolean {
  if (!scanner.literal(key.runId) || !scanner.string()) return false
  if (scanner.literal(key.suiteId) && !scanner.string()) return false
  if (!scanner.literal(key.missionId) || !scanner.string()) return false
  if (!scanner.literal(key.attemptId) || !scanner.string()) return false
  return !scanner.literal(key.agentId) || scanner.string()
}

function scanInput(line: Buffer, into: CallFacts): boolean {
  if (!scanner.literal(key.input)) return false
  const from = scanner.at
  scanner.resetFlags()
  // A call's arguments are canonical as they stand; other inputs might order their keys otherwise.
  const isArgv = scanArgv()
  if (!isArgv) {
    scanner.at = from
    if (!scanner.value()) return false
  }
  const to = scanner.at
  const text = line.toString(scanner.wide ? 'utf8' : 'latin1', from, to)
  const canonical = isArgv && !scanner.unusualEscape
  into.input = canonical ? text : canonicalInput(JSON.parse(text))
  into.inputBytes = canonical ? to - from : Buffer.byteLength(into.input)
  return true
}

/** `{"argv":["...", ...]}` and nothing else. */
function scanArgv(): boolean {
  if (!scanner.literal(key.argv)) return false
  do {
    if (!scanner.string()) return false
  } while (scanner.step(comma))
  return scanner.literal(key.argvEnd)
}

function scanResult(line: Buffer, into: CallFacts): boolean {
  if (!scanner.literal(key.resultOk)) return false
  const ok = boolean()
  if (ok === undefined) return false
  into.ok = ok
  into.code = ''
  if (scanner.literal(key.code)) {
    if (!plainString()) return false
    into.code = line.toString('latin1', scanner.from, scanner.to)
  }
  if (scanner.literal(key.exitCode) && scanner.whole() < 0) return false
  if (!scanner.literal(key.durationMs)) return false
  into.durationMs = scanner.whole()
  return into.durationMs >= 0
}

function scanIo(into: CallFacts): boolean {
  if (!scanner.literal(key.outBytes)) return false
  into.outBytes = scanner.whole()
  if (into.outBytes < 0 || !scanner.literal(key.errBytes)) return false
  into.errBytes = scanner.whole()
  if (into.errBytes < 0) return false
  if (scanner.literal(key.outPreview) && !scanner.string()) return false
  if (scanner.literal(key.errPreview) && !scanner.string()) return false
  into.outCut = false
  into.errCut = false
  flagged = false
  return cutFlag(key.outTruncated, into, 'outCut') && cutFlag(key.errTruncated, into, 'errCut')
}

let flagged = false

function cutFlag(name: Buffer, into: CallFacts, field: 'outCut' | 'errCut'): boolean {
  if (!scanner.literal(name)) return true
  const cut = boolean()
  if (cut === undefined) return false
  flagged = true
  into[field] = cut
  return true
}

function scanRest(into: CallFacts): boolean {
  if (scanner.longLiteral(plainRest)) return scanner.string() && endsHere(into)
  if (!scanner.literal(key.redactions) || !scanner.value()) return false
  if (scanner.literal(key.enrichment) && !scanner.value()) return false
  if (scanner.literal(key.warnings) && !scanner.value()) return false
  if (scanner.literal(key.truncated)) {
    const truncated = boolean()
    if (truncated === undefined || (truncated && !flagged) || !scanner.step(0x7d)) return false
  }
  if (scanner.literal(key.chain) && !scanner.string()) return false
  return endsHere(into)
}

function endsHere(into: CallFacts): boolean {
  if (!scanner.step(0x7d) || scanner.at !== scanner.end) return false
  into.record = notKept
  return true
}

function notKept(): never {
  throw new Error('the reader of the line says how to parse it')
}

function boolean(): boolean | undefined {
  if (scanner.literal(key.true)) return true
  return scanner.literal(key.false) ? false : undefined
}

/** ASCII without escapes, so that its bytes are its text. */
function plainString(): boolean {
  scanner.resetFlags()
  return scanner.string() && !scanner.wide && !scanner.escaped
}

/** `2026-02-15T18:00:01.000Z` exactly; NaN for every other way to write a time. */
function fixedTime(line: Buffer, from: number, to: number): number {
  if (to - from !== 24) return Number.NaN
  for (const mark of timeMarks) if (line[from + mark.at] !== mark.byte) return Number.NaN
  const hour = digits(line, from + 11, 2)
  const minute = digits(line, from + 14, 2)
  const second = digits(line, from + 17, 2)
  const ms = digits(line, from + 20, 3)
  // A leap second is left to the thorough parser.
  const isTime = hour <= 23 && minute <= 59 && second <= 59
  if (!isTime || Math.min(hour, minute, second, ms) < 0) return Number.NaN
  return dayStart(line, from) + ((hour * 60 + minute) * 60 + second) * 1000 + ms
}

const dateLength = '0000-00-00'.length
const timeMarks = [...'0000-00-00T00:00:00.000Z'].flatMap((character, index) =>
  character === '0' || index < dateLength ? [] : [{ at: index, byte: character.charCodeAt(0) }],
)
const monthLengths = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** A number of so many digits, or one so low that no part of a time is. */
function digits(line: Buffer, from: number, count: number): number {
  let value = 0
  for (let place = from; place < from + count; place++) {
    const digit = (line[place] as number) - 0x30
    if (digit < 0 || digit > 9) return -10_000
    value = value * 10 + digit
  }
  return value
}

const lastDay = { date: new Uint8Array(dateLength), start: Number.NaN }

/** Lines of a trace are nearly always of one day. */
function dayStart(line: Buffer, from: number): number {
  for (let place = 0; place < dateLength; place++) {
    if (line[from + place] === lastDay.date[place]) continue
    lastDay.date.set(line.subarray(from, from + dateLength))
    lastDay.start = startOfDay(line, from)
    break
  }
  return lastDay.start
}

/** What is rare (leap days, years before 1970) is left to the thorough parser. */
function startOfDay(line: Buffer, from: number): number {
  const hyphen = 0x2d
  if (line[from + 4] !== hyphen || line[from + 7] !== hyphen) return Number.NaN
  const year = digits(line, from, 4)
  const month = digits(line, from + 5, 2)
  const day = digits(line, from + 8, 2)
  const isDate = year >= 1970 && day >= 1 && day <= (monthLengths[month] ?? 0)
  return isDate ? Date.UTC(year, month - 1, day) : Number.NaN
}
