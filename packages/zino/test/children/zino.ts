// The program's entry, for tests that run it as a process.
import '../../src/main.ts'
