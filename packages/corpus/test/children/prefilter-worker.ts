// The sift worker as a program of its own, for tests that open a corpus as a library.
import '../../src/workers/prefilter-worker.ts'
