// The index worker as a program of its own, for tests that open a corpus as a library.
import '../../src/workers/index-worker.ts'
