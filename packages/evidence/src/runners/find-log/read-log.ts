// Reads the log of a runner line by line. Damaged, truncated and unknown lines are skipped.
import { readBoundedFile } from '@zee/core/bounded-file'
import { ZeeError } from '@zee/core/errors'
import { readJournalSync } from '@zee/core/journal'
import { parseObject } from '@zee/core/json'
import type { Decompress } from '../../zstd/zstd.ts'
import type { RunnerFormat, RunnerReading } from '../log.ts'

export interface ReadLogOptions {
  /** For logs that are compressed with zstd. */
  unzstd: Decompress
  /** Stop after this many bytes. */
  maxBytes?: number
}

/** Reads a log, plain or compressed; throws if the file cannot be read. */
export function readLog(
  format: RunnerFormat,
  file: string,
  { unzstd, maxBytes = Infinity }: ReadLogOptions,
): RunnerReading {
  const collector = format.collector()
  if (file.endsWith('.zst')) {
    for (const line of decompressed(file, unzstd).toString('utf8').split('\n')) {
      const record = parseObject(line)
      if (record !== undefined) collector.addLine(record)
    }
  } else {
    readJournalSync(file, ({ record, offset }) => {
      collector.addLine(record)
      return offset < maxBytes
    })
  }
  return collector.reading()
}

function decompressed(file: string, unzstd: Decompress): Buffer {
  const packed = readBoundedFile(file, { maxBytes: maxContentBytes })
  try {
    return unzstd(packed, maxContentBytes)
  } catch (error) {
    const message = `${file} is no complete zstd file, or its content is larger than 256 MiB`
    throw new ZeeError('unreadable_log', message, { cause: error })
  }
}

/** A small log may be the start of an endless one. */
const maxContentBytes = 256 << 20
