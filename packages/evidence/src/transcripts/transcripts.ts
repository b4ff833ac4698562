// Logs of other agents: their sessions, and what was said in them.
export type {
  LogCall,
  LogReceipt,
  LogResult,
  LogSession,
  LogUsage,
  TranscriptBuilder,
} from './builder.ts'
export { readOpencode as readOpencodeSession } from './opencode.ts'
export { readLogs, readTranscript, transcriptPrograms } from './read-logs.ts'
export type { ImportProgram, LogPlace, LogReading } from './read-logs.ts'
export { spokenWords } from './spoken-words.ts'
export { zstdDecoder, type Decompress } from '../zstd/zstd.ts'
