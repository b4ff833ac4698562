// Reads the facts of a trace line directly from its bytes, several times faster than JSON.parse. It
// accepts only the exact layout that zee writes; callers parse all other lines. A property test
// checks that both readers agree.
import { canonicalInput } from '../json/json.ts'
import type { CallFacts } from './facts.ts'
import { JsonScanner, longLiteral } from './json-scanner.ts'

const bytesOf = (text: string) => Buffer.from(text)

const key = {
  open: bytesOf('{"v":1,"ts":'),
  runId: bytesOf(',"runId":'),
  suiteId: bytesOf(',"suiteId":'),
  missionId: bytesOf(',"missionId":'),
  attemptId: bytesOf(',"attemptId":'),
  agentId: bytesOf(',"agentId":'),
  tool: bytesOf(',"tool":'),
  op: bytesOf(',"op":'),
  input: bytesOf(',"input":'),
  argv: bytesOf('{"argv":['),
  argvEnd: bytesOf(']}'),
  resultOk: bytesOf(',"result":{"ok":'),
  code: bytesOf(',"code":'),
  exitCode: bytesOf(',"exitCode":'),
  durationMs: bytesOf(',"durationMs":'),
  outBytes: bytesOf('},"io":{"outBytes":'),
  errBytes: bytesOf(',"errBytes":'),
  outPreview: bytesOf(',"outPreview":'),
  errPreview: bytesOf(',"errPreview":'),
  outTruncated: bytesOf(',"outTruncated":'),
  errTruncated: bytesOf(',"errTruncated":'),
  redactions: bytesOf('},"redactionsApplied":'),
  enrichment: bytesOf(',"enrichment":'),
  warnings: bytesOf(',"warnings":'),
  truncated: bytesOf(',"integrity":{"truncated":'),
  id: bytesOf(',"id":'),
  parentId: bytesOf(',"parentId":'),
  ignored: bytesOf(',"ignored":true'),
  chain: bytesOf(',"chain":'),
  true: bytesOf('true'),
  false: bytesOf('false'),
}

/** The bytes that most lines have between their output and their ids. */
const commonTail = longLiteral(bytesOf('},"redactionsApplied":[],"integrity":{"truncated":false}'))

const comma = 0x2c
const scanner = new JsonScanner()

/** Fills `into` and returns true; returns false if the line must be parsed instead. */
export function scanEvent(line: Buffer, start: number, end: number, into: CallFacts): boolean {
  scanner.open(line, start, end)
  return (
    scanHead(line, into) &&
    scanInput(line, into) &&
    scanResult(line, into) &&
    scanIo(into) &&
    scanRest(line, into)
  )
}

function scanHead(line: Buffer, into: CallFacts): boolean {
  if (!scanner.skipLiteral(key.open) || !scanPlainString()) return false
  into.ts = fixedTime(line, scanner.stringStart, scanner.stringEnd)
  into.tsText = undefined
  if (Number.isNaN(into.ts)) return false
  // All lines of a trace have the same ids, and most have the same tool.
  if (scanner.skipLongLiteral(lastHead.text)) {
    into.tool = lastHead.tool
    into.op = lastHead.op
    return true
  }
  const from = scanner.position
  if (!scanIds() || !scanner.skipLiteral(key.tool) || !scanPlainString()) return false
  into.tool = line.toString('latin1', scanner.stringStart, scanner.stringEnd)
  if (!scanner.skipLiteral(key.op) || !scanPlainString()) return false
  into.op = line.toString('latin1', scanner.stringStart, scanner.stringEnd)
  if (scanner.position - from <= maxHeadBytes) {
    lastHead.text = longLiteral(Buffer.from(line.subarray(from, scanner.position)))
    lastHead.tool = into.tool
    lastHead.op = into.op
  }
  return true
}

const maxHeadBytes = 1024

/** The bytes between time and input of an earlier line, with their tool and op. */
const lastHead = { text: longLiteral(bytesOf('none yet')), tool: '', op: '' }

