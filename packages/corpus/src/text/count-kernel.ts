// Counts line ends and characters sixteen bytes at a time: a WebAssembly function of some 250 bytes, put
// together here. It works on its own memory, so a file is read straight into that.
// Where WebAssembly is not to be had, counted-buffer.ts counts without it.

/** What one run over some bytes found. */
export interface RawCount {
  lineFeeds: number
  returns: number
  /** CR and LF together. */
  pairs: number
  /** Bytes that go on with a character. */
  continuations: number
  ascii: boolean
}

export interface CountKernel {
  /** Where files are read to; there is room for the bytes asked for. */
  buffer: Buffer
  count(length: number): RawCount
  /** Counts from one place to another, both multiples of sixteen; zeroes count as nothing. */
  countBetween(from: number, to: number): RawCount
}

/** The part of WebAssembly that is used here; Node's types leave it to the browser's. */
interface WasmEngine {
  Memory: new (pages: { initial: number; maximum: number }) => { buffer: ArrayBuffer }
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> }
}

type Run = (from: number, to: number) => void

/** Five results of sixteen bytes, then a margin whose last byte stands before the text. */
const DATA_OFFSET = 128
const PAGE_BYTES = 65_536

/** A kernel with room for a text of this size; undefined when the system has none for it. */
export function createCountKernel(size: number): CountKernel | undefined {
  try {
    // A vector may reach up to fifteen bytes behind the text.
    const pages = Math.ceil((DATA_OFFSET + size + 16) / PAGE_BYTES)
    const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: WasmEngine }
    const memory = new wasm.Memory({ initial: pages, maximum: pages })
    compiled ??= new wasm.Module(moduleBytes())
    const instance = new wasm.Instance(compiled, { e: { m: memory } })
    return kernelOf(memory.buffer, instance.exports.c as Run, size)
  } catch {
    return undefined
  }
}

let compiled: object | undefined

function kernelOf(memory: ArrayBuffer, run: Run, size: number): CountKernel {
  const all = new Uint8Array(memory)
  const results = new Uint32Array(memory, 0, 20)
  const sum = (first: number): number =>
    (results[first] as number) +
    (results[first + 1] as number) +
    (results[first + 2] as number) +
    (results[first + 3] as number)
  const counted = (from: number, to: number): RawCount => {
    run(DATA_OFFSET + from, DATA_OFFSET + to)
    const bits =
      (results[16] as number) |
      (results[17] as number) |
      (results[18] as number) |
      (results[19] as number)
    return {
      lineFeeds: sum(0),
      returns: sum(4),
      pairs: sum(8),
      continuations: sum(12),
      ascii: (bits & 0x80808080) === 0,
    }
  }
  return {
    buffer: Buffer.from(memory, DATA_OFFSET, size),
    count: (length) => {
      const end = DATA_OFFSET + length
      // Zeroes count as nothing.
      all.fill(0, end, end + 16)
      return counted(0, length)
    },
    countBetween: counted,
  }
}

// Instructions, by their names in the WebAssembly text format.
const get = (local: number): number[] => [0x20, local]
const set = (local: number): number[] => [0x21, local]
const i32 = (value: number): number[] => [0x41, ...signed(value)]
const simd = (...code: number[]): number[] => [0xfd, ...code]
const splat = (byte: number): number[] => simd(0x0c, ...Array.from({ length: 16 }, () => byte))
const load = simd(0x00, 0, 0)
const store = simd(0x0b, 0, 0)
const equal = simd(0x23)
const lessSigned = simd(0x25)
const and = simd(0x4e)
const or = simd(0x50)
const subtractBytes = simd(0x71)
const addWords = simd(0xae, 0x01)
/** Sixteen bytes to eight halves to four words. */
const widen = [...simd(0x7d), ...simd(0x7f)]
const add32 = 0x6a
const less32 = 0x49
const [loop, branchIf, select, end] = [[0x03, 0x40], 0x0d, 0x1b, 0x0b]

// Locals: the two parameters, the end of a run, four counts in bytes, four in words, the vector at
// hand, all bits seen, and where its bytes are line feeds.
const [at, to, stop] = [0, 1, 2]
const inBytes = { feeds: 3, returns: 4, pairs: 5, continuations: 6 }
const inWords = { feeds: 7, returns: 8, pairs: 9, continuations: 10 }
const [vector, seen, feeds] = [11, 12, 13]

/** Takes one off for each lane that is all ones, that is, counts it. */
const countLanes = (local: number, lanes: number[]): number[] => [
  ...get(local),
  ...lanes,
  ...subtractBytes,
  ...set(local),
]

/** `do { run of at most 255 vectors; widen } while (at < to)` */
function functionBody(): number[] {
  const names = ['feeds', 'returns', 'pairs', 'continuations'] as const
  const step = [
    ...[...get(at), ...load, ...set(vector)],
    ...[...get(seen), ...get(vector), ...or, ...set(seen)],
    ...[...get(vector), ...splat(0x0a), ...equal, ...set(feeds)],
    ...countLanes(inBytes.feeds, get(feeds)),
    ...countLanes(inBytes.returns, [...get(vector), ...splat(0x0d), ...equal]),
    ...countLanes(inBytes.pairs, [
      ...[...get(at), ...i32(-1), add32, ...load, ...splat(0x0d), ...equal],
      ...[...get(feeds), ...and],
    ]),
    ...countLanes(inBytes.continuations, [...get(vector), ...splat(0xc0), ...lessSigned]),
    ...[...get(at), ...i32(16), add32, ...set(at)],
  ]
  return [
    ...loop,
    ...names.flatMap((name) => [...splat(0), ...set(inBytes[name])]),
    // stop = at + 255 * 16 < to ? at + 255 * 16 : to
    ...[...get(at), ...i32(4080), add32, ...get(to)],
    ...[...get(at), ...i32(4080), add32, ...get(to), less32, select, ...set(stop)],
    ...[...loop, ...step, ...get(at), ...get(stop), less32, branchIf, 0, end],
    ...names.flatMap((name) => [
      ...[...get(inWords[name]), ...get(inBytes[name]), ...widen, ...addWords],
      ...set(inWords[name]),
    ]),
    ...[...get(at), ...get(to), less32, branchIf, 0, end],
    ...names.flatMap((name, index) => [...i32(index * 16), ...get(inWords[name]), ...store]),
    ...[...i32(64), ...get(seen), ...store, end],
  ]
}

function moduleBytes(): Uint8Array {
  const section = (id: number, content: number[]): number[] => [id, ...sized(content)]
  // One more 32-bit local behind the two parameters, then eleven vectors.
  const code = [2, 1, 0x7f, 11, 0x7b, ...functionBody()]
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 2, 0x7f, 0x7f, 0]),
    ...section(2, [1, 1, 0x65, 1, 0x6d, 2, 0, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, 1, 0x63, 0, 0]),
    ...section(10, [1, ...sized(code)]),
  ])
}

function sized(content: number[]): number[] {
  return [...unsigned(content.length), ...content]
}

function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

function signed(value: number): number[] {
  const low = value & 0x7f
  const rest = value >> 7
  const done = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)
  return done ? [low] : [low | 0x80, ...signed(rest)]
}
