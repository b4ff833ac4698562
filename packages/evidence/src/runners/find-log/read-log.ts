// Reads the log of a runner line by line. Damaged, truncated and unknown lines are skipped.
import { readFileSync } from 'node:fs'
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
  for (const line of zlib.zstdDecompressSync(readFileSync(file)).toString('utf8').split('\n')) {
    const record = parseObject(line)
    if (record !== undefined) collector.addLine(record)
  }
}

type Decompress = (bytes: Buffer) => Buffer
