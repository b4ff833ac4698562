// Reads the log of a runner line by line. Damaged, truncated and unknown lines are skipped.
import { readBoundedFile } from '@zee/core/bounded-file'
import { readJournalSync } from '@zee/core/journal'
import { ZeeError } from '@zee/core/errors'
import type { Collector, RunnerFormat, RunnerReading } from '../log.ts'
import { parseObject } from '@zee/core/json'

export interface ReadLogOptions {
  /** Stop after this many bytes. */
  maxBytes?: number
}

/** Reads a log, plain or compressed; throws if the file cannot be read. */
export function readLog(
  format: RunnerFormat,
  file: string,
  { maxBytes = Infinity }: ReadLogOptions = {},
): RunnerReading {
  const collector = format.collector()
  if (file.endsWith('.zst')) addCompressedLines(collector, file)
  else {
    readJournalSync(file, ({ record, offset }) => {
      collector.addLine(record)
      return offset < maxBytes
    })
  }
  return collector.reading()
}

/** Adds the lines of a log compressed with zstd, which needs Node 22.15 or later. */
function addCompressedLines(collector: Collector, file: string): void {
  const zlib = process.getBuiltinModule('node:zlib') as { zstdDecompressSync?: Decompress }
  if (zlib.zstdDecompressSync === undefined) {
    const message = `${file} is compressed with zstd; use Node 22.15 or later to read it`
    throw new ZeeError('unsupported_log', message)
  }
  const packed = readBoundedFile(file, { maxBytes: maxContentBytes })
  const content = zlib.zstdDecompressSync(packed, { maxOutputLength: maxContentBytes })
  for (const line of content.toString('utf8').split('\n')) {
    const record = parseObject(line)
    if (record !== undefined) collector.addLine(record)
  }
}

/** A small log may be the start of an endless one. */
const maxContentBytes = 256 << 20

type Decompress = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer
