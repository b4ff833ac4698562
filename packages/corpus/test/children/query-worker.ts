// The query worker, bundled for tests that open a corpus as a library.
import '../../src/workers/query-worker.ts'
