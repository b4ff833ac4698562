// The regex worker, bundled for tests that open a corpus as a library.
import '../../src/workers/regex-worker.ts'
