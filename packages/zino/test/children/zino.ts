// The program itself, for tests that need it as a process.
import '../../src/main.ts'