function scanIds(): boolean {
  if (!scanner.skipLiteral(key.runId) || !scanner.skipString()) return false
  if (scanner.skipLiteral(key.suiteId) && !scanner.skipString()) return false
  if (!scanner.skipLiteral(key.missionId) || !scanner.skipString()) return false
  if (!scanner.skipLiteral(key.attemptId) || !scanner.skipString()) return false
  return !scanner.skipLiteral(key.agentId) || scanner.skipString()
}

function scanInput(line: Buffer, into: CallFacts): boolean {
  if (!scanner.skipLiteral(key.input)) return false
  const from = scanner.position
  scanner.resetFlags()
  // An argv input is canonical as written; other inputs may have keys in another order.
  const isArgv = scanArgv()
  if (!isArgv) {
    scanner.position = from
    if (!scanner.skipValue()) return false
  }
  const to = scanner.position
  const text = line.toString(scanner.hasNonAscii ? 'utf8' : 'latin1', from, to)
  const canonical = isArgv && !scanner.hasUnusualEscape
  into.input = canonical ? text : canonicalInput(JSON.parse(text))
  into.inputBytes = canonical ? to - from : Buffer.byteLength(into.input)
  return true
}

/** Skips exactly `{"argv":["...", ...]}`. */
function scanArgv(): boolean {
  if (!scanner.skipLiteral(key.argv)) return false
  do {
    if (!scanner.skipString()) return false
  } while (scanner.skipByte(comma))
  return scanner.skipLiteral(key.argvEnd)
}

function scanResult(line: Buffer, into: CallFacts): boolean {
  if (!scanner.skipLiteral(key.resultOk)) return false
  const ok = scanBoolean()
  if (ok === undefined) return false
  into.ok = ok
  into.code = ''
  if (scanner.skipLiteral(key.code)) {
    if (!scanPlainString()) return false
    into.code = line.toString('latin1', scanner.stringStart, scanner.stringEnd)
  }
  if (scanner.skipLiteral(key.exitCode) && scanner.readInteger() < 0) return false
  if (!scanner.skipLiteral(key.durationMs)) return false
  into.durationMs = scanner.readInteger()
  return into.durationMs >= 0
}

function scanIo(into: CallFacts): boolean {
  if (!scanner.skipLiteral(key.outBytes)) return false
  into.outBytes = scanner.readInteger()
  if (into.outBytes < 0 || !scanner.skipLiteral(key.errBytes)) return false
  into.errBytes = scanner.readInteger()
  if (into.errBytes < 0) return false
  if (scanner.skipLiteral(key.outPreview) && !scanner.skipString()) return false
  if (scanner.skipLiteral(key.errPreview) && !scanner.skipString()) return false
  into.outCut = false
  into.errCut = false
  hasCutFlags = false
  return cutFlag(key.outTruncated, into, 'outCut') && cutFlag(key.errTruncated, into, 'errCut')
}

let hasCutFlags = false

function cutFlag(name: Buffer, into: CallFacts, field: 'outCut' | 'errCut'): boolean {
  if (!scanner.skipLiteral(name)) return true
  const cut = scanBoolean()
  if (cut === undefined) return false
  hasCutFlags = true
  into[field] = cut
  return true
}

function scanRest(line: Buffer, into: CallFacts): boolean {
  if (scanner.skipLongLiteral(commonTail)) return scanCallIds(line, into) && endsHere(into)
  if (!scanner.skipLiteral(key.redactions) || !scanner.skipValue()) return false
  if (scanner.skipLiteral(key.enrichment) && !scanner.skipValue()) return false
  if (scanner.skipLiteral(key.warnings) && !scanner.skipValue()) return false
  if (scanner.skipLiteral(key.truncated)) {
    const truncated = scanBoolean()
    if (truncated === undefined || (truncated && !hasCutFlags) || !scanner.skipByte(0x7d))
      return false
  }
  return scanCallIds(line, into) && endsHere(into)
}

