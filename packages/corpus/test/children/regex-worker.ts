// The regex worker, bundled for tests as a program does it.
import '../../src/regex-worker.ts'
