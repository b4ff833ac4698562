// The prefilter worker, bundled for tests that open a corpus as a library.
import '../../src/workers/prefilter-worker.ts'