/** The ids of the call and of its parent, then the chain hash; all are optional. */
function scanCallIds(line: Buffer, into: CallFacts): boolean {
  into.id = ''
  into.parentId = ''
  const hasId = scanner.skipLiteral(key.id)
  if (hasId && !scanPlainString()) return false
  const { stringStart, stringEnd } = scanner
  const hasParent = scanner.skipLiteral(key.parentId)
  if (hasId && (hasParent || into.needsIds)) {
    into.id = line.toString('latin1', stringStart, stringEnd)
  }
  if (hasParent) {
    if (!scanPlainString()) return false
    into.parentId = line.toString('latin1', scanner.stringStart, scanner.stringEnd)
  }
  into.isIgnored = scanner.skipLiteral(key.ignored)
  return !scanner.skipLiteral(key.chain) || scanner.skipString()
}

function endsHere(into: CallFacts): boolean {
  if (!scanner.skipByte(0x7d) || scanner.position !== scanner.end) return false
  into.record = recordUnavailable
  return true
}

function recordUnavailable(): never {
  throw new Error('the caller of scanEvent sets record()')
}

function scanBoolean(): boolean | undefined {
  if (scanner.skipLiteral(key.true)) return true
  return scanner.skipLiteral(key.false) ? false : undefined
}

/** Skips a string of ASCII without escapes, whose bytes equal its text. */
function scanPlainString(): boolean {
  scanner.resetFlags()
  return scanner.skipString() && !scanner.hasNonAscii && !scanner.hasEscape
}

/** Milliseconds of a time in the form `2026-02-15T18:00:01.000Z`; NaN for every other form. */
function fixedTime(line: Buffer, from: number, to: number): number {
  if (to - from !== 24) return Number.NaN
  for (const mark of timeMarks) if (line[from + mark.index] !== mark.byte) return Number.NaN
  const hour = digits(line, from + 11, 2)
  const minute = digits(line, from + 14, 2)
  const second = digits(line, from + 17, 2)
  const ms = digits(line, from + 20, 3)
  // The full parser handles leap seconds.
  const isTime = hour <= 23 && minute <= 59 && second <= 59
  if (!isTime || Math.min(hour, minute, second, ms) < 0) return Number.NaN
  return dayStart(line, from) + ((hour * 60 + minute) * 60 + second) * 1000 + ms
}

const dateLength = '0000-00-00'.length
const timeMarks = [...'0000-00-00T00:00:00.000Z'].flatMap((character, index) =>
  character === '0' || index < dateLength ? [] : [{ index, byte: character.charCodeAt(0) }],
)
const monthLengths = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** The number in `count` digits, or a large negative number if one is not a digit. */
function digits(line: Buffer, from: number, count: number): number {
  let value = 0
  for (let index = from; index < from + count; index++) {
    const digit = (line[index] as number) - 0x30
    if (digit < 0 || digit > 9) return -10_000
    value = value * 10 + digit
  }
  return value
}

const lastDay = { date: new Uint8Array(dateLength), start: Number.NaN }

/** Start of the day in milliseconds, cached: consecutive lines nearly always have the same date. */
function dayStart(line: Buffer, from: number): number {
  for (let index = 0; index < dateLength; index++) {
    if (line[from + index] === lastDay.date[index]) continue
    lastDay.date.set(line.subarray(from, from + dateLength))
    lastDay.start = startOfDay(line, from)
    break
  }
  return lastDay.start
}

/** NaN for rare dates (leap days, years before 1970), which the full parser handles. */
function startOfDay(line: Buffer, from: number): number {
  const hyphen = 0x2d
  if (line[from + 4] !== hyphen || line[from + 7] !== hyphen) return Number.NaN
  const year = digits(line, from, 4)
  const month = digits(line, from + 5, 2)
  const day = digits(line, from + 8, 2)
  const isDate = year >= 1970 && day >= 1 && day <= (monthLengths[month] ?? 0)
  return isDate ? Date.UTC(year, month - 1, day) : Number.NaN
}
