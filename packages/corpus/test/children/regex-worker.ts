// The regex worker, bundled for tests as a program does it.
import '../../src/workers/regex-worker.ts'
