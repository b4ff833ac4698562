// The index worker, bundled for tests that open a corpus as a library.
import '../../src/workers/index-worker.ts'
